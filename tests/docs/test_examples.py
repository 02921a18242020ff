"""Every Python and shell block of the README and the docs runs, and prints what the text block after it says."""

import io
import os
import re
import shutil
import socket
import subprocess
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path

import pytest
from sybil import Example, Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.markdown import CodeBlockParser

from bayleaf.demo.samples import lay_out

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUN = PythonEvaluator()


def run(example: Example) -> None:
    with redirect_stdout(io.StringIO()) as out:
        RUN(example)
    example.namespace["printed"] = out.getvalue()


def shell(example: Example) -> None:
    """Each line by itself, in a home with some mail and the letters of the demo; a daemon stays until the page ends."""
    for line in example.parsed.strip().splitlines():
        if line.startswith("make "):
            assert f"\n{line.split()[1]}:" in (ROOT / "Makefile").read_text(), line
        elif line.startswith("bayleaf serve"):
            example.namespace.setdefault("daemons", []).append(started(line))
        elif line.split()[0] == "bayleaf" or shutil.which(line.split()[0]):
            done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=at_home(), check=False)
            fine = (0, 1, 2) if " mail judge" in line or "spamc" in line else (0,)
            assert done.returncode in fine, f"{line}\n{done.stderr}"
            assert "Traceback" not in done.stderr, f"{line}\n{done.stderr}"


def started(line: str) -> subprocess.Popen[bytes]:
    """A daemon that answers on the port that the line names."""
    daemon = subprocess.Popen(["bash", "-c", f"exec {line}"], env=at_home(), stderr=subprocess.DEVNULL)
    host, port = re.findall(r"(127\.0\.0\.1):(\d+)", line)[0]
    for _ in range(1000):
        with suppress(ConnectionRefusedError), socket.create_connection((host, int(port)), timeout=60):
            return daemon
        with suppress(subprocess.TimeoutExpired):
            pytest.fail(f"{line} ended with {daemon.wait(timeout=0.05)}")
    pytest.fail(f"{line} does not answer")


def at_home() -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("BAYLEAF_", "XDG_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**clean, "HOME": str(Path.cwd()), "PATH": path}


def furnish(home: Path) -> None:
    """What the pages say a reader has: old mail in folders, some mails, and the letters."""
    box = lay_out(home)
    for name, label in (("Junk", "spam"), ("Inbox", "ham"), ("Archive", "ham")):
        shutil.copytree(box / label, home / "Mail" / name)
    for name, source in (("some-mail", "new/bitcoin"), ("wrong", "ham/001"), ("private", "ham/private")):
        shutil.copyfile(box / f"{source}.eml", home / f"{name}.eml")


def compare(example: Example) -> None:
    assert example.namespace.pop("printed").rstrip() == example.parsed.rstrip()


SYBIL = Sybil(parsers=[CodeBlockParser("python", run), CodeBlockParser("text", compare), CodeBlockParser("sh", shell)])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    furnish(tmp_path)
    document = SYBIL.parse(page)
    try:
        for example in document.examples():
            example.evaluate()
    finally:
        for daemon in document.namespace.get("daemons", ()):
            daemon.terminate()
            daemon.wait()
