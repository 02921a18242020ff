"""The version stands in one place, `[workspace.package]` of Cargo.toml; everything else is derived or held to it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import bayleaf
from release.fault import Fault


def workspace(root: Path) -> str:
    """The version."""
    return str(tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"])


def check(root: Path) -> str:
    """The version, which the installed package, CITATION.cff and CHANGELOG.md have too."""
    version = workspace(root)
    if bayleaf.__version__ != version:
        raise Fault(f"bayleaf.__version__ is {bayleaf.__version__}, Cargo.toml says {version}; build again")
    cited = re.search(r"^version: (\S+)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    if cited is None or cited[1] != version:
        raise Fault(f"CITATION.cff has version {cited and cited[1]}, Cargo.toml says {version}; write it there too")
    if version not in (root / "CHANGELOG.md").read_text(encoding="utf-8"):
        raise Fault(f"CHANGELOG.md does not name {version}; give the release its heading")
    return version
