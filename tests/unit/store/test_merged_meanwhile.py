"""Runs that are merged while they are being read, and merges that fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf.errors import StoreError
from bayleaf.mail import Filter
from bayleaf.store import Store, database


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


def test_nothing_is_merged_away_while_a_backup_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Filter.open(tmp_path / "m.db") as learner, Filter.open(tmp_path / "m.db") as f:
        learner.train_many(letters(20))
        learner.compact()
        learner.train(letter(100, "spam"), "spam")
        monkeypatch.setattr(database, "WAIT", 0)  # it need not wait for its turn here
        db, refused = f.store._database.db, list[StoreError]()

        def merge(statement: str) -> None:
            if "SELECT id, entries, file FROM run" in statement:  # their files are copied next
                db.set_trace_callback(None)
                try:
                    learner.compact()
                except StoreError as error:
                    refused.append(error)

        db.set_trace_callback(merge)
        f.backup(tmp_path / "copy.db")
        assert len(refused) == 1
        assert str(refused[0]).endswith("another process keeps it: let that one finish or end it, and try again")
    with Filter.open(tmp_path / "copy.db") as copy:
        assert copy.check()["mails"] == 41


def test_a_merge_that_fails_is_tried_again_and_the_mail_is_learned(tmp_path: Path) -> None:
    store = Store(tmp_path / "m.db")

    def learn(n: int) -> None:
        keys = b"".join((n << 32 | key).to_bytes(8, "little") for key in range(7000))
        with store.change(day=9000) as change:
            assert change.learn(bytes([n]), 0, keys)

    (tmp_path / "m.db-runs").touch()  # no folder can be made there
    for n in range(9):
        learn(n)
    assert store.check() == {"mails": 9, "keys": 63_000, "runs": 9}
    (tmp_path / "m.db-runs").unlink()
    learn(9)
    assert store.check() == {"mails": 10, "keys": 70_000, "runs": 1}
    store.close()
