"""Every Python and shell block of the README and the docs runs, and prints what the text block after it says."""

import io
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from home import Home
from printed import alike
from sybil import Example, Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.markdown import CodeBlockParser

ROOT = Path(__file__).parents[2]
LECTURES = ROOT / "docs" / "lectures"  # written from scripts that test_lectures.py runs
SPARK = ROOT / "docs" / "how-to" / "spark.md"
NEEDS = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]  # Spark warns of pandas 3 at every turn
PAGES = [
    pytest.param(page, marks=NEEDS if page == SPARK else ())
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if page.parent != LECTURES
]
RUN = PythonEvaluator()
FIGURES = re.compile(r"(?:[\d.]+% \w+(?:, )?)+|^(?:spam|ham|unsure)(?= spam=)|[+-]?\b\d[\d.]*")


def run(example: Example) -> None:
    with redirect_stdout(io.StringIO()) as out:
        RUN(example)
    example.namespace["printed"] = out.getvalue()


def shell(example: Example) -> None:
    home = example.namespace.setdefault("home", Home(Path.cwd()))
    example.namespace["printed"] = home.run(example.parsed)


def compare(example: Example) -> None:
    printed, written = (text.rstrip() for text in (example.namespace.pop("printed"), example.parsed))
    assert printed == written or alike(printed, written)


def resemble(example: Example) -> None:
    """Each line was printed, figures apart: a store of mail has a secret of its own, on which they depend a little."""
    printed = {shape(line) for line in example.namespace.pop("printed").splitlines()}
    assert {shape(line) for line in example.parsed.splitlines()} - {"..."} <= printed


def shape(line: str) -> str:
    """A line without its figures: numbers, shares and the verdict that follows from them."""
    return " ".join(FIGURES.sub("#", line).split())


BLOCKS = {"python": run, "text": compare, "output": resemble, "sh": shell}
SYBIL = Sybil(parsers=[CodeBlockParser(kind, evaluator) for kind, evaluator in BLOCKS.items()])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page == SPARK:
        pytest.importorskip("pyspark", reason="pyspark is not installed; `make test-spark` installs it")
        monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.chdir(tmp_path)
    home = Home(tmp_path)
    home.furnish()
    monkeypatch.setenv("BAYLEAF_DATA", str(home.data))
    for example in SYBIL.parse(page).examples():
        example.evaluate()
