"""What the desk prints for people: nothing that a terminal would obey, and everything once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from desk import bayleaf, write_rows

from bayleaf.cli.main import main
from bayleaf.cli.screen import shade

ESCAPE = "\x1b[2J"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file and a model whose names, labels, columns and words hold an escape sequence."""
    folder = tmp_path_factory.mktemp("screen")
    text = write_rows(folder / "plain.csv").read_text()
    data = folder / f"own.csv{ESCAPE}"
    data.write_text(text.replace("billing", f"bill{ESCAPE}").replace("invoice", f"in{ESCAPE}voice \x9b"))
    done = bayleaf("train", str(data), "--label", "team", "-o", str(folder / f"model{ESCAPE}"))
    assert done.returncode == 0, done.stderr
    (folder / "told").write_text(done.stdout + done.stderr)
    return folder


def commands(desk: Path) -> list[list[str]]:
    model, data, other = (str(desk / f"{name}{ESCAPE}") for name in ("model", "own.csv", "other"))
    return [
        ["evaluate", data, "--label", "team"],
        ["explain", model, "--data", data, "--row", "5"],
        ["inspect", model],
        ["merge", model, model, "-o", other],
        ["forget", model, data, "--label", "team", "-o", other],
        ["predict", model, f"{data}.none"],
        ["inspect", data],
    ]


@pytest.mark.parametrize("place", range(7))
def test_names_and_words_cannot_steer_the_terminal(desk: Path, place: int, capsys: pytest.CaptureFixture[str]) -> None:
    main(commands(desk)[place])
    said = "".join(capsys.readouterr())
    assert said
    assert not [sign for sign in said if sign != "\n" and not sign.isprintable()]


def test_what_train_learned_cannot_steer_the_terminal(desk: Path) -> None:
    told = (desk / "told").read_text()
    assert "own.csv␛[2J: csv" in told
    assert "bill␛[2J: " in told
    assert not [sign for sign in told if sign != "\n" and not sign.isprintable()]


def test_json_has_the_names_as_they_are(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forget = commands(desk)[4]
    assert main([*forget, "--json"]) == 0
    receipt = json.loads(capsys.readouterr().out)
    assert (receipt["model"], list(receipt["labels"])) == (forget[-1], [f"bill{ESCAPE}", "delivery"])


def test_a_caution_of_evaluate_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(write_rows(tmp_path / "few.csv", times=1)), "--label", "team"]) == 0
    assert capsys.readouterr().out.count("Fewer than 10 rows") == 1


def test_a_key_that_comes_too_late_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, late = {"text": "x" * 100_000, "label": "a"}, {"text": "why", "label": "b", "late": "z"}
    data = tmp_path / "late.jsonl"
    data.write_text(f"{json.dumps(first)}\n" * 3 + json.dumps(late))
    assert main(["train", str(data), "--columns", "text=text", "-o", str(tmp_path / "model")]) == 0
    assert "passed over 'late': not in the first 256 KB of the file" in capsys.readouterr().err


def test_a_text_is_printed_in_the_spaces_and_lines_of_its_script() -> None:
    text = "東京\u3000駅\r\nl\xa0été\r\nمی\u200cخواهم\x1b"
    assert shade(text, [0.0] * len(text)) == "東京\u3000駅\nl\xa0été\nمی⟨U+200C⟩خواهم␛"


def test_what_says_nothing_is_not_among_the_strongest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        f"{age + i % 9},{i * 37 % 101 / 100:.2f},{label}" for i in range(99) for age, label in ((20, "a"), (60, "b"))
    ]
    (tmp_path / "rows.csv").write_text("\n".join(["age,noise,label", *rows]))
    assert main(["train", str(tmp_path / "rows.csv"), "-o", str(tmp_path / "model")]) == 0
    told = capsys.readouterr().out.split("strongest\n")[1]
    assert told.count("age: mean") == 2
    assert "noise" not in told
