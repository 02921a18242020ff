"""Slips of newcomers at the desk: each is told with what was found, what was expected and what to type."""

from __future__ import annotations

import csv
import io
import os
import random
import sys
from pathlib import Path

import pytest
from desk import bayleaf, refused, said

from bayleaf import TextClassifier
from bayleaf.cli.main import main

ROWS = 60


def write(path: Path, bad: int | None = None) -> Path:
    """A German export: semicolons, decimal commas, a number for each row, some rows without a label."""
    numbers = random.Random(1)
    lines = ["Id;Alter;Einkommen;Ort;Klasse"]
    for n in range(1, ROWS + 1):
        rich = n % 2
        income = f"{3000 * rich + 500 + numbers.random() * 999:.2f}".replace(".", ",")
        age = "fuenfzig" if n == bad else str(numbers.randint(20, 70))
        lines.append(
            f"{n};{age};{income};{numbers.choice(['Aachen', 'Bonn'])};{('nein', 'ja')[rich] if n % 20 else ''}"
        )
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("slips")
    write(folder / "own.csv")
    done = bayleaf("train", str(folder / "own.csv"), "--label", "Klasse", "-o", str(folder / "m.bayleaf"))
    assert done.returncode == 0, done.stderr
    (folder / "told").write_text(done.stdout)
    return folder


def test_decimal_commas_are_numbers_and_ids_are_none(desk: Path) -> None:
    table = {
        line.split()[0]: " ".join(line.split()[1:]) for line in (desk / "told").read_text().splitlines()[:6] if line
    }
    assert table["Einkommen"].startswith("number")
    assert table["Einkommen"].endswith("decimal comma")
    assert table["Id"] == "ignore another value in every row"  # though three rows have no label
    done = bayleaf("predict", str(desk / "m.bayleaf"), str(desk / "own.csv"), "-q")
    answers = list(csv.DictReader(io.StringIO(done.stdout)))
    assert answers[0]["Einkommen"].count(",") == 1  # the cells are written as they came
    assert all(row["predicted"] == row["Klasse"] for row in answers if row["Klasse"])


def test_a_column_that_is_not_there_cannot_be_ignored(desk: Path) -> None:
    for command in (["train", "-o", str(desk / "no.bayleaf")], ["evaluate"]):
        told = refused(*command, str(desk / "own.csv"), "--label", "Klasse", "--columns", "Idd=ignore", "-q")
        assert told.endswith("--columns 'Idd' is not there; found Id, Alter, Einkommen, Ort. Name one of these")
    assert not (desk / "no.bayleaf").exists()


def test_other_kinds_on_top_of_a_model_are_refused(desk: Path) -> None:
    words = ["--label", "Klasse", "--onto", str(desk / "m.bayleaf"), "-o", str(desk / "no.bayleaf"), "-q"]
    told = refused("train", str(desk / "own.csv"), *words, "--columns", "Ort=ignore")
    assert "--columns Ort=ignore is not what" in told
    assert "category" in told


def test_a_bad_cell_is_told_by_line(desk: Path) -> None:
    bad = write(desk / "bad.csv", bad=41)  # behind two rows without a label
    found = f"bayleaf: {bad}, line 42, column Alter: found 'fuenfzig', expected a number; empty the cell"
    kinds = f"{found} or give --columns Alter=category"
    assert refused("train", str(bad), "--label", "Klasse", "-o", str(desk / "no.bayleaf"), "-q") == kinds
    assert refused("evaluate", str(bad), "--label", "Klasse", "-q") == kinds
    assert refused("predict", str(desk / "m.bayleaf"), str(bad), "-q", "-o", str(desk / "no.csv")) == found
    assert refused("evaluate", str(bad), "--label", "Klasse", "--model", str(desk / "m.bayleaf"), "-q") == found
    assert refused("forget", str(desk / "m.bayleaf"), str(bad), "--label", "Klasse", "-q") == found
    assert refused("explain", str(desk / "m.bayleaf"), "--data", str(bad), "--row", "41", "-q") == found


