"""Backup: a whole store as one file, which is a store itself."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from bayleaf.store.database import refusals
from bayleaf.store.ledger import COLUMNS, put
from bayleaf.store.runs import Runs
from bayleaf.store.schema import create

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf.store.session import Session
    from bayleaf.store.store import Store


def backup(db: Session, runs: Runs, store: Store, target: Path) -> None:
    """Copies database and runs into a new file at `target`, which appears complete or not at all.

    The caller sees to it that no run is merged away meanwhile.
    """
    draft = target.with_name(target.name + ".new")
    draft.unlink(missing_ok=True)
    with refusals(draft):
        copy = sqlite3.connect(draft, isolation_level=None)
        try:
            draft.chmod(0o600)
            copy.execute("PRAGMA journal_mode = MEMORY")  # half a draft is deleted, and so would have to be a journal
            copy.execute("BEGIN")
            create(copy, store.secret, (), store.names)
            copy_rows(db, runs, copy)
            copy.execute("COMMIT")
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        finally:
            copy.close()
        draft.replace(target)


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
