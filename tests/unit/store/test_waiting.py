"""Waiting for a store that another process keeps."""

from __future__ import annotations

import signal
import sqlite3
from pathlib import Path
from types import FrameType

import pytest
from letters import letter

from bayleaf.mail import Filter


def test_whoever_waits_for_another_writer_can_be_told_to_stop(tmp_path: Path) -> None:
    """SQLite would wait for two minutes, in which Python hears nothing."""

    def hear(number: int, _: FrameType | None) -> None:
        raise KeyboardInterrupt(number)

    before = signal.signal(signal.SIGALRM, hear)
    with Filter.open(tmp_path / "m.db") as f:
        keeper = sqlite3.connect(tmp_path / "m.db", isolation_level=None)
        keeper.execute("BEGIN IMMEDIATE")
        with pytest.raises(KeyboardInterrupt):
            wait(f)
        signal.signal(signal.SIGALRM, before)
        keeper.close()
        assert f.train(letter(1, "spam"), "spam") == "learned"


def wait(f: Filter) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    with f.store._database.write():
        pass
