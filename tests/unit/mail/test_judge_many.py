"""Many mails judged at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from letters import letters

from bayleaf import BayleafError
from bayleaf.mail import Filter


def test_many_are_judged_as_each_would_be(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "mail.db") as own:
        own.train_many(letters(15))
        mails = [b"", b"\xff" * 99, "a text without headers", *(raw for raw, _ in letters(80, start=90))]
        alone = [(str(v), v.scores, v.notes) for v in map(own.judge, mails)]
        for threads in (0, 1, 2):
            many = list(own.judge_many(iter(mails), threads))
            assert [(str(v), v.scores, v.notes) for v in many] == alone
        assert many[-1].clues == own.judge(mails[-1]).clues
        assert list(own.judge_many([])) == []
        with pytest.raises(BayleafError, match="found -1 threads, expected 1 or more"):
            list(own.judge_many(mails, -1))
        with pytest.raises(BayleafError, match="found a mail of type int, expected bytes"):
            list(own.judge_many([b"", 7]))  # type: ignore[list-item]
