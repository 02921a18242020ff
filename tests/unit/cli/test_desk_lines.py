"""Lines of text to label: packed or not, in whichever encoding; and the words of a command in any order."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from desk import bayleaf, said, write_rows

from bayleaf import RecordClassifier, TextClassifier
from bayleaf.cli.main import main

LINE = "späte parcel\n"


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = str(tmp_path / "t.bayleaf")
    TextClassifier().fit(["späte parcel", "wrong invoice"] * 3, ["delivery", "billing"] * 3).save(path)
    return path


@pytest.mark.parametrize(
    ("raw", "options", "told"),
    [
        (LINE.encode(), [], ""),
        (LINE.encode("utf-16"), [], "encoding UTF-16"),
        (LINE.encode("cp1252"), [], "encoding windows-1252"),
        (LINE.encode("cp1252"), ["-q"], ""),
        (LINE.encode("cp437"), ["--encoding", "cp437"], ""),
        (gzip.compress(LINE.encode()), [], ""),
    ],
    ids=["UTF-8", "UTF-16", "windows-1252", "quiet", "given", "packed"],
)
def test_lines_are_decoded_as_any_file(
    raw: bytes, options: list[str], told: str, model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lines").write_bytes(raw)
    assert main(["predict", model, "--lines", str(tmp_path / "lines"), *options]) == 0
    done = capsys.readouterr()
    assert done.out.startswith("späte parcel,delivery,")
    assert (told in done.err) if told else not done.err


def test_lines_that_cannot_be_read(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cut").write_bytes(gzip.compress(LINE.encode() * 99)[:-9])
    assert "broken gzip data" in said(capsys, "predict", model, "--lines", str(tmp_path / "cut"))
    assert "found nothing there" in said(capsys, "predict", model, "--lines", str(tmp_path / "none"))
    (tmp_path / "cut").write_text(LINE)
    assert "'nope' is not known" in said(capsys, "predict", model, "--lines", "--encoding", "nope", f"{tmp_path}/cut")


def test_a_text_may_come_after_an_option(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", model, "späte parcel", "--json"]) == 0
    expected = json.loads(capsys.readouterr().out)
    assert main(["explain", model, "--json", "späte parcel"]) == 0
    assert json.loads(capsys.readouterr().out) == expected


def test_columns_of_an_explanation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = str(tmp_path / "m.bayleaf")
    main(["train", str(write_rows(tmp_path / "rows.csv")), "--label", "team", "-o", model, "-q"])
    assert main(["explain", model, "channel=phone", "-q", "message=parcel"]) == 0
    assert "channel = phone" in capsys.readouterr().out
    assert "no column 'mesage'" in said(capsys, "explain", model, "mesage=where is my parcel")
    assert "found 2 values for message" in said(capsys, "explain", model, "message=a", "message=b")
    assert main(["explain", model, "parcel = late"]) == 0  # a text all the same


def test_made_up_rows_keep_a_column_called_label(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "m.bayleaf")
    columns = {"label": ["red", "blue"] * 4, "size": [1.5, 20.0] * 4}
    RecordClassifier(columns={"label": "category", "size": "number"}).fit(columns, ["a", "b"] * 4).save(path)
    assert main(["sample", path, "-n", "3"]) == 0
    head, *rows = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    assert head == ["label", "size", "label_2"]
    assert {row[0] for row in rows} <= {"red", "blue"}
    assert {row[2] for row in rows} <= {"a", "b"}


def test_a_text_on_standard_input_is_explained(model: str) -> None:
    """As it is by every other command; the text was taken to be a dash."""
    done = bayleaf("explain", model, "-", "--json", stdin="späte parcel\n".encode("cp1252"))
    assert {clue["name"] for clue in json.loads(done.stdout)["clues"]} >= {"späte", "parcel"}
    assert bayleaf("explain", model, "-", stdin="a=b parcel\n").stdout.startswith("a=b parcel\n\n")


def test_a_dash_is_standard_output_and_no_name_of_a_file(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lines").write_text(LINE)
    assert main(["predict", model, "--lines", "lines", "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("späte parcel,delivery,")
    data = str(write_rows(tmp_path / "d.csv"))
    for words in (
        ["train", data, "--label", "team", "-o", "-"],
        ["evaluate", data, "--label", "team", "--report", "-"],
    ):
        assert "expected the name of a file" in said(capsys, *words)
    assert not (tmp_path / "-").exists()


def test_a_text_where_a_file_was_expected(model: str) -> None:
    for text, *lines in (["my parcel"], ["parcel", "--lines"], ["my parcel " * 500]):
        done = bayleaf("predict", model, text, *lines)
        assert (done.returncode, done.stdout) == (1, "")
        assert "found nothing there, expected a file; a text is given on standard input: echo " in done.stderr
    done = bayleaf("explain", model, "my", "parcel")
    assert (done.returncode, "found 2 words, expected one text" in done.stderr) == (1, True), done.stderr


def test_lines_of_a_pipe_leave_no_note(model: str) -> None:
    done = bayleaf("predict", model, "/dev/null", "--lines")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_standard_input_is_read_once(tmp_path: Path) -> None:
    done = bayleaf("train", "-", "-", "-o", str(tmp_path / "m.bayleaf"), stdin="text,label\na,b\n")
    assert (done.returncode, "found - several times, expected it once" in done.stderr) == (1, True), done.stderr
