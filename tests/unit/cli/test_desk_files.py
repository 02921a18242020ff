"""Files that cannot be learned from are told by their name, and by the line and column where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest
from desk import refused


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
        f"bayleaf: {data}: Found no column to learn from: x (nothing in it); y (nothing in it). Give kinds (`columns`,"
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
