"""What root makes in the folder of a daemon can be read by the daemon."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from letters import letters

from bayleaf.mail import Filter

SOMEBODY = 12_345

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


def owners(folder: Path) -> set[int]:
    return {path.lstat().st_uid for path in folder.rglob("*")}


def test_a_store_and_its_backup_and_what_is_restored_belong_to_the_owner_of_their_folder(tmp_path: Path) -> None:
    folder = tmp_path / "daemon"
    folder.mkdir()
    os.chown(folder, SOMEBODY, SOMEBODY)
    with Filter.open(folder / "m.db") as learner:
        learner.train_many(letters(40))
        learner.compact()
        learner.backup(folder / "copy.db")
        learner.backup(tmp_path / "elsewhere.db")
    Filter.restore(folder / "copy.db", folder / "r.db").close()
    assert owners(folder) == {SOMEBODY}
    assert (tmp_path / "elsewhere.db").stat().st_uid == 0
    assert {path.name for path in folder.iterdir()} >= {"m.db", "m.db-runs", "copy.db", "r.db", "r.db-runs"}


def test_a_backup_that_is_written_again_keeps_its_owner(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with Filter.open(tmp_path / "m.db") as learner:
        learner.backup(copy)
        os.chown(copy, SOMEBODY, SOMEBODY)
        learner.backup(copy)
    assert copy.stat().st_uid == SOMEBODY


def test_where_root_may_give_nothing_away_it_keeps_what_it_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    os.chown(tmp_path, SOMEBODY, SOMEBODY)
    monkeypatch.setattr(os, "chown", refused)
    with Filter.open(tmp_path / "m.db") as learner:
        learner.train_many(letters(40))
        learner.compact()
        learner.backup(tmp_path / "copy.db")
        assert learner.check()["mails"] == 80
    assert owners(tmp_path) == {0}