def test_remedies_are_those_of_a_shell(desk: Path) -> None:
    raw = desk / "raw.csv"
    raw.write_bytes("Ort;Klasse\nKöln;ja\n".encode("latin-1"))
    words = ["--label", "Klasse", "-o", str(desk / "no.bayleaf"), "-q"]
    assert "--encoding cp1252" in refused("train", str(raw), "--encoding", "utf-8", *words)
    assert "bayleaf train" in refused("inspect", str(raw))
    other = bayleaf("train", str(desk / "own.csv"), "--columns", "Alter=category", *words[:3], str(desk / "o.bayleaf"))
    assert other.returncode == 0
    pair = [str(desk / "m.bayleaf"), str(desk / "o.bayleaf")]
    assert "--columns" in refused("merge", *pair, "-o", str(desk / "no.bayleaf"))


def test_a_column_of_numbers_as_label(desk: Path) -> None:
    done = bayleaf("train", str(desk / "own.csv"), "--label", "Einkommen", "-o", str(desk / "odd.bayleaf"))
    assert "note: every label has one row; is Einkommen a label?" in done.stderr
    assert "and 50 more labels" in done.stdout
    assert "every label has one row" in done.stdout
    assert "same label" not in done.stdout
    assert len(done.stdout.splitlines()) < 15


def test_one_label_is_told(desk: Path) -> None:
    (desk / "one.csv").write_text("Alter;Klasse\n" + "".join(f"{n * n};ja\n" for n in range(20)))
    done = bayleaf("train", str(desk / "one.csv"), "--label", "Klasse", "-o", str(desk / "odd.bayleaf"))
    assert "note: every row has the same label" in done.stderr
    assert "strongest" not in done.stdout


def test_labels_that_look_alike_are_told(desk: Path) -> None:
    labels = ["été", "e\u0301te\u0301", "hiver"]
    rows = "".join(f"{n * n};{labels[n % 3]}\n" for n in range(30))
    (desk / "alike.csv").write_text("Alter;Klasse\n" + rows, "utf-8")
    done = bayleaf("train", str(desk / "alike.csv"), "--label", "Klasse", "-o", str(desk / "odd.bayleaf"))
    assert "note: 2 labels look like été" in done.stderr


def test_a_table_without_a_learned_column(desk: Path) -> None:
    less = desk / "less.csv"
    less.write_text("Alter;Ort\n50;Bonn\n")
    model = str(desk / "m.bayleaf")
    for words in (["predict", model, str(less)], ["explain", model, "--data", str(less)]):
        told = refused(*words, "-q")
        assert "the model needs Einkommen; found Alter, Ort" in told
        assert "empty cells" in told
    blank = desk / "blank.csv"
    blank.write_text("Alter;Ort;Einkommen\n50;Bonn;\n")
    asked = [
        bayleaf("explain", model, *words, "-q").stdout for words in (["--data", str(blank)], ["Alter=50", "Ort=Bonn"])
    ]
    assert asked[0] == asked[1] != ""


def test_explain_with_a_name_that_is_not_there(desk: Path) -> None:
    told = refused("explain", str(desk / "m.bayleaf"), "alter=50")
    assert told == "bayleaf: the model has no column 'alter'; found Id, Alter, Einkommen, Ort"
    assert "Give NAME=VALUE" in refused("explain", str(desk / "m.bayleaf"), "hello")
    assert "Give NAME=VALUE" in refused("explain", str(desk / "m.bayleaf"), "Ort")
    assert "found 2 words" in refused("explain", str(desk / "m.bayleaf"), "Alter", "Ort")
    told = refused("explain", str(desk / "m.bayleaf"), "Alter=50", "Ort")
    assert told == "bayleaf: found 'Ort' without a value, expected Ort=VALUE"


