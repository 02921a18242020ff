"""Files whose labels and columns need a word: what the commands say of them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import polars as pl
import pytest
from desk import said

import bayleaf
from bayleaf import GaussianNB, MultinomialNB
from bayleaf.cli.main import main


def test_several_columns_may_be_the_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "two.csv"
    data.write_text("Label,class,size\na,b,1\n")
    assert said(capsys, "train", str(data), "-o", str(tmp_path / "m"), "-q") == (
        f"bayleaf: {data} has several columns that may be the labels: Label, class; name one with --label"
    )


def test_the_file_with_other_columns_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "a1.csv", tmp_path / "a2.csv"
    first.write_text("size,label\n" + "1.5,a\n9.5,b\n" * 3)
    second.write_text("width,label\n1,a\n")
    told = said(capsys, "train", str(first), str(second), "-o", str(tmp_path / "m"), "-q")
    assert told.startswith(f"bayleaf: {second}: Found the columns ['width']")


def test_labels_are_without_space_and_a_blank_one_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "space.csv"
    data.write_text("size,label\n" + '1.5,a\n2.5," a "\n9.5,b\n8.5,"  "\n' * 5)
    assert main(["train", str(data), "-o", str(tmp_path / "m"), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["labels"], facts["unlabelled"]) == ({"a": 10, "b": 5}, 5)


def test_warnings_of_the_library_are_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pandas = pytest.importorskip("pandas")
    model, asked = str(tmp_path / "g.bayleaf"), tmp_path / "asked.csv"
    GaussianNB().fit(pandas.DataFrame({"size": [1.0, 2.0, 8.0, 9.0]}), list("aabb")).save(model)
    asked.write_text("size\n1.2\n")
    assert main(["predict", model, str(asked), "--json"]) == 0
    assert capsys.readouterr().err == ""
    asked.write_text("size\n1.2\nmuch\n")
    assert said(capsys, "predict", model, str(asked), "-q").startswith(f"bayleaf: {asked}, line 3, column size: found")
    zero = MultinomialNB(alpha=0.0).fit(pandas.DataFrame({"u": [1, 0], "v": [0, 1]}), list("ab"))
    zero.save(model)
    asked.write_text("u,v\n1,1\n")
    assert main(["predict", model, str(asked), "--json"]) == 0
    told = capsys.readouterr().err
    assert told.startswith("bayleaf: note: ")
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("first", "found"),
    [
        ("3\tWall St. bears claw back into the black, again and again", "3, Wall St. bears claw back into the [...]"),
        ("ham\tgo until jurong point, crazy, available only in bugis", "ham, go until jurong point, crazy, avai [...]"),
    ],
    ids=["number", "word"],
)
def test_a_file_without_a_header_is_told_of_the_flag(
    first: str, found: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "news.tsv"
    data.write_text(f"{first}\n" * 3)
    assert said(capsys, "train", str(data), "-o", str(tmp_path / "m"), "-q") == (
        f"bayleaf: {data} has no column called label, class or target; found {found}. Name the column of the labels "
        "with --label, and say --no-header if the first line is a row: columns are then column_1, column_2, ..."
    )


def test_a_file_with_a_header_is_told_its_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "intents.csv"
    data.write_text("text,category\nwhere is my card,arrival\n")
    assert said(capsys, "train", str(data), "-o", str(tmp_path / "m"), "-q") == (
        f"bayleaf: {data} has no column called label, class or target; found text, category. "
        "Name the column of the labels with --label"
    )


def test_the_arithmetic_of_a_mistake_is_against_the_truth_also_where_labels_are_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 wins, 1 is second, and 2, which it is, comes last."""
    pandas = pytest.importorskip("pandas")
    rows = pandas.DataFrame({"size": [0.0, 1.0, 4.0, 5.0, 20.0, 21.0]})
    GaussianNB().fit(rows, [0, 0, 1, 1, 2, 2]).save(tmp_path / "m")
    data, page = tmp_path / "new.csv", tmp_path / "page.html"
    data.write_text("size,label\n0.5,2\n")
    words = ["evaluate", str(data), "--label", "label", "--model", str(tmp_path / "m"), "--report", str(page)]
    assert main(words) == 0
    table = page.read_text(encoding="utf-8").partition("The arithmetic")[2]
    head = ["<bdi>0</bdi>", "<bdi>2</bdi>", "difference"]
    assert "".join(f'<th scope="col">{cell}</th>' for cell in ("clue", *head)) in table


@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl"])
def test_a_number_that_is_none_is_no_label_and_whole_ones_have_no_point(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a table with gaps holds the labels 1 and 2."""
    rows = [{"x": n % 7 + 0.5, "label": (1.0, 2.0, math.nan)[n % 3]} for n in range(60)]
    if name.endswith("jsonl"):
        (tmp_path / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    else:
        pl.DataFrame(rows).write_parquet(tmp_path / name)
    (tmp_path / "t.csv").write_text("x,label\n3,1\n4,2\n")
    assert main(["train", str(tmp_path / name), "-o", str(tmp_path / "m")]) == 0
    assert "20 rows without a label were left out" in capsys.readouterr().err
    assert bayleaf.load(tmp_path / "m").classes_.tolist() == ["1", "2"]
    assert main(["evaluate", str(tmp_path / "t.csv"), "--model", str(tmp_path / "m")]) == 0
    assert "never learned" not in capsys.readouterr().err
    bayleaf.GaussianNB().fit([[3.0], [4.0]], [1.0, 2.0]).save(tmp_path / "floats")
    assert main(["forget", str(tmp_path / "floats"), str(tmp_path / "t.csv"), "-o", str(tmp_path / "less")]) == 0


def test_a_label_that_looks_like_none_is_learned_and_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text("x,label\n" + "".join(f"{n % 7}.5,{('a', 'b', 'NA')[n % 3]}\n" for n in range(60)))
    assert main(["train", str(tmp_path / "t.csv"), "-o", str(tmp_path / "m")]) == 0
    assert "note: NA is learned as a label like others; empty the cell" in capsys.readouterr().err


def test_columns_that_only_a_later_file_has_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text("x,label\n" + "".join(f"{n % 7}.5,{'ab'[n % 2]}\n" for n in range(20)))
    (tmp_path / "b.csv").write_text("x,colour,label\n1,red,a\n")
    assert main(["train", *(str(tmp_path / name) for name in ("a.csv", "b.csv")), "-o", str(tmp_path / "m")]) == 0
    told = capsys.readouterr().err
    assert f"{tmp_path / 'b.csv'}: left out colour, which {tmp_path / 'a.csv'} does not have" in told
