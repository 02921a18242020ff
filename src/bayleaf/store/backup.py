"""Backup: a whole store as one file, which is a store itself."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from bayleaf.store.database import refusals
from bayleaf.store.runs import Runs


def backup(db: sqlite3.Connection, runs: Runs, target: Path) -> None:
    """Copies database and runs into a new file at `target`, which appears complete or not at all.

    The caller holds the write lock, so that no run is merged away meanwhile.
    """
    draft = target.with_name(target.name + ".new")
    draft.unlink(missing_ok=True)
    with refusals(draft):
        copy = sqlite3.connect(draft, isolation_level=None)
        try:
            draft.chmod(0o600)
            copy_tables(db, copy)
            for run_id, file in copy.execute("SELECT id, file FROM run WHERE file IS NOT NULL").fetchall():
                body = runs.body(file)
                copy.execute("UPDATE run SET file = NULL, body = ? WHERE id = ?", (body, run_id))
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        finally:
            copy.close()
        draft.replace(target)


def copy_tables(db: sqlite3.Connection, copy: sqlite3.Connection) -> None:
    """Every table and its rows, as one transaction of `copy`."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    copy.execute("BEGIN")
    schema = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
    for kind, name, sql in db.execute(schema).fetchall():
        copy.execute(sql)
        if kind == "table":
            rows = db.execute(f"SELECT * FROM {name}")
            marks = ", ".join("?" * len(rows.description))
            copy.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
    copy.execute(f"PRAGMA user_version = {version}")
    copy.execute("COMMIT")