def test_a_text_may_hold_an_equals_sign(desk: Path) -> None:
    texts = desk / "texts.csv"
    texts.write_text("note,label\n" + "good day to you all,a\nx=5 is what we say,b\n" * 5)
    model = str(desk / "t.bayleaf")
    assert bayleaf("train", str(texts), "-o", model, "--columns", "note=text").returncode == 0
    assert bayleaf("explain", model, "x=5").returncode == 0
    assert "no column 'Note'" in refused("explain", model, "Note=hello")


def test_the_name_of_a_file_is_no_text_to_explain(desk: Path) -> None:
    texts, model = desk / "letters.csv", str(desk / "letters.bayleaf")
    texts.write_text("note,label\n" + "good day to you all,a\nsee you at noon,b\n" * 5)
    assert bayleaf("train", str(texts), "-o", model, "--columns", "note=text").returncode == 0
    told = bayleaf("explain", model, str(texts)).stderr
    assert f"{texts} is a file" in told
    assert "give --data" in told
    assert bayleaf("explain", model, "see you " * 99).stderr == ""  # longer than a name can be


@pytest.mark.parametrize("command", ["train", "merge", "predict", "forget"])
def test_a_folder_that_is_not_there_is_told_before_the_work(command: str, desk: Path) -> None:
    model, data, nowhere = (str(desk / name) for name in ("m.bayleaf", "none.csv", "nowhere/x"))
    words = {"train": [data], "merge": [data, data], "predict": [model, data], "forget": [model, data]}[command]
    told = refused(command, *words, "-o", nowhere)  # the data is not there either, and was not looked at
    assert (
        told
        == f"bayleaf: {nowhere} cannot be written: there is no folder {desk / 'nowhere'}; make it or choose another"
    )


