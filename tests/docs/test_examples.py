"""Every Python and shell block of the README and the docs runs, and prints what the text block after it says."""

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from pathlib import Path

import pytest
from sybil import Example, Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.markdown import CodeBlockParser

from bayleaf.demo.samples import lay_out

ROOT = Path(__file__).parents[2]
SPARK = ROOT / "docs" / "how-to" / "spark.md"
NEEDS = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]  # Spark warns of pandas 3 at every turn
PAGES = [
    pytest.param(page, marks=NEEDS if page == SPARK else ())
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
]
RUN = PythonEvaluator()


def run(example: Example) -> None:
    with redirect_stdout(io.StringIO()) as out:
        RUN(example)
    example.namespace["printed"] = out.getvalue()


def shell(example: Example) -> None:
    """Each line by itself, in a home with some mail and the letters of the demo; `make` must know its target.

    A daemon runs until the end of its block. Lines for programs that are not installed are passed over.
    """
    with ExitStack() as daemons:
        for line in example.parsed.strip().splitlines():
            if "db.example" in line:
                continue  # nobody's database; tests/unit/store and tests/service have one
            if line.startswith("make "):
                assert f"\n{line.split()[1]}:" in (ROOT / "Makefile").read_text(), line
            elif line.startswith("bayleaf serve") and "--new-token" not in line:
                daemons.enter_context(daemon(line))
            elif line.split()[0] not in ("spamc", "curl") or shutil.which(line.split()[0]):
                command(line)


def command(line: str) -> None:
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=at_home(), check=False)
    fine = (0, 1, 2) if " mail judge" in line else (0, 1) if line.startswith("spamc ") else (0,)
    assert done.returncode in fine, f"{line}\n{done.stderr}"
    assert "Traceback" not in done.stderr, f"{line}\n{done.stderr}"


@contextmanager
def daemon(line: str) -> Iterator[None]:
    words = ["bash", "-c", f"exec {line}"]
    with subprocess.Popen(
        words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=at_home()
    ) as running:
        assert running.stderr is not None
        said = [running.stderr.readline()]
        while said[-1] and "listening on" not in said[-1]:
            said.append(running.stderr.readline())
        assert said[-1], f"{line}\n{''.join(said)}"
        yield
        running.terminate()
        running.stderr.read()
    assert running.returncode == 0, line


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
    if page == SPARK:
        pytest.importorskip("pyspark", reason="pyspark is not installed; `make test-spark` installs it")
        monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.chdir(tmp_path)
    furnish(tmp_path)
    for example in SYBIL.parse(page).examples():
        example.evaluate()
