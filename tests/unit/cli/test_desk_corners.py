"""Corners of the desk commands: models that know no word or no doubt, odd numbers, no standard output."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest
from desk import write_rows

from bayleaf import TextClassifier
from bayleaf.cli.main import main

TEXTS, LABELS = ["win money now", "cheap money offer", "lunch at noon?", "see you at lunch"], ["a", "a", "b", "b"]


def refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def test_an_impossible_label_is_null_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    TextClassifier(family="multinomial", alpha=0.0).fit(TEXTS, LABELS).save(tmp_path / "model")
    assert main(["explain", str(tmp_path / "model"), "money", "--json"]) == 0
    why = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert why["posterior"] == {"a": 1.0, "b": 0.0}
    assert why["joint"]["b"] is why["clues"][0]["summands"]["b"] is None
    assert why["joint"]["a"] < 0


@pytest.mark.parametrize("settings", [{"keep_text": False}, {"buckets": 64}])
def test_a_report_of_a_model_without_words(tmp_path: Path, settings: dict[str, int]) -> None:
    pytest.importorskip("matplotlib")
    TextClassifier(**settings).fit(TEXTS, LABELS).save(tmp_path / "model")
    (tmp_path / "new.csv").write_text("text,label\nmoney offer,a\nlunch money,b\n")
    words = ["evaluate", str(tmp_path / "new.csv"), "--model", str(tmp_path / "model"), "--json"]
    assert main([*words, "--report", str(tmp_path / "page.html")]) == 0
    assert "Strongest evidence" not in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    "words", [["train", "d", "-o", "m", "--show"], ["sample", "m", "--seed"], ["evaluate", "d", "--seed"]]
)
@pytest.mark.parametrize("number", ["-1", "4294967296", "1.5", "²", "9" * 5000])
def test_numbers_that_are_no_numbers_of_things(
    words: list[str], number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*words, number])
    assert stop.value.code == 2
    assert f"found '{number[:40]}', expected a whole number from 0 to 4294967295" in capsys.readouterr().err


def test_no_standard_output(tmp_path: Path) -> None:
    data, model = str(write_rows(tmp_path / "own.csv")), str(tmp_path / "model")
    assert main(["train", data, "--label", "team", "-o", model, "-q"]) == 0
    for words in (["predict", model, data, "-q"], ["sample", model]):
        done = subprocess.run(
            ["bash", "-c", '"$@" >&-', "bash", sys.executable, "-m", "bayleaf", *words],
            capture_output=True,
            check=False,
        )
        said = b"bayleaf: standard output is closed; expected it open, or a file to write: -o PATH\n"
        assert (done.returncode, done.stderr) == (1, said)


def test_a_tab_as_it_is_typed_in_a_shell(tmp_path: Path) -> None:
    (tmp_path / "own").write_text("a;b\tlabel\n1;2\tx\n3;1\ty\n")
    words = ["train", str(tmp_path / "own"), "-o", str(tmp_path / "model"), "-q"]
    assert main([*words, "--delimiter", r"\t", "--columns", "a;b=category"]) == 0


def test_lines_that_end_in_a_letter_of_windows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    TextClassifier().fit(TEXTS, LABELS).save(tmp_path / "model")
    (tmp_path / "lines").write_bytes("money café".encode("cp1252"))
    assert main(["predict", str(tmp_path / "model"), str(tmp_path / "lines"), "--lines", "-q"]) == 0
    assert capsys.readouterr().out.startswith("money café,a,")


@pytest.mark.parametrize("name", ["Subject:", ""])
def test_fields_by_their_own_names(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    TextClassifier().fit({name: TEXTS, "body": ["x"] * 4}, LABELS).save(tmp_path / "model")
    (tmp_path / "new.jsonl").write_text(json.dumps({name: "money", "body": "x"}))
    assert main(["predict", str(tmp_path / "model"), str(tmp_path / "new.jsonl"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["predicted"] == "a"


def test_fields_are_explained_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    TextClassifier().fit({"subject": TEXTS, "body": ["x"] * 4}, LABELS).save(tmp_path / "model")
    assert main(["explain", str(tmp_path / "model"), "subject=cheap lunch", "--json"]) == 0
    names = {clue["name"] for clue in json.loads(capsys.readouterr().out)["clues"]}
    assert names == {"subject:cheap", "subject:lunch"}
    assert main(["explain", str(tmp_path / "model"), "cheap lunch"]) == 1
    assert "found the fields body, subject. Give NAME=VALUE" in capsys.readouterr().err
