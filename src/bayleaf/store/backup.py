"""Backup: a whole store as one file, which is a store itself."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from bayleaf.errors import StoreError
from bayleaf.store.address import Address, real
from bayleaf.store.database import refusals
from bayleaf.store.ledger import COLUMNS, put
from bayleaf.store.owner import own
from bayleaf.store.runs import Runs
from bayleaf.store.schema import create
from bayleaf.whole import draft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bayleaf.store.session import Session
    from bayleaf.store.store import Store

MAGIC = b"SQLite format 3\0"
BESIDE = ("-wal", "-shm", "-journal", "-runs", "-history")  # how the files beside a store end


def backup(db: Session, runs: Runs, store: Store, target: Path, free: Callable[[], None]) -> None:
    """Copies database and runs into a new file at `target`, which appears complete or not at all.

    The caller sees to it that no run is merged away meanwhile. `free` refuses a target that must not be replaced, as a
    store that a daemon has made there while this one was copied.
    """
    sibling = draft(target)  # of its own: others may write a backup there now
    with refusals(target):
        copy = sqlite3.connect(sibling, isolation_level=None)
        try:
            sibling.chmod(0o600)
            own(sibling, (target if target.exists() else target.parent).stat())
            copy.execute("PRAGMA journal_mode = MEMORY")  # half a draft is deleted, and so would have to be a journal
            copy.execute("BEGIN")
            create(copy, store.secret, (), store.names)
            copy_rows(db, runs, copy)
            copy.execute("COMMIT")
            copy.close()
            free()
            sibling.replace(target)
        except BaseException:
            sibling.unlink(missing_ok=True)
            raise
        finally:
            copy.close()


def copy_rows(db: Session, runs: Runs, copy: Session) -> None:
    """Everything a store has learned, into tables that are empty, whichever databases these are."""
    for name, value in db.execute("SELECT name, value FROM meta WHERE name IN ('age', 'layer')").fetchall():
        put(copy, name, int(value) if name == "age" else value)
    for table, columns in (("label", "id, name, mails, gone"), ("ledger", COLUMNS), ("name", "id, texts")):
        marks = ", ".join("?" * (columns.count(",") + 1))
        copy.executemany(
            f"INSERT INTO {table}({columns}) VALUES ({marks})", db.execute(f"SELECT {columns} FROM {table}")
        )
    for row, entries, file in db.execute("SELECT id, entries, file FROM run").fetchall():
        body = runs.body(file) if file else db.execute("SELECT body FROM run WHERE id = ?", (row,)).fetchone()[0]
        copy.execute("INSERT INTO run(id, entries, body) VALUES (?, ?, ?)", (row, entries, body))


def refuse_used(target: Path, store: Path | Address | None) -> None:
    """Refuses to write over a store, its files or what is no database, and beside a log or runs, which would mix."""
    log, runs = (target.with_name(target.name + end) for end in ("-wal", "-runs"))
    kept = runs.is_dir() and any(runs.iterdir())  # of a store that nobody has open now
    left = runs if kept else log
    if left.exists() or (isinstance(store, Path) and belongs(target, store)):
        raise StoreError(
            f"{target}: found a store in use there, or {left.name} that one has left, expected neither; "
            "name another file, or move all of the old store away"
        )
    _refuse_stranger(target)


def _refuse_stranger(target: Path) -> None:
    """Refuses to write over what is no database: a mailbox, if somebody takes its name for what is to be saved."""
    with refusals(target):
        head = b""
        if target.exists():
            with target.open("rb") as file:
                head = file.read(len(MAGIC))
    if head and head != MAGIC:
        raise StoreError(
            f"{target}: found a file that is no backup, expected an older one or none, since the backup is written "
            "there; name another file"
        )


def belongs(target: Path, store: Path) -> bool:
    """Whether a file is a store, or one of those beside it or in a folder of it.

    >>> belongs(Path("mail.db-wal"), Path("mail.db")), belongs(Path("mail.db-old"), Path("mail.db"))
    (True, False)
    """
    file, target = real(store), real(target)
    own = target.exists() and target.samefile(file)
    beside = [file.with_name(file.name + end) for end in BESIDE]
    return own or target in beside or target.parent in beside
