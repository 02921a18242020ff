"""Files that cannot be learned from are told by their name, and by the line and column where there is one."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from desk import ROWS, bayleaf, refused, said, write_rows

from bayleaf import TextClassifier
from bayleaf.cli.main import main


@pytest.mark.parametrize(
    "cells",
    [["1", "2", "1e308", "3"], ["1", "2", "-1e200", "3"], ["2", "1", "1e200", "1"]],
    ids=["beyond all squares", "below zero", "labels apart"],
)
def test_a_number_too_large_to_be_squared_is_told_by_its_line(tmp_path: Path, cells: list[str]) -> None:
    """Not by the line at which the sums broke off, nor by the number of a row that no file has."""
    labels = ["a", "a", "b", "a"] if cells[0] == "2" else ["a", "b", "a", "b"]
    data = tmp_path / "own.csv"
    data.write_text("x,team\n" + "".join(f"{cell},{label}\n" for cell, label in zip(cells, labels, strict=True)))
    want = (
        f"bayleaf: {data}, line 4, column x: found '{cells[2]}', expected a number within 1e150 of zero, whose square "
    )
    told = refused("train", "-q", str(data), "--label", "team", "-o", str(tmp_path / "m"))
    assert told == want + "can be summed; empty the cell or give --columns x=category"
    assert refused("evaluate", "-q", str(data), "--label", "team") == told


def test_a_file_of_empty_cells_is_told_by_name(tmp_path: Path) -> None:
    data = tmp_path / "own.csv"
    data.write_text("x,y,team\n,,a\n,,b\n")
    want = (
        f"bayleaf: {data}: Found no column to learn from: x (nothing in it), y (nothing in it). Give kinds (`columns`,"
    )
    told = refused("train", "-q", str(data), "--label", "team", "-o", str(tmp_path / "m"))
    assert told == f"{want} in a shell --columns), of text, number, category, ignore"
    assert refused("evaluate", "-q", str(data), "--label", "team") == told


def test_a_file_of_nothing_but_labels_is_told_by_name(tmp_path: Path) -> None:
    data = tmp_path / "own.csv"
    data.write_text("team\na\nb\n")
    want = f"bayleaf: {data} has no column but 'team', that of the labels; expected at least one more to learn from"
    assert refused("train", "-q", str(data), "--label", "team", "-o", str(tmp_path / "m")).startswith(want)
    assert refused("evaluate", "-q", str(data), "--label", "team").startswith(want)


def test_long_names_and_cells_without_a_space_are_shown(tmp_path: Path) -> None:
    """Cut short, but not to nothing."""
    data = tmp_path / "own.csv"
    data.write_text(f"{'n' * 50},x,team\n" + "a b,1,a\nc d,2,b\n" * 20 + f"a b,{'z' * 70},a\n")
    told = refused("train", "-q", str(data), "-o", str(tmp_path / "m"))
    assert f"found {'n' * 34} [...], x, team. Name the column" in told
    told = refused("train", "-q", str(data), "--label", "team", "-o", str(tmp_path / "m"), "--columns", "x=number")
    assert f"line 42, column x: found '{'z' * 53} [...], expected a number" in told


def test_only_a_table_is_told_of_a_first_line_that_may_be_a_row(tmp_path: Path) -> None:
    data = tmp_path / "own.arff"
    data.write_text(f"@relation r\n@attribute {'n' * 50} numeric\n@attribute team {{a,b}}\n@data\n1,a\n2,b\n")
    told = refused("train", "-q", str(data), "-o", str(tmp_path / "m"))
    assert told.endswith("Name the column of the labels with --label")


def test_names_of_files_in_a_folder_are_not_learned(tmp_path: Path) -> None:
    """They begin with the label: every answer was right, and all of it was read off the names."""
    for label in ("x", "y"):
        (tmp_path / "own" / label).mkdir(parents=True)
        for n in range(8):
            (tmp_path / "own" / label / f"my old letter {n}.txt").write_text(f"word{n}")
    data, model = str(tmp_path / "own"), str(tmp_path / "m")
    done = bayleaf("train", data, "-o", model)
    assert [line.split() for line in done.stdout.splitlines()[1:3]] == [
        ["text", "text", "1.00", "the", "files"],
        ["path", "ignore", "it", "holds", "the", "label"],
    ]
    found = json.loads(bayleaf("evaluate", data, "--json").stdout)
    assert found["accuracy"]["value"] <= 0.5
    assert bayleaf("predict", model, "--lines", "-", stdin="word1\n").returncode == 0
    assert "path:x" in bayleaf("train", data, "-o", model, "--columns", "path=text").stdout, "unless it is asked for"
    told = bayleaf("train", data, "-o", model, "--label", "path")
    assert told.returncode == 0, told.stderr


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command prints."""
    assert main(words) == 0
    return capsys.readouterr().out


