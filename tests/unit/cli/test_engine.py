"""What `bayleaf train --engine spark` refuses before Spark is started; tests/spark trains with it."""

from pathlib import Path

import pytest
from desk import bayleaf, write_rows


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mails/", "--engine", "spark"], "mails/: --engine spark cannot tell what this is; expected Parquet, CSV"),
        (["-", "--engine", "spark"], "-: --engine spark cannot tell what this is"),
        (["a.arff", "--engine", "spark"], "a.arff: --engine spark cannot tell"),
        (["a", "--engine", "spark", "--format", "mail"], "--engine spark cannot read --format mail; expected Parquet"),
        (["a.csv.gz", "b.parquet", "--engine", "spark"], "files of several formats (csv, parquet)"),
        (["a.jsonl.ZST", "b.parquet", "--engine", "spark"], "files of several formats (json, parquet)"),
        (["a.csv", "--master", "local[2]"], "--master names a Spark master; expected --engine spark beside it"),
    ],
)
def test_refusals(words: list[str], said: str, tmp_path: Path) -> None:
    done = bayleaf("train", *words, "-o", str(tmp_path / "m.bayleaf"))
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_without_pyspark_it_says_how_to_install_it(tmp_path: Path) -> None:
    hidden = tmp_path / "pyspark"
    hidden.mkdir()
    (hidden / "__init__.py").write_text("raise ImportError('hidden')\n")
    data = write_rows(tmp_path / "rows.csv")
    words = ["train", str(data), "--engine", "spark", "--label", "team", "-o", str(tmp_path / "m.bayleaf")]
    done = bayleaf(*words, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "pip install 'bayleaf[spark]'" in done.stderr
    assert "Traceback" not in done.stderr
