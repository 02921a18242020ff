"""An option that takes several values may also be given several times: no value is dropped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from desk import bayleaf
from letters import letter

from bayleaf.cli.main import main


@pytest.mark.parametrize("command", ["learn", "evaluate"])
def test_mails_of_every_folder_that_is_named(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BAYLEAF_STORE", str(tmp_path / "m.db"))
    words = []
    for n, label in enumerate(["spam", "spam", "ham", "ham"]):
        (tmp_path / f"{n}.eml").write_bytes(letter(n, label))
        words += [f"--{label}", str(tmp_path / f"{n}.eml")]
    assert main(["mail", command, *words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["learned"] if command == "learn" else told["all"]["mails"]) == 4


def test_models_and_columns(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("a,b,size,label\n" + "x,1,10,yes\ny,2,20,no\nx,3,12,yes\ny,4,22,no\n" * 2)
    model, twice = str(tmp_path / "one.bayleaf"), str(tmp_path / "two.bayleaf")
    done = bayleaf("train", str(rows), "--columns", "a=ignore", "--columns", "b=category", "-o", model, "--json")
    assert json.loads(done.stdout)["columns"] == {"a": "ignore", "b": "category", "size": "number"}
    done = bayleaf("merge", model, model, "--minus", model, "--minus", model, "-o", twice, "--json")
    assert json.loads(done.stdout)["from"] == [model, model, f"-{model}", f"-{model}"]
