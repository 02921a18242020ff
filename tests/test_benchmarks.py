"""Benchmarks write tables, numbers and pictures; a peer that is missing is a row that says so, and no crash."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from benchmarks import corpora, families, text_speed
from benchmarks.bars import LOSS, WIN, Bar, bars
from benchmarks.report import Report
from benchmarks.rivals import Rival

from bayleaf.errors import DataError

RESULTS = Path(__file__).parents[1] / "benchmarks" / "results"


def never(*given: object) -> None:
    raise AssertionError("a peer that is not installed was run")


def test_a_report_is_a_table_numbers_and_a_picture(tmp_path: Path) -> None:
    report = Report("Two works")
    report.add("fit", "them", "1 s", "2 s", 2.0, 3, key="fit", runs=([1.0, 1.5, 1.2], [2.0]))
    report.add("ask", "them", "4 s", "1 s", 0.25, None)
    report.skip("fit", "the absent", "No module named 'absent'")
    report.write(tmp_path / "t.md")
    table = (tmp_path / "t.md").read_text(encoding="utf-8")
    assert "| 1 s (1–1.5, median 1.2) | 2 s | 2.0x | 3x **missed** |" in table
    assert "| fit | the absent |  | not run: No module named 'absent' |" in table
    assert "(t.svg)" in table
    found = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))
    assert found["figures"] == {"fit": 2.0, "ask-them": 0.25}
    assert found["runs"]["fit"] == {"ours": [1.0, 1.5, 1.2], "theirs": [2.0]}
    assert found["not_run"] == {"the absent": "No module named 'absent'"}
    assert {"date", "cpu", "python", "versions"} <= set(found)


def test_pictures_of_published_tables_are_there() -> None:
    missing = [
        f"{table.name}: {picture}"
        for table in sorted(RESULTS.glob("*.md"))
        for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", table.read_text(encoding="utf-8"))
        if not (RESULTS / picture).is_file()
    ]
    assert not missing


def test_losses_are_drawn_like_wins() -> None:
    drawing = bars("Both", [Bar("a", "better – x", 4.0), Bar("b", "worse – y", 0.25)])
    found = re.findall(r'<rect x="([\d.]+)" y="\d+" width="([\d.]+)".*fill="(#\w+)"', drawing)
    (start, wide, win), (left, also, loss) = found
    assert (win, loss) == (WIN, LOSS)
    assert wide == also
    assert float(left) + float(also) == pytest.approx(float(start), abs=0.2)  # both end at 1


def test_a_missing_peer_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    rival = Rival("Vowpal Wabbit", never, needs="no_such_module")
    monkeypatch.setattr(text_speed, "RIVALS", [rival])
    monkeypatch.setattr(text_speed, "news_full", lambda: SimpleNamespace(splits=[None]))
    monkeypatch.setattr(text_speed, "best", lambda fit: ([1.0], 1.0))
    report = Report("")
    text_speed.self_tuning(report)
    assert [row[1] for row in report.rows] == ["Vowpal Wabbit"]
    assert "not run: No module named 'no_such_module'" in report.rows[0][3]


def test_a_missing_corpus_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(corpora, "DATA", tmp_path)
    with pytest.raises(DataError, match=r"reuters_r8\.tar\.xz is not in .* BAYLEAF_CORPORA"):
        corpora.r8()


def test_what_the_table_of_families_says_of_river_is_so() -> None:
    """A class whose column never varied pays ln 1e-9 at the very value that it always had."""
    river = pytest.importorskip("river.naive_bayes", reason="make bench installs river").GaussianNB()
    for value in (0.0, 1.0, 2.0):
        river.learn_one({"pixel": 0.0}, "constant")
        river.learn_one({"pixel": value}, "varied")
    joint = river.joint_log_likelihood({"pixel": 0.0})
    assert joint["constant"] == pytest.approx(np.log(0.5) + np.log(1e-9))
    assert joint["varied"] > joint["constant"] + 18
    assert "the density 0, plus 1e-9" in " ".join((families.__doc__ or "").split())
