"""The sdist, and a wheel for each architecture, linked by zig against the glibc of manylinux2014."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from release.fault import Fault

MACHINES = ("x86_64", "aarch64")


def sdist(root: Path, dist: Path) -> str:
    """Written to `dist`."""
    maturin(root, "sdist", "--out", str(dist))
    return source(dist).name


def wheels(root: Path, dist: Path) -> str:
    """Those that can be built here; an architecture whose Rust library cannot be had is named."""
    said = []
    for machine in MACHINES:
        target = f"{machine}-unknown-linux-gnu"
        if not available(target):
            said.append(f"not {machine}: rustc has no library for {target} and rustup could not fetch it")
            continue
        options = ["--release", "--locked", "--zig", "--target", target, "--compatibility", "manylinux2014"]
        maturin(root, "build", *options, "--out", str(dist))
        said.append(next(dist.glob(f"*{machine}.whl")).name)
    native(dist)
    return ", ".join(said)


def available(target: str) -> bool:
    """Whether rustc can build for it, fetched when rustup is there."""
    if shutil.which("rustup"):
        subprocess.run(["rustup", "target", "add", target], capture_output=True, check=False)
    place = subprocess.run(
        ["rustc", "--print", "target-libdir", "--target", target], capture_output=True, text=True, check=False
    ).stdout.strip()
    return Path(place).is_dir() and any(Path(place).glob("libstd-*"))


def maturin(root: Path, *words: str) -> None:
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "PYO3_PYTHON": sys.executable}
    done = subprocess.run(
        [scripts / "maturin", *words], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Fault(f"maturin {' '.join(words)} failed\n{done.stderr}")


def native(dist: Path) -> Path:
    """The wheel for this machine."""
    found = list(dist.glob(f"*{platform.machine()}.whl"))
    if len(found) != 1:
        raise Fault(f"{dist} has {len(found)} wheels for {platform.machine()}, expected one")
    return found[0]


def source(dist: Path) -> Path:
    """The sdist."""
    found = list(dist.glob("*.tar.gz"))
    if len(found) != 1:
        raise Fault(f"{dist} has {len(found)} source distributions, expected one")
    return found[0]
