"""Backups: one file that is a store, written nowhere where it would harm one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf import StoreError
from bayleaf.mail import Filter
from bayleaf.store import Store
from bayleaf.store.backup import backup


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


def test_a_restored_store_knows_all_that_the_first_knew(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db") as f:
        f.train_many(letters(40))
        f.backup(tmp_path / "copy.db")
        assert (tmp_path / "copy.db").stat().st_mode & 0o077 == 0, "mail is private"
        with Filter.restore(tmp_path / "copy.db", tmp_path / "new.db") as restored:
            assert restored.words("spam")
            assert restored.words("spam") == f.words("spam")
            assert restored.judge(letter(90, "spam")).scores == f.judge(letter(90, "spam")).scores


def test_what_had_expired_before_a_backup_is_not_taken_back_after_it(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db") as f:
        f.train_many(letters(12))
        f.expire(limit=0)
        f.backup(tmp_path / "copy.db")
    with Filter.restore(tmp_path / "copy.db", tmp_path / "new.db") as restored:
        assert restored.untrain(letter(3, "spam")) == "spam"
        assert restored.check() == {"mails": 23, "keys": 0, "runs": 0}, "counts below zero would be keys"


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


def test_a_backup_does_not_take_the_place_of_a_store_that_nobody_has_open(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "other.db") as other:
        other.train_many(letters(5))
        other.compact()
    left = r"other\.db-runs that one has left, expected neither; name another file"
    with Filter.open(tmp_path / "m.db") as one, pytest.raises(StoreError, match=left):
        one.backup(tmp_path / "other.db")
    with Filter.open(tmp_path / "other.db") as other:
        assert other.check()["mails"] == 10


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
    assert {path.name for path in tmp_path.iterdir()} == {"m.db", "copy.db", "new.db"}


def test_a_backup_looks_for_a_store_in_its_place_once_more_when_it_is_written(tmp_path: Path) -> None:
    def taken() -> None:
        (tmp_path / "copy.db").write_bytes(b"made meanwhile")
        raise StoreError("found a store there")

    with Filter.open(tmp_path / "m.db") as f:
        f.train_many(letters(3))
        with f.store._database.read() as db, pytest.raises(StoreError, match="found a store there"):
            backup(db, f.store._runs, f.store, tmp_path / "copy.db", taken)
    assert (tmp_path / "copy.db").read_bytes() == b"made meanwhile"
    assert {path.name for path in tmp_path.iterdir()} == {"m.db", "copy.db"}


def test_a_backup_is_not_written_where_the_store_would_sweep_it_away(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db") as f:
        f.train_many(letters(5))
        f.compact()
        with pytest.raises(StoreError, match="expected neither"):
            f.backup(tmp_path / "m.db-runs" / "copy.db")


def test_a_backup_does_not_take_the_place_of_a_pipe_or_a_device(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    with Filter.open(tmp_path / "m.db") as f:
        for name in ("pipe", "link"):
            with pytest.raises(StoreError, match=f"{name}: found a pipe or a device, expected a file"):
                f.backup(tmp_path / name)
    assert (tmp_path / "pipe").is_fifo()
    assert (tmp_path / "link").is_symlink()
    with pytest.raises(StoreError, match="pipe: found a pipe or a device, expected a file"):
        Filter.open(tmp_path / "pipe")


def test_a_backup_does_not_take_the_place_of_a_mailbox(tmp_path: Path) -> None:
    inbox, empty = tmp_path / "Inbox", tmp_path / "new.db"
    inbox.write_bytes(b"From ann@example.org Mon Mar  2 10:00:00 2026\nSubject: a\n\nb\n")
    empty.touch()
    before = inbox.read_bytes()
    with Filter.open(tmp_path / "m.db") as f:
        with pytest.raises(StoreError, match="Inbox: found a file that is no backup, expected an older one or none"):
            f.backup(inbox)
        f.backup(empty)
        f.backup(empty)
    assert inbox.read_bytes() == before


def test_a_backup_goes_where_a_link_leads(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "copy.db").symlink_to(tmp_path / "far" / "copy.db")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with Filter.open(tmp_path / "m.db") as f, Filter.open(tmp_path / "other.db") as other:
        f.train_many(letters(3))
        f.backup(tmp_path / "copy.db")
        f.backup(tmp_path / "copy.db")
        with pytest.raises(StoreError, match=r"loop: .*symbolic links"):
            f.backup(tmp_path / "loop")
        (tmp_path / "used").symlink_to(tmp_path / "other.db")
        with pytest.raises(StoreError, match="found a store in use there"):
            f.backup(tmp_path / "used")
        assert other.check()["mails"] == 0
    with Filter.open(tmp_path / "far" / "copy.db") as copy:
        assert copy.check()["mails"] == 6
    assert [path.name for path in (tmp_path / "far").iterdir()] == ["copy.db"]


def test_two_backups_to_one_name_are_two_drafts(new_store: Callable[[], str], tmp_path: Path) -> None:
    """PostgreSQL lets both read at once; a draft that both write would be given its name when it is half."""
    place, target = new_store(), tmp_path / "copy.db"
    with Filter.open(place) as one, Filter.open(place) as other:
        one.train_many(letters(12))

        def second() -> None:
            if not target.exists():
                other.backup(target)

        with one.store._database.read() as db:
            backup(db, one.store._runs, one.store, target, second)
    with Filter.open(target) as copy:
        assert copy.check()["mails"] == 24
    assert [path.name for path in tmp_path.iterdir()] == ["copy.db"]


def test_what_a_killed_backup_has_left_is_deleted_by_the_next_one_when_it_is_old(tmp_path: Path) -> None:
    killed = ".copy.db.0123abcd"
    others = [".copy.db.4567cdef", ".copy.db.original", ".copy.db.2024", ".mail.db.0123abcd"]
    for name in (killed, *others):
        (tmp_path / name).touch()
        if name != others[0]:  # that one is being written
            os.utime(tmp_path / name, (1e9, 1e9))
    with Filter.open(":memory:") as f:
        f.backup(tmp_path / "copy.db")
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([*others, "copy.db"])


def test_a_new_store_leaves_the_counts_of_one_that_was_moved_away(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db") as f:
        f.train_many(letters(5))
        f.compact()
        f.backup(tmp_path / "copy.db")
    (tmp_path / "m.db").rename(tmp_path / "old.db")
    with pytest.raises(StoreError, match=r"found m\.db-runs there, .* move it away as well"):
        Filter.restore(tmp_path / "copy.db", tmp_path / "m.db")
    with pytest.raises(StoreError, match=r"found m\.db-runs there, .* move it away as well"):
        Filter.open(tmp_path / "m.db")
    (tmp_path / "m.db-runs").rename(tmp_path / "old.db-runs")
    (tmp_path / "m.db-runs").mkdir()  # which loses nothing
    Filter.restore(tmp_path / "copy.db", tmp_path / "m.db").close()
    for name in ("m.db", "old.db"):
        with Filter.open(tmp_path / name) as f:
            assert f.check()["mails"] == 10


def test_a_store_is_not_restored_as_a_folder(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db") as f:
        f.backup(tmp_path / "copy.db")
    with pytest.raises(StoreError, match="found a folder, expected a file"):
        Filter.restore(tmp_path / "copy.db", tmp_path)


@pytest.mark.parametrize("place", [3, -9], ids=["header", "counts"])
def test_a_damaged_store_is_told_and_its_backup_does_not_take_the_place_of_a_good_one(
    tmp_path: Path, place: int
) -> None:
    with Filter.open(tmp_path / "m.db") as f:
        f.train_many(letters(30))
        f.compact()
        f.backup(tmp_path / "good")
    good = (tmp_path / "good").read_bytes()
    (run,) = (tmp_path / "m.db-runs").iterdir()
    content = bytearray(run.read_bytes())
    content[place] ^= 0x55
    run.write_bytes(content)
    with Filter.open(tmp_path / "m.db") as f:
        with pytest.raises(StoreError, match="restore"):
            f.backup(tmp_path / "good")
        with pytest.raises(StoreError, match="restore"):
            f.check()
        if place == 3:
            with pytest.raises(StoreError, match=re.escape(str(run))):
                f.judge(letter(1, "spam"))
    assert (tmp_path / "good").read_bytes() == good
    assert {path.name for path in tmp_path.iterdir()} <= {"m.db", "m.db-runs", "good"}


@pytest.mark.parametrize("kind", [str, Path])
def test_an_address_is_no_backup_and_its_password_is_not_shown(kind: Callable[[str], str | Path]) -> None:
    address = kind("postgresql://ann:secret@127.0.0.1:1/mail")
    told = r"found the address postgresql://ann:\*\*\*@127.0.0.1:1/mail, expected a file"
    with Filter.open(":memory:") as f, pytest.raises(StoreError, match=told):
        f.backup(address)
    with pytest.raises(StoreError, match=told):
        Filter.restore(address, "m.db")
