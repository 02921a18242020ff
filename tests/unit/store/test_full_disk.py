"""A disk that is full: what is there stays, what was begun is gone, and the remedy is the right one. One that may only
be read.
"""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf.errors import StoreError
from bayleaf.mail import Filter


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A backup of more than the 2 MB that SQLite holds in memory and the 2 MB of the disk together."""
    with Filter.open(tmp_path / "m.db") as learner:
        learner.train_many(letters(12_000))  # 4.4 to 4.7 MB of 9,000, by the secret of the store
        learner.backup(tmp_path / "copy.db")
    assert (tmp_path / "copy.db").stat().st_size > 4_500_000
    return tmp_path / "copy.db"


def test_a_backup_that_has_no_room_leaves_nothing(large: Path, small_disk: Path) -> None:
    with Filter.open(large) as full, pytest.raises(StoreError, match="free some space"):
        full.backup(small_disk / "b.db")
    with pytest.raises(StoreError, match="free some space"):
        Filter.restore(large, small_disk / "r.db")
    assert list(small_disk.iterdir()) == []


def test_what_is_restored_is_there_also_without_room_for_its_counts_as_a_file(tmp_path: Path, small_disk: Path) -> None:
    with Filter.open(tmp_path / "m.db") as learner:
        learner.train_many(letters(300))
        learner.backup(tmp_path / "copy.db")
    left = 2 * 2**20 - (tmp_path / "copy.db").stat().st_size - 80_000  # for what SQLite has beside it
    (small_disk / "filler").write_bytes(bytes(left))
    with Filter.restore(tmp_path / "copy.db", small_disk / "r.db") as restored:
        assert restored.check()["mails"] == 600
        assert restored.store._runs.size() == 0, "there was room"


def test_a_run_that_has_no_room_is_said_with_the_remedy(small_disk: Path) -> None:
    with Filter.open(small_disk / "m.db") as learner:
        (small_disk / "filler").write_bytes(bytes(1_850_000))
        with pytest.raises(StoreError, match="free some space and try again; each mail is counted whole or not at all"):
            learner.train_many(letters(1500))
        (small_disk / "filler").unlink()
        assert learner.check()["mails"] == 0


def test_mail_is_judged_where_the_disk_is_full(small_disk: Path) -> None:
    with Filter.open(small_disk / "m.db") as learner:
        learner.train_many(letters(40))
        before = learner.judge(letter(50, "spam"))
    with suppress(OSError), (small_disk / "filler").open("wb") as filler:
        while True:
            filler.write(bytes(4096))
            filler.flush()
    with Filter.open(small_disk / "m.db") as judge:
        assert judge.judge(letter(50, "spam")).probabilities == before.probabilities
        with pytest.raises(StoreError, match="the disk is full; free some space and try again"):
            judge.train(letter(50, "spam"), "spam")
    (small_disk / "filler").unlink()
    with Filter.open(small_disk / "m.db") as learner:
        assert learner.train(letter(50, "spam"), "spam") == "learned"


@pytest.mark.parametrize(("ends", "mails"), [(["", "-wal", "-shm"], 2), (["", "-wal"], None), ([""], 0)])
def test_a_store_that_may_only_be_read_is_read_with_its_log_or_not_at_all(
    ends: list[str], mails: int | None, tmp_path: Path, small_disk: Path
) -> None:
    Filter.open(tmp_path / "m.db").close()
    with Filter.open(tmp_path / "m.db") as learner:
        learner.train(letter(1, "spam"), "spam")
        learner.train(letter(1, "ham"), "ham")
        for end in ends:  # of a snapshot, say
            shutil.copy(tmp_path / f"m.db{end}", small_disk)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    if mails is None:
        with pytest.raises(StoreError, match="copy the store with all beside it to where you may write"):
            Filter.open(small_disk / "m.db")
    else:
        with Filter.open(small_disk / "m.db") as reader:
            assert reader.check()["mails"] == mails
            reader.backup(tmp_path / "copy.db")
        with Filter.open(tmp_path / "copy.db") as copy:
            assert copy.check()["mails"] == mails
