"""The store: durable, shared, bounded, and able to say what is wrong."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf import StoreError
from bayleaf.mail import Filter
from bayleaf.store import Store, runs, schema
from bayleaf.store.address import place as store_place


def taught(path: Path | str, each: int = 12) -> Filter:
    f = Filter.open(path)
    for raw, label in letters(each):
        f.train(raw, label)
    return f


def test_what_was_learned_is_there_after_opening_again(place: str) -> None:
    taught(place).close()
    with Filter.open(place) as again:
        assert again.store.state().totals == (12, 12)
        assert again.judge(letter(70, "spam")).best == "spam"
        assert again.check()["mails"] == 24


def test_another_process_sees_what_is_learned_at_once(place: str) -> None:
    one, two = Filter.open(place), Filter.open(place)
    for raw, label in letters(40):
        one.train(raw, label)
        assert two.store.state().totals == one.store.state().totals
    two.compact()
    assert one.judge(letter(70, "spam")).best == "spam"
    one.check()


def test_small_runs_are_merged_so_that_few_are_read(tmp_path: Path) -> None:
    f = taught(tmp_path / "m.db", 60)
    assert len(f.store.state().runs) <= 16
    f.compact()
    assert len(f.store.state().runs) == 1
    assert len(list((tmp_path / "m.db-runs").iterdir())) == 1
    f.train(letter(90, "spam"), "spam")
    f.compact()
    assert len(list((tmp_path / "m.db-runs").iterdir())) == 1, "what was merged away takes no room"


def test_a_few_mails_are_learned_without_a_file(tmp_path: Path) -> None:
    """A file waits for the disk; below 50,000 keys merges stay inside the database."""
    f = taught(tmp_path / "m.db", 60)
    assert not (tmp_path / "m.db-runs").exists()
    assert f.check()["mails"] == 120


@pytest.mark.parametrize("before", range(6, 9))  # the eighth run is merged with the others
def test_a_change_that_fails_leaves_nothing_behind(place: str, before: int) -> None:
    def key(n: int) -> bytes:
        return (n << 32).to_bytes(8, "little")

    store = Store(store_place(place))
    for n in range(before):
        with store.change(day=9000) as change:
            change.learn(bytes([n]), 0, key(n))

    def fail() -> None:
        with store.change(day=9000) as change:
            change.learn(b"lost", 1, key(100))
            change.finish()
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    with store.change(day=9000) as change:
        assert change.learn(b"kept", 1, key(200))
    assert store.check()["mails"] == before + 1
    found = {at: counts for run in store.state().runs for at, counts in run.page(0, run.entries)}
    assert found == {**{n << 32: [1, 0] for n in range(before)}, 200 << 32: [0, 1]}


def test_keys_are_kept_for_recent_mails_only_though_each_comes_twice(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bayleaf.store.ledger.RECALL", 5)
    monkeypatch.setattr("bayleaf.store.ledger.TRIM", 2)
    store = Store(store_place(place))
    for n in range(20):
        for new in (True, False):
            with store.change(day=9000) as change:
                assert change.learn(bytes([n]), 0, bytes(8), held=bytes(8)) is new
    with store.ledger() as ledger:
        assert 5 <= len(ledger.recalled(0, 20)) <= 6


def test_the_mails_that_are_asked_for_are_the_most_recent(place: str) -> None:
    store = Store(store_place(place))
    for n in range(5):
        with store.change(day=9000) as change:
            change.learn(bytes([n]), 0, bytes(8), pair=bytes([n]), held=bytes(8))
    with store.ledger() as ledger:
        assert [entry.identity for entry in ledger.recalled(0, 2)] == [b"\4", b"\3"]
        assert list(ledger.pairs(2)) == [(0, b"\4"), (0, b"\3")]


@pytest.mark.parametrize("content", [b"", b"not a database, but some text " * 99])
def test_a_file_that_is_no_store_is_refused_or_filled(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "m.db").write_bytes(content)
    if content:
        with pytest.raises(StoreError, match="not a database"):
            Filter.open(tmp_path / "m.db")
    else:
        assert taught(tmp_path / "m.db", 1).check()["mails"] == 2


def test_a_store_of_the_future_is_refused(tmp_path: Path) -> None:
    taught(tmp_path / "m.db", 1).close()
    db = sqlite3.connect(tmp_path / "m.db")
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="version 99"):
        Filter.open(tmp_path / "m.db")


def test_an_older_store_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taught(tmp_path / "m.db", 2).close()
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    step = {schema.VERSION - 1: lambda db: db.execute("INSERT INTO meta VALUES ('migrated', 1)")}
    monkeypatch.setattr(schema, "MIGRATIONS", step)
    with Filter.open(tmp_path / "m.db") as f, f.store.ledger() as ledger:
        assert ledger.db.execute("SELECT value FROM meta WHERE name = 'migrated'").fetchone() == (1,)
        assert ledger.db.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)


CHILD = """
import os, sys
from bayleaf import StoreError
from bayleaf.mail import Filter
from letters import letter
if os.getuid() == 0:  # root may write anything
    os.setuid(65534)
