"""What is in the wheels and in the sdist, and what must not be."""

from __future__ import annotations

import re
import tarfile
import zipfile
from pathlib import Path

from release.fault import Fault

WHEEL = re.compile(r"bayleaf/|bayleaf-[\d.]+\.dist-info/")
SOURCE = re.compile(
    r"(?:src/bayleaf|crates/(?:core|domains|python))/|(?:Cargo\.(?:toml|lock)|pyproject\.toml|PKG-INFO)$"
)
SOURCE_ALSO = re.compile(r"(?:README|LICENSE|CHANGELOG)[^/]*$")
NEVER = re.compile(
    r"(?:^|/)(?:tests?|benchmarks|data|__pycache__|\.venv|\.git)(?:/|$)|\.(?:pyc|db|bayleaf|pem|key)$|\.env$"
)
LARGEST = {".so": 12_000_000}  # bytes; everything else below
ELSE = 600_000  # the largest list is the public suffix list of a crate; corpora are larger
MUST = ("bayleaf/__init__.py", "bayleaf/_core.abi3.so", "bayleaf/_core.pyi", "bayleaf/py.typed")


def check(dist: Path) -> str:
    """How many files of what size."""
    said = []
    for path in sorted(dist.iterdir()):
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as archive:
                files = {info.filename: info.file_size for info in archive.infolist() if not info.is_dir()}
            refuse(path, faults(files, WHEEL, NEVER) + [f"{name} is missing" for name in MUST if name not in files])
        else:
            with tarfile.open(path) as archive:
                files = {m.name.partition("/")[2]: m.size for m in archive.getmembers() if m.isfile()}
            ours = {name: size for name, size in files.items() if not SOURCE_ALSO.match(name)}
            outside = {name: size for name, size in ours.items() if not name.startswith("crates/core/tests/")}
            refuse(path, faults(outside, SOURCE, NEVER))
        said.append(f"{path.name} {len(files)} files, {sum(files.values()) / 1e6:.1f} MB unpacked")
    return "; ".join(said)


def faults(files: dict[str, int], expected: re.Pattern[str], never: re.Pattern[str]) -> list[str]:
    """What does not belong there."""
    found = [f"{name} has no place there" for name in files if not expected.match(name) or never.search(name)]
    sizes = {name: LARGEST.get(Path(name).suffix, ELSE) for name in files}
    return found + [f"{name} is large: {files[name]} bytes" for name, most in sizes.items() if files[name] > most]


def refuse(path: Path, found: list[str]) -> None:
    if found:
        raise Fault("\n".join([path.name, *found]))
