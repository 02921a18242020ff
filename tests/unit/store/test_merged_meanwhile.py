"""Runs that another process merges away while they are being read."""

from __future__ import annotations

from pathlib import Path

from letters import letter, letters

from bayleaf.mail import Filter


def test_what_is_merged_away_while_sizes_are_read_takes_nothing(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db") as f:
        f.train_many(letters(5))
        f.compact()
        before = f.store.size()
        (tmp_path / "m.db-runs" / "gone").symlink_to("nothing")
        assert f.store.size() == before > 0


def test_a_check_looks_again_when_a_file_is_merged_away_meanwhile(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db") as learner, Filter.open(tmp_path / "m.db") as checker:
        learner.train_many(letters(20))
        learner.compact()
        learner.train(letter(100, "spam"), "spam")
        db = checker.store._database.db

        def merge(statement: str) -> None:
            if "FROM run WHERE id" in statement:  # the runs are listed, and none is open yet
                db.set_trace_callback(None)
                learner.compact()

        db.set_trace_callback(merge)
        assert checker.check()["mails"] == 41
