"""Backups: one file that is a store, written nowhere where it would harm one."""

from __future__ import annotations

from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf import StoreError
from bayleaf.mail import Filter
from bayleaf.store import Store


def test_a_backup_is_a_store_and_can_be_restored(tmp_path: Path) -> None:
    f = Filter.open(tmp_path / "m.db")
    f.train_many(letters(12))
    f.backup(tmp_path / "copy.db")
    f.train(letter(90, "spam"), "spam")
    with Filter.restore(tmp_path / "copy.db", tmp_path / "new.db") as restored:
        assert restored.check()["mails"] == 24
        assert restored.judge(letter(70, "ham")).best == "ham"
        assert restored.untrain(letter(3, "spam")) == "spam"
    with pytest.raises(StoreError, match="exists"):
        Filter.restore(tmp_path / "copy.db", tmp_path / "m.db")


def test_a_backup_does_not_take_the_place_of_a_store(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db") as one, Filter.open(tmp_path / "other.db") as other:
        one.train(b"Subject: a\n\nb", "spam")
        (tmp_path / "link.db").symlink_to(tmp_path / "m.db")
        for target in (tmp_path / "m.db", tmp_path / "link.db", tmp_path / "other.db"):
            with pytest.raises(StoreError, match="found a store in use there"):
                one.backup(target)
        one.train(b"Subject: c\n\nd", "spam")
        assert one.check()["mails"] == 2
        assert other.check()["mails"] == 0


@pytest.mark.parametrize("end", ["-wal", "-shm", "-runs", "-history"])
def test_a_backup_is_not_written_over_a_file_of_the_store(tmp_path: Path, end: str) -> None:
    with Filter.open(tmp_path / "m.db") as f:
        f.train_many(letters(5))
        (tmp_path / "link").symlink_to(tmp_path)
        for target in (tmp_path / f"m.db{end}", tmp_path / "link" / f"m.db{end}"):
            with pytest.raises(StoreError, match=r"expected neither|found a folder"):
                f.backup(target)
        assert f.check()["mails"] == 10


class Busy(Store):
    """A store whose copy takes so long that somebody makes another in its place meanwhile."""

    def check(self) -> dict[str, int]:
        assert isinstance(self.path, Path)
        with Filter.open(self.path.with_name("new.db")) as f:
            f.train(letter(1, "ham"), "ham")
        return super().check()


def test_a_restore_does_not_replace_a_store_that_was_made_meanwhile(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db") as f:
        f.train_many(letters(3))
        f.backup(tmp_path / "copy.db")
    with pytest.raises(StoreError, match="found a store there, expected none"):
        Busy.restore(tmp_path / "copy.db", tmp_path / "new.db")
    with Filter.open(tmp_path / "new.db") as made:
        assert made.store.state().totals == (0, 1)
    assert not (tmp_path / "new.db.new").exists()
