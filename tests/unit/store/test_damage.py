"""A damaged store says so."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf import StoreError
from bayleaf._core import run_tally
from bayleaf.mail import Filter


def taught(path: Path) -> Filter:
    f = Filter.open(path)
    f.train_many(letters(12))
    return f


def test_a_wrong_count_is_found(tmp_path: Path) -> None:
    f = taught(tmp_path / "m.db")
    f.compact()
    f.close()
    file = next((tmp_path / "m.db-runs").iterdir())
    content = bytearray(file.read_bytes())
    with Filter.open(tmp_path / "m.db") as sound:
        at = content.index(sound.store.state().runs[0].page(5, 1)[0][0].to_bytes(8, "little"))
    content[at] ^= 1
    file.write_bytes(content)
    with Filter.open(tmp_path / "m.db") as damaged, pytest.raises(StoreError, match=r"damaged|not those"):
        damaged.check()


def test_a_ledger_that_does_not_agree_is_found(tmp_path: Path) -> None:
    taught(tmp_path / "m.db").close()
    db = sqlite3.connect(tmp_path / "m.db")
    db.execute("DELETE FROM ledger WHERE seq = 3")
    db.commit()
    db.close()
    with Filter.open(tmp_path / "m.db") as f, pytest.raises(StoreError, match="ledger has 11 mails"):
        f.check()


def test_a_mail_that_would_not_be_found_again_is_found_to_be_damaged(tmp_path: Path) -> None:
    """One bit of its identity: it would be learned twice, and never be forgotten."""
    with taught(tmp_path / "m.db") as f:
        identity = f.read(letter(3, "spam")).identity
    content = (tmp_path / "m.db").read_bytes()
    flipped = bytes([identity[0] ^ 1]) + identity[1:]
    (tmp_path / "m.db").write_bytes(content.replace(identity, flipped, 1))
    with Filter.open(tmp_path / "m.db") as f, pytest.raises(StoreError, match="the database is damaged"):
        f.check()


def test_a_run_that_claims_more_labels_than_its_store_is_damaged(tmp_path: Path) -> None:
    """Its merge would hold a row of them for each key: half a terabyte for a million keys."""
    taught(tmp_path / "m.db").close()
    with sqlite3.connect(tmp_path / "m.db") as db:
        db.execute("UPDATE run SET body = ? WHERE id = (SELECT max(id) FROM run)", (run_tally([], 65_535, 1, 0),))
    db.close()
    with Filter.open(tmp_path / "m.db") as f:
        for use in (f.check, f.compact, f.store.expire, lambda: f.judge(b"")):
            with pytest.raises(StoreError, match=r"run \d+ of the store has 65535 labels, expected at most 2"):
                use()


def test_damage_that_a_merge_finds_is_told_with_its_place(tmp_path: Path) -> None:
    f = taught(tmp_path / "m.db")
    f.compact()
    f.train(letter(99, "spam"), "spam")
    file = next((tmp_path / "m.db-runs").iterdir())
    content = bytearray(file.read_bytes())
    key = f.store.state().runs[0].page(5, 1)[0][0]
    f.close()
    at = content.index(key.to_bytes(8, "little"))
    content[at : at + 8] = bytes(8)  # which should have stood first
    file.write_bytes(content)
    with Filter.open(tmp_path / "m.db") as f, pytest.raises(StoreError, match=r"m\.db-runs: damaged run at entry 5"):
        f.compact()


def test_a_missing_run_is_said_to_be_missing(tmp_path: Path) -> None:
    f = taught(tmp_path / "m.db")
    f.compact()
    f.close()
    next((tmp_path / "m.db-runs").iterdir()).unlink()
    with Filter.open(tmp_path / "m.db") as f, pytest.raises(StoreError, match="missing"):
        f.judge(b"")


def test_a_store_without_its_secret_is_told(tmp_path: Path) -> None:
    taught(tmp_path / "m.db").close()
    with sqlite3.connect(tmp_path / "m.db") as db:
        db.execute("DELETE FROM meta WHERE name = 'secret'")
    db.close()
    with pytest.raises(StoreError, match=r"m\.db: found no secret in it, .*restore it from a backup"):
        Filter.open(tmp_path / "m.db")
