"""Whoever judges a model by the rows it learned is told so."""

from __future__ import annotations

from pathlib import Path

import pytest

from bayleaf.cli.main import main

OPTIONS = ["--label", "label"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for start, name in enumerate(("my data.csv", "data.csv", "more.csv")):
        rows = [f"{n}.5,{'ab'[n // 50]}" for n in range(start, 100, 3)]
        Path(name).write_text("\n".join(["x,label", *rows, ""]))
    run("train", "my data.csv", *OPTIONS, "-o", "m")


def run(*words: str) -> None:
    assert main([*words]) == 0


def told(model: str, data: str, capsys: pytest.CaptureFixture[str]) -> bool:
    """Whether a note says that the model may have learned these rows."""
    capsys.readouterr()
    run("evaluate", data, *OPTIONS, "--model", model)
    note = f"{model} was learned from a file called {data}. If it is this one, the figures are too good"
    return note in capsys.readouterr().err


def test_a_file_is_known_by_its_whole_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert told("m", "my data.csv", capsys)
    assert not told("m", "data.csv", capsys)


def test_what_was_learned_on_top_or_merged_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    run("train", "data.csv", *OPTIONS, "--onto", "m", "-o", "two")
    run("train", "more.csv", *OPTIONS, "-o", "more")
    run("merge", "two", "more", "-o", "three")
    run("merge", "three", "--minus", "more", "-o", "less")
    for name, known in (("my data.csv", True), ("data.csv", True), ("more.csv", False)):
        assert told("two", name, capsys) == told("less", name, capsys) == known
        assert told("three", name, capsys)


def test_what_was_forgotten_is_not_said_to_be_known(capsys: pytest.CaptureFixture[str]) -> None:
    run("train", "data.csv", *OPTIONS, "--onto", "m", "-o", "two")
    run("forget", "two", "data.csv", *OPTIONS)
    assert told("two", "my data.csv", capsys)
    assert not told("two", "data.csv", capsys)
