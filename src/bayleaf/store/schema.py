"""The tables of a store, and how an older store becomes one of today."""

from __future__ import annotations

import os
from collections.abc import Callable

from bayleaf.errors import StoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

VERSION = 1

TABLES = """
CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE label(
    id INTEGER PRIMARY KEY,            -- the column of the counts
    name TEXT NOT NULL UNIQUE,
    mails INTEGER NOT NULL DEFAULT 0,
    gone INTEGER NOT NULL DEFAULT 0    -- fingerprint of what expiry dropped
);
CREATE TABLE ledger(
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    identity BLOB NOT NULL UNIQUE,
    label INTEGER NOT NULL,
    day INTEGER NOT NULL,
    age INTEGER NOT NULL,              -- expiries before it was learned
    fingerprint INTEGER NOT NULL,
    pair BLOB,                         -- what the families said before the label was known
    keys BLOB                          -- of the most recent mails of each label
);
CREATE INDEX ledger_recall ON ledger(label, seq) WHERE keys IS NOT NULL;
CREATE TABLE run(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entries INTEGER NOT NULL,
    file TEXT,                         -- a file beside the database, or
    body BLOB                          -- the run itself
);
CREATE TABLE name(id INTEGER PRIMARY KEY, texts BLOB NOT NULL);
"""

# MIGRATIONS[n] turns a store of version n into one of version n + 1, inside the transaction that is open.
MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {}


def refuse_foreign(db: sqlite3.Connection, path: Path | None) -> None:
    """Refuses a database with the tables of another program, before it is given a log or a table of ours."""
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()}
    (version,) = db.execute("PRAGMA user_version").fetchone()  # second: somebody may be making a store
    if names and (version == 0 or not names >= {"meta", "label", "ledger", "run"}):
        raise StoreError(
            f"{path}: found a database of another program, expected a store; nothing was changed: use another path"
        )


def prepare(db: sqlite3.Connection, secret: bytes | None, labels: tuple[str, ...], names: bool) -> None:
    """Makes an empty database a store, or an older store a current one. The caller holds the write lock."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == 0:
        create(db, secret, labels, names)
        return
    while 0 < version < VERSION:
        MIGRATIONS[version](db)
        version += 1
        db.execute(f"PRAGMA user_version = {version}")


def create(db: sqlite3.Connection, secret: bytes | None, labels: tuple[str, ...], names: bool) -> None:
    """The tables, a secret and the first labels."""
    for statement in TABLES.split(";\n"):
        if statement.strip():
            db.execute(statement)
    first = {"secret": secret or os.urandom(16), "age": 0, "names": int(names)}
    db.executemany("INSERT INTO meta VALUES (?, ?)", first.items())
    db.executemany("INSERT INTO label(id, name) VALUES (?, ?)", enumerate(labels))
    db.execute(f"PRAGMA user_version = {VERSION}")


def check_version(db: sqlite3.Connection, path: Path | None) -> None:
    """Refuses a store written by a newer bayleaf, and a database that is no store."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version != VERSION:
        found = f"a store of version {version}" if version else "a database without a store"
        raise StoreError(
            f"{path}: found {found}, expected version {VERSION}: use the bayleaf that wrote it, or another path"
        )
