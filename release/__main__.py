"""``python -m release``: everything a release must pass, with what is shipped left in dist/. Nothing is published."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

from release import bill, builds, citation, contents, licences, room, versions
from release.fault import Fault

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"


def main() -> int:
    """Runs the steps in their order; 1 when one finds a fault."""
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        clean = room.Room(Path(name))
        steps: dict[str, Callable[[], str]] = {
            "version": lambda: versions.check(ROOT),
            "citation": lambda: citation.check(ROOT, room.Room(Path(name) / "citation")),
            "sdist": lambda: builds.sdist(ROOT, DIST),
            "wheels": lambda: builds.wheels(ROOT, DIST),
            "contents": lambda: contents.check(DIST),
            "abi3": lambda: tool("abi3audit", "--strict", "--summary", *wheels()),
            "metadata": lambda: tool("twine", "check", "--strict", *map(str, DIST.iterdir())),
            "wheel in a clean home": lambda: clean.try_out(builds.native(DIST), ROOT),
            "extras": lambda: extras(clean),
            "licences": lambda: licences.check(ROOT, clean.python, DIST),
            "bill of materials": lambda: bill.write(ROOT, clean.python, DIST),
            "sdist in a clean home": lambda: room.Room(Path(name) / "sdist").try_out(builds.source(DIST), ROOT),
        }
        for title, step in steps.items():
            started = time.perf_counter()
            try:
                said = step()
            except Fault as fault:
                print(f"{title}: {fault}", file=sys.stderr)
                return 1
            print(f"{title}: {said} ({time.perf_counter() - started:.0f} s)", flush=True)
    return 0


def extras(clean: room.Room) -> str:
    """Installs what the extras bring, so that their licences are seen too."""
    names = sorted(
        tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    )
    clean.install(f"{builds.native(DIST)}[{','.join(names)}]")
    return ", ".join(names)


def wheels() -> list[str]:
    return [str(path) for path in sorted(DIST.glob("*.whl"))]


def tool(name: str, *words: str) -> str:
    """Runs a tool of the environment."""
    done = subprocess.run([Path(sys.executable).parent / name, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Fault(f"{name} failed\n{done.stdout}{done.stderr}")
    return "passed"


if __name__ == "__main__":
    sys.exit(main())
