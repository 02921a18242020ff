"""Room: an environment and a home with nothing in them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from release.fault import Fault

OURS = ("BAYLEAF_", "CARGO", "MATURIN", "PYO3", "PYTHON", "RUSTUP_HOME", "RUSTFLAGS", "VIRTUAL_ENV", "XDG_")


class Room:
    """A virtual environment made by the standard library, and an empty HOME."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder / "room", folder / "home"
        self.home.mkdir(parents=True)
        self.python = self.folder / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", self.folder], check=True)

    def environment(self) -> dict[str, str]:
        """That of the caller without what is ours; a Rust toolchain is found by its own path, not through the home."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        sysroot = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True).stdout
        path = os.pathsep.join([str(self.folder / "bin"), f"{sysroot.strip()}/bin", "/usr/bin", "/bin"])
        return {**kept, "HOME": str(self.home), "PATH": path}

    def run(self, *words: str | Path) -> str:
        """What a command prints in this room, in its home."""
        done = subprocess.run(
            [str(word) for word in words],
            cwd=self.home,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise Fault(f"{' '.join(map(str, words))} failed\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout

    def install(self, *words: str | Path) -> None:
        self.run(self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *words)

    def try_out(self, package: Path, root: Path) -> str:
        """Installs it by pip alone and runs the smoke test and the story of the demo."""
        self.install(package)
        said = self.run(self.python, root / "release" / "smoke.py").strip()
        story = self.run(self.folder / "bin" / "bayleaf", "demo")
        if not story.strip():
            raise Fault("bayleaf demo printed nothing")
        return f"{said}, the demo ran"
