"""The three first pages, typed by a newcomer: a fresh clone, an empty home, nothing installed but Python, Rust and git.

Builds the package three times, so only BAYLEAF_FULL=1 does it (minutes); CARGO_TARGET_DIR may name a warm folder.
"""

import os
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from home import INSTALL, Home

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "start").glob("*.md"))
BLOCK = re.compile(r"```(python|text|sh)\n(.*?)```\n", re.DOTALL)
KEPT = ("CARGO_", "RUSTUP_", "PIP_", "SSL_")  # where packages come from on this machine
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not os.environ.get("BAYLEAF_FULL"), reason="builds the package three times: BAYLEAF_FULL=1"),
    pytest.mark.skipif(shutil.which("cargo") is None, reason="no Rust toolchain"),
]


class Newcomer(Home):
    """A home that is a clone; what is installed is what the page installs."""

    def environment(self) -> dict[str, str]:
        """An empty one, but for the way to the package indexes."""
        kept = {name: value for name, value in os.environ.items() if name.startswith(KEPT)}
        rust = {f"{name}_HOME": str(Path.home() / f".{name.lower()}") for name in ("CARGO", "RUSTUP")}
        path = os.pathsep.join([str(self.programs), str(Path(shutil.which("cargo") or "").parent), "/usr/bin", "/bin"])
        return {**rust, **kept, "HOME": str(self.folder / "home"), "PATH": path, "LANG": "C.UTF-8", **self.exported}

    def line(self, line: str, daemons: ExitStack) -> str:
        """The first lines in earnest, with the interpreter of these tests; the tour too."""
        if line.startswith(". "):
            return ""  # its programs are in the path already
        if INSTALL.match(line) or line == "bayleaf demo":
            return self.command(line.replace("python3", sys.executable))
        return super().line(line, daemons)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_newcomer_gets_there(page: Path, tmp_path: Path) -> None:
    clone = tmp_path / "bayleaf"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    (clone / "home").mkdir()
    newcomer = Newcomer(clone, clone / "env" / "bin")
    typed, expected = "", ""
    for kind, content in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "sh":
            compare(newcomer, typed, expected)  # in the order of the page: it may use what Python wrote
            newcomer.run(content)
        elif kind == "python":
            typed += content
        else:
            expected += content
    compare(newcomer, typed, expected)


def compare(newcomer: Home, typed: str, expected: str) -> None:
    """What has been typed so far prints what the page says."""
    if typed:
        (newcomer.folder / "typed.py").write_text(typed)
        assert newcomer.command("python typed.py") == expected
