"""Parts: what a release brings along: crates that are compiled in, and Python packages that pip installs with it."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from release.fault import Fault

LISTING = """
import json
from importlib.metadata import distributions
print(json.dumps([[d.name, d.version, d.metadata.get("License-Expression") or "", d.metadata.get("License") or "",
                   d.metadata.get_all("Classifier") or []] for d in distributions()]))
"""
TOOLS = {"pip", "setuptools", "bayleaf"}  # of the environment, and ourselves


@dataclass(frozen=True)
class Part:
    """A crate or a package, with its licence as its author wrote it."""

    kind: str  # cargo or pypi
    name: str
    version: str
    licence: str

    @property
    def purl(self) -> str:
        """Its address as a package URL."""
        name = self.name.lower().replace("_", "-") if self.kind == "pypi" else self.name
        return f"pkg:{self.kind}/{name}@{self.version}"


def crates(root: Path) -> list[Part]:
    """Those that end up in the compiled module: no tests, no build scripts."""
    call = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", "x86_64-unknown-linux-gnu"]
    done = subprocess.run(call, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Fault(f"cargo metadata failed\n{done.stderr}")
    found = json.loads(done.stdout)
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    reached = {key for key, package in packages.items() if package["name"] == "bayleaf-python"}
    waiting = list(reached)
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            if dependency["pkg"] not in reached and any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                reached.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    ours = {key for key in reached if packages[key]["source"] is None}
    chosen = [packages[key] for key in reached - ours]
    return sorted_parts([Part("cargo", p["name"], p["version"], p["license"] or "") for p in chosen])


def packages(python: Path) -> list[Part]:
    """Those in an environment that holds bayleaf and what it needs."""
    listed = json.loads(subprocess.run([python, "-c", LISTING], capture_output=True, text=True, check=True).stdout)
    parts = [
        Part("pypi", name, version, expression or named(text, classifiers))
        for name, version, expression, text, classifiers in listed
    ]
    return sorted_parts([part for part in parts if part.name not in TOOLS])


def named(text: str, classifiers: list[str]) -> str:
    """The licence of older metadata: its classifiers, or its text where that is a name."""
    found = [each.rpartition(" :: ")[2] for each in classifiers if each.startswith("License :: OSI Approved :: ")]
    return " AND ".join(found) or (text.strip() if len(text) < 60 else "")


def sorted_parts(parts: list[Part]) -> list[Part]:
    return sorted(parts, key=lambda part: part.purl)