with Filter.open(sys.argv[1]) as f:
    print(f.judge(letter(70, "spam")).best)
    try:
        f.train(letter(70, "spam"), "spam")
    except StoreError as error:
        print(error)
"""


def child(code: str, *words: str, **how: object) -> subprocess.CompletedProcess[str]:
    folder = str(Path(__file__).parents[2])
    env = {**os.environ, "PYTHONPATH": folder}
    return subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, env=env, check=False, **how
    )


@pytest.mark.skipif(os.getuid() != 0, reason="only root makes files for others")
def test_what_root_teaches_belongs_to_whom_the_store_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "SMALL", 10)
    Filter.open(tmp_path / "m.db").close()
    os.chown(tmp_path / "m.db", 65534, 65534)
    taught(tmp_path / "m.db", 2).close()
    made = [tmp_path / "m.db-runs", *(tmp_path / "m.db-runs").iterdir()]
    assert len(made) > 1
    assert {(place.stat().st_uid, place.stat().st_gid) for place in made} == {(65534, 65534)}


def test_a_read_only_store_judges_and_refuses_to_learn(tmp_path: Path) -> None:
    f = taught(tmp_path / "m.db")
    f.compact()
    f.close()
    for place in (*tmp_path.rglob("*"), tmp_path):
        place.chmod(0o555 if place.is_dir() else 0o444)
    parents = [parent for parent in tmp_path.parents if parent.stat().st_mode & 0o077 == 0 and len(parent.parts) > 2]
    for parent in parents:  # pytest makes its folders private
        parent.chmod(0o711)
    try:
        done = child(CHILD, str(tmp_path / "m.db"))
    finally:
        for parent in parents:
            parent.chmod(0o700)
        tmp_path.chmod(0o755)
        for place in tmp_path.rglob("*"):
            place.chmod(0o755 if place.is_dir() else 0o644)
    assert done.stdout.splitlines()[:1] == ["spam"], done.stderr
    assert "cannot be written" in done.stdout


FULL = """
import resource, sys
from bayleaf import StoreError
from bayleaf.mail import Filter
from letters import letter
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
f = Filter.open(sys.argv[1])
learned = 0
try:
    for n in range(400):
        f.train(letter(n, "ham"), "ham")
        learned += 1
except StoreError as error:
    print(error)
print(learned)
"""


@pytest.mark.parametrize("most", [300_000, 1_000_000])
def test_a_full_disk_stops_learning_and_harms_nothing(tmp_path: Path, most: int) -> None:
    done = child(FULL, str(tmp_path / "m.db"), str(most))
    *messages, learned = done.stdout.splitlines()
    assert "free some space" in messages[0], done.stderr
    with Filter.open(tmp_path / "m.db") as f:
        assert f.check()["mails"] == int(learned)
        f.train(letter(900, "spam"), "spam")
        f.compact()
        assert f.check()["mails"] == int(learned) + 1


def test_files_are_private(tmp_path: Path) -> None:
    f = taught(tmp_path / "m.db")
    f.compact()
    modes = {file.stat().st_mode & 0o077 for file in tmp_path.rglob("*")}
    assert modes == {0}


def test_who_may_read_a_store_may_read_its_counts(tmp_path: Path) -> None:
    with taught(tmp_path / "m.db", 2) as f:
        (tmp_path / "m.db").chmod(0o640)
        f.compact()
    (run,) = (tmp_path / "m.db-runs").iterdir()
    assert (run.stat().st_mode & 0o777, run.parent.stat().st_mode & 0o777) == (0o640, 0o750)


def test_a_store_in_memory_is_a_store() -> None:
    assert Store(None, labels=("a", "b", "c")).state().totals == (0, 0, 0)


def test_a_store_behind_a_link_is_the_same_store(tmp_path: Path) -> None:
    """Counts lie beside the file itself; beside the link, whoever opens the file would not find them."""
    (tmp_path / "data").mkdir()
    file, link = tmp_path / "data" / "m.db", tmp_path / "link.db"
    link.symlink_to(file)
    with taught(link) as f:
        f.compact()
        assert f.store.size() > (tmp_path / "data" / "m.db").stat().st_size
    for path in (file, link):
        with Filter.open(path) as f:
            assert f.check()["mails"] == 24
            assert f.judge(letter(70, "spam")).best == "spam"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "link.db"]


def test_a_database_with_a_version_that_no_store_has_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "m.db") as db:
        db.execute("PRAGMA user_version = -1")
    db.close()
    with pytest.raises(StoreError, match="found a store of version -1, expected version 1"):
        Filter.open(tmp_path / "m.db")


@pytest.mark.parametrize("version", [1, 7])
def test_a_database_of_another_program_is_told_from_a_store_whatever_its_version(tmp_path: Path, version: int) -> None:
    with sqlite3.connect(tmp_path / "places.db") as db:
        db.execute("CREATE TABLE visits(page)")
        db.execute(f"PRAGMA user_version = {version}")
    db.close()
    before = (tmp_path / "places.db").read_bytes()
    with pytest.raises(StoreError, match="found a database of another program, expected a store; nothing was changed"):
        Filter.open(tmp_path / "places.db")
    assert (tmp_path / "places.db").read_bytes() == before
