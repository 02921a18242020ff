"""A store whose file is moved away, deleted or replaced while somebody has it open."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from daemon import taught
from letters import letter

from bayleaf.errors import StoreError
from bayleaf.mail import Filter
from bayleaf.store.occupied import exists


def gone(store: Path) -> None:
    store.unlink()


def moved(store: Path) -> None:
    store.rename(store.with_name("away.db"))


def replaced(store: Path) -> None:
    shutil.copyfile(store, store.with_name("copy.db"))
    store.with_name("copy.db").replace(store)


@pytest.mark.parametrize("change", [gone, moved, replaced])
def test_nothing_is_learned_into_a_file_that_nobody_will_find(change: Callable[[Path], None], tmp_path: Path) -> None:
    with Filter.open(taught(tmp_path / "m.db", 5)) as learner:
        change(tmp_path / "m.db")
        assert learner.judge(letter(9, "spam")).best == "spam", "what was opened can still be read"
        with pytest.raises(StoreError, match=r"m\.db was moved away or replaced"):
            learner.train(letter(9, "spam"), "spam")


def test_a_folder_that_may_no_longer_be_looked_into_is_no_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    with Filter.open(taught(tmp_path / "m.db", 5)) as learner:
        with monkeypatch.context() as patch:
            patch.setattr(Path, "stat", denied)
            assert learner.judge(letter(9, "spam")).best == "spam"
            assert learner.train(letter(9, "spam"), "spam") == "learned"
            with pytest.raises(StoreError, match="Permission denied"):
                exists(tmp_path / "m.db")
        assert learner.check()["mails"] == 11


def test_a_restored_store_is_not_mixed_with_the_log_of_the_old_one(tmp_path: Path) -> None:
    path, safe = taught(tmp_path / "m.db", 5), tmp_path / "safe.db"
    with Filter.open(path) as running:
        running.backup(safe)
        running.train(letter(9, "spam"), "spam")
        path.rename(tmp_path / "broken.db")
        with pytest.raises(StoreError, match=r"m\.db-wal that one has left"):
            Filter.restore(safe, path)
        assert not path.exists()
    for log in tmp_path.glob("m.db-*"):
        log.rename(tmp_path / log.name.replace("m.db", "broken.db"))
    with Filter.restore(safe, path) as found:
        assert found.check()["mails"] == 10


def test_a_store_that_was_copied_without_its_runs_says_what_is_missing(tmp_path: Path) -> None:
    with Filter.open(taught(tmp_path / "m.db", 5)) as learner:
        learner.compact()
    shutil.copyfile(tmp_path / "m.db", tmp_path / "copy.db")
    told = (
        r"copy\.db: a file of its runs is missing, which belongs in .*copy\.db-runs: copy or move that folder as well"
    )
    with Filter.open(tmp_path / "copy.db") as copy, pytest.raises(StoreError, match=told):
        copy.judge(letter(9, "spam"))