def test_a_folder_of_texts_is_labelled_file_by_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    TextClassifier().fit([text for text, *_ in ROWS], [team for *_, team in ROWS]).save(tmp_path / "t.bayleaf")
    printed(
        capsys, "train", str(write_rows(tmp_path / "rows.csv")), "--label", "team", "-o", str(tmp_path / "m.bayleaf")
    )
    asked = tmp_path / "asked"
    asked.mkdir()
    (asked / "1.txt").write_text("the courier left the parcel")
    (asked / "2.txt").write_text("I was charged the wrong amount")
    for model in ("t.bayleaf", "m.bayleaf"):  # of a table it is the one column of texts
        told = printed(capsys, "predict", str(tmp_path / model), str(asked))
        rows = list(csv.DictReader(io.StringIO(told)))
        assert [row["path"] for row in rows] == ["1.txt", "2.txt"]
        assert [row["predicted"] for row in rows] == ["delivery", "billing"]
        why = printed(capsys, "explain", str(tmp_path / model), "--data", str(asked), "--row", "2")
        assert why.endswith("=> billing\n")
    words = (
        f"bayleaf: {asked} has text files and no inner folders; expected one folder for each class, as spam/ and ham/"
    )
    assert said(capsys, "train", str(asked), "-o", str(tmp_path / "no"), "-q") == words
    assert said(capsys, "evaluate", str(asked), "-q") == words


def test_a_first_text_is_not_taken_for_a_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A model of plain texts takes a column of any name, so that the first text was gone without a word."""
    model, asked = tmp_path / "t.bayleaf", tmp_path / "asked.csv"
    TextClassifier().fit([text for text, *_ in ROWS], [team for *_, team in ROWS]).save(model)
    asked.write_text("where is my parcel\nthe wrong invoice\n")
    words = (
        f"bayleaf: {asked}: the first line, 'where is my parcel', is no name of a column that the model "
        "knows; expected text. If it is a text give {}, and if it is a name call the column text"
    )
    assert said(capsys, "predict", str(model), str(asked), "-q") == words.format("--lines")
    assert said(capsys, "explain", str(model), "--data", str(asked), "-q") == words.format("--no-header")
    for more in (["--lines"], ["--no-header"]):
        answers = printed(capsys, "predict", str(model), str(asked), "-q", "--json", *more).splitlines()
        assert [json.loads(answer)["predicted"] for answer in answers] == ["delivery", "billing"]
    asked.write_text("text\nwhere is my parcel\n")
    assert len(printed(capsys, "predict", str(model), str(asked), "-q", "--json").splitlines()) == 1


def test_a_model_of_texts_says_when_its_numbers_were_derived(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are those of the texts; what stands in for other columns had been said to be aged, derived at 0 rows."""
    data, model = tmp_path / "rows.csv", str(tmp_path / "m")
    data.write_text("message,team\n" + "".join(f'"{text}",{team}\n' for text, *_, team in ROWS))
    for words, told in (([], (8, False)), (["--onto", model], (16, False)), (["--onto", model], (16, True))):
        printed(capsys, "train", str(data), "--label", "team", *words, "-o", model, "-q")
        about = json.loads(printed(capsys, "inspect", model, "--json"))["about"]
        assert (about["derived_at"], about["aged"]) == told


def test_learning_on_top_tells_what_came_and_whose_figures_these_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more, old, new = tmp_path / "more.csv", str(tmp_path / "old"), str(tmp_path / "new")
    printed(capsys, "train", str(write_rows(tmp_path / "rows.csv")), "--label", "team", "-o", old)
    more.write_text("message,channel,waited,team\nlate parcel,web,7,delivery\nno login,web,7,technical\n")
    words = ["train", str(more), "--label", "team", "--onto", old, "-o", new]
    shown = " ".join(printed(capsys, *words).split())
    assert "learned 2 rows: 1 of delivery, 1 of technical holds 42 rows: 20 of billing, 21 of delivery, 1 of" in shown
    assert f"on40rows,of{old}asitwas:measuredagain" in shown.replace(" ", "")  # a long path takes two lines
    facts = json.loads(printed(capsys, *words, "--json"))
    assert facts["labels"] == {"delivery": 1, "technical": 1}
    assert facts["held"] == {"billing": 20, "delivery": 21, "technical": 1}
    assert (facts["aged"], facts["onto"]) == (True, old)
    words[1] = str(tmp_path / "rows.csv")  # twice the rows
    shown = " ".join(printed(capsys, *words).split())
    assert "as it was" not in shown
    assert "holds 80 rows: 40 of billing, 40 of delivery leave-one-out" in shown
    facts = json.loads(printed(capsys, *words, "--json"))
    assert (facts["aged"], facts["onto"]) == (False, old)


def test_quiet_leaves_the_receipt_and_says_what_it_leaves_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A receipt is all there is of rows that are gone; what was trained or merged is in the file."""
    data, model = str(write_rows(tmp_path / "rows.csv")), str(tmp_path / "m")
    assert printed(capsys, "train", data, "--label", "team", "-o", model, "-q") == ""
    assert printed(capsys, "merge", model, model, "-o", str(tmp_path / "twice"), "-q") == ""
    assert main(["forget", str(tmp_path / "twice"), data, "--label", "team", "-q"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("forgot  40 rows: 20 billing, 20 delivery\nbefore  ")
    assert not told.err