@pytest.mark.parametrize("command", ["train", "predict", "answers", "evaluate", "sample", "forget"])
def test_what_is_read_is_not_written_over(command: str, desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, data = str(desk / "m.bayleaf"), str(desk / "own.csv")
    words, lost = {
        "train": (["train", data, "-o", data], data),
        "predict": (["predict", model, data, "-o", model], model),
        "answers": (["predict", model, data, "-o", data], data),
        "evaluate": (["evaluate", data, "--report", data], data),
        "sample": (["sample", model, "-o", model], model),
        "forget": (["forget", model, data, "-o", data], data),
    }[command]
    before = Path(lost).read_bytes()
    assert said(capsys, *words, "-q") == (
        f"bayleaf: {lost} cannot be written: it is read by this command; choose another name"
    )
    assert Path(lost).read_bytes() == before


def test_a_pipe_stays_a_pipe(desk: Path, tmp_path: Path) -> None:
    from threading import Thread

    os.mkfifo(tmp_path / "fifo")
    told: list[bytes] = []
    reader = Thread(target=lambda: told.append((tmp_path / "fifo").read_bytes()), daemon=True)
    reader.start()
    assert main(["merge", str(desk / "m.bayleaf"), "-o", str(tmp_path / "fifo"), "-q"]) == 0
    reader.join(30)
    (tmp_path / "copy").write_bytes(told[0])
    assert main(["inspect", str(tmp_path / "copy")]) == 0
    assert (tmp_path / "fifo").is_fifo()


def test_a_page_and_pictures_are_refused_before_the_rows_are_judged(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, nowhere = str(desk / "none.csv"), desk / "nowhere" / "r.html"
    assert f"{nowhere} cannot be written: there is no folder" in said(
        capsys, "evaluate", data, "--report", str(nowhere)
    )
    assert "it is no folder" in said(capsys, "evaluate", data, "--plot", str(desk / "own.csv"))


def test_no_folds_are_refused(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, model = str(desk / "own.csv"), str(desk / "m.bayleaf")
    told = said(capsys, "evaluate", data, "--label", "Klasse", "--folds", "0", "-q")
    assert f"{data}: Found folds=0, expected a whole number from 2 up to" in told
    assert "--model judges other rows" in said(capsys, "evaluate", data, "--model", model, "--folds", "0")


def test_merge_in_json_is_not_silenced(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["merge", str(desk / "m.bayleaf"), "-o", str(desk / "one.bayleaf"), "--json", "-q"]) == 0
    assert '"hash"' in capsys.readouterr().out


def test_a_decimal_comma_in_a_command_is_told(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "explain", str(desk / "m.bayleaf"), "Alter=12,5", "Ort=Bonn")
    assert told.endswith("column Alter: found '12,5', expected a number; write it with a point")


def test_columns_called_as_the_answers_stay_and_no_rows_are_a_header(
    desk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, asked = str(desk / "m.bayleaf"), tmp_path / "asked.csv"
    asked.write_text("Id,probability,Alter,predicted,Einkommen,Ort\n1,0.1,30,nein,3900,Bonn\n")
    assert main(["predict", model, str(asked)]) == 0
    told = capsys.readouterr()
    head, row = told.out.splitlines()
    assert head == "Id,probability,Alter,predicted,Einkommen,Ort,predicted_2,probability_2"
    assert row.startswith("1,0.1,30,nein,3900,Bonn,ja,")
    assert told.err.splitlines()[1] == (
        f"bayleaf: note: {asked} has predicted and probability already, which stay as they are; the answers are in "
        "predicted_2 and probability_2"
    )
    asked.write_text("Id,Alter,Einkommen,Ort,predicted\n")
    assert main(["predict", model, str(asked), "-q"]) == 0
    told = capsys.readouterr()
    assert told.out == "Id,Alter,Einkommen,Ort,predicted,predicted_2,probability\n"
    assert not told.err
    asked.write_text("Id,Alter,Einkommen,Ort\n")
    assert main(["predict", model, str(asked), "-q"]) == 0
    assert capsys.readouterr().out == "Id,Alter,Einkommen,Ort,predicted,probability\n"
    asked.write_text("Id,Alter,Ort\n")
    assert "the model needs Einkommen" in said(capsys, "predict", model, str(asked), "-q")


def test_what_is_no_text_is_read_and_written_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, out = str(tmp_path / "t.bayleaf"), tmp_path / "out.csv"
    TextClassifier().fit(["caf hello", "parcel lost"] * 3, ["a", "b"] * 3).save(model)
    raw = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfcaf\xe9 hello\n"), "utf-8", "strict")
    monkeypatch.setattr(sys, "stdin", raw)
    assert main(["predict", model, "--lines", "-", "-o", str(out)]) == 0
    assert out.read_text("utf-8").startswith("caf\ufffd hello,a,")
    asked = tmp_path / "asked.jsonl"
    asked.write_text('{"text": "parcel \\ud800"}\n')
    assert main(["predict", model, str(asked), "-q", "-o", str(out)]) == 0
    assert out.read_text("utf-8").splitlines()[1].startswith("parcel ?,b,")
    strict = io.TextIOWrapper(io.BytesIO(), "utf-8", "strict")
    monkeypatch.setattr(sys, "stdout", strict)
    assert main(["predict", model, str(asked), "-q"]) == 0
    assert b"parcel ?,b," in strict.buffer.getvalue()


@pytest.mark.parametrize("command", ["predict", "forget"])
def test_model_and_data_in_the_wrong_order(command: str, desk: Path) -> None:
    told = refused(command, str(desk / "own.csv"), str(desk / "m.bayleaf"))
    assert "own.csv is not a model file" in told
    assert "the model comes first" in told


@pytest.mark.parametrize("option", ["--report", "--plot"])
def test_pictures_without_matplotlib(
    option: str, desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["evaluate", str(desk / "own.csv"), "--label", "Klasse", option, str(desk / "r")]) == 1
    told = f"bayleaf: {option} needs matplotlib, which is not installed; pip install 'bayleaf[plot]'\n"
    assert capsys.readouterr().err == told


def test_a_page_that_a_full_disk_does_not_take_is_named(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(desk / "own.csv"), "--label", "Klasse", "--report", "/dev/full", "-q"]) == 1
    assert capsys.readouterr().err == "bayleaf: /dev/full cannot be written: No space left on device\n"
