"""Logbook: the file of a history. Its caller sees to it that one thread at a time uses it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bayleaf.store.database import refusals

BUDGET = 256 * 2**20  # bytes of mails: about 45,000 of those in the SpamAssassin corpus
ROWS = 500_000  # a line without its mail takes about 200 bytes
SCHEMA = """
CREATE TABLE IF NOT EXISTS judged (
    id INTEGER PRIMARY KEY, time REAL, face TEXT, user TEXT, identity BLOB, label TEXT, best TEXT, probability REAL,
    sender TEXT, subject TEXT, size INTEGER, told TEXT);
CREATE INDEX IF NOT EXISTS unsure ON judged ((label <> 'unsure'), id);
CREATE INDEX IF NOT EXISTS mail ON judged (identity);
CREATE TABLE IF NOT EXISTS raw (id INTEGER PRIMARY KEY, bytes INTEGER, text INTEGER, body BLOB);
CREATE INDEX IF NOT EXISTS sizes ON raw (bytes);
CREATE TABLE IF NOT EXISTS lesson (identity BLOB, user TEXT, PRIMARY KEY (identity, user)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS volume (day INTEGER, label TEXT, mails INTEGER, PRIMARY KEY (day, label)) WITHOUT ROWID;
"""
INSERT = f"INSERT OR IGNORE INTO judged VALUES ({', '.join('?' * 11)}, NULL)"
VOLUME = "INSERT INTO volume VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET mails = mails + 1"


class Note(NamedTuple):
    """Something to write down: a judged mail with its text, or what one that was judged before has been learned as."""

    row: tuple[int | float | str | bytes, ...] = ()
    raw: bytes | str | None = None
    learned: tuple[str | None, bytes, str | None] | None = None


class Logbook:
    """Lines and mails in SQLite, in a file that is made when missing; None keeps them in memory.

    At most `budget` bytes of mails and `rows` lines are kept; the oldest go first. A budget of 0 keeps no mail, only
    lines.
    """

    def __init__(self, path: Path | None, budget: int = BUDGET, rows: int = ROWS) -> None:
        self.path, self.budget, self.rows = path, budget, rows
        with refusals(path):
            if path is not None and not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))  # mail is private
            place = ":memory:" if path is None else str(path)
            self._db = sqlite3.connect(place, isolation_level=None, check_same_thread=False, timeout=5.0)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            # Also for mails that make room for others: when their lines are forgotten, nobody knows where they lay.
            self._db.execute("PRAGMA secure_delete = ON")
            self._db.executescript(SCHEMA)
            self._seen = -1
            self._held = self._lines = 0
            self._count()

    def _count(self) -> None:
        """Counts what is there when another daemon has written to the file since: it may have let mails go."""
        (seen,) = self._db.execute("PRAGMA data_version").fetchone()
        if seen != self._seen:
            self._seen = seen
            (self._held,) = self._db.execute("SELECT coalesce(sum(bytes), 0) FROM raw").fetchone()
            (self._lines,) = self._db.execute("SELECT count(*) FROM judged").fetchone()

    @contextmanager
    def _change(self) -> Iterator[None]:
        """All of it is written, or nothing."""
        try:
            with refusals(self.path):
                self._db.execute("BEGIN IMMEDIATE")
                self._count()
                yield
                self._db.execute("COMMIT")
        except BaseException:
            self._seen = -1  # count again: nothing of this was written
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def write(self, notes: Iterable[Note]) -> None:
        """Writes all of these, or nothing."""
        with self._change():
            for note in notes:
                self._note(note)
            self._trim()

    def _note(self, note: Note) -> None:
        if note.learned is not None:
            self._learned(*note.learned)
            return
        id, time, *_ = note.row
        self._lines += self._db.execute(INSERT, note.row).rowcount
        self._db.execute(VOLUME, (int(float(time) // 86_400), note.row[5]))
        if note.raw is not None:
            # As it is: compressing it takes 150 µs, a quarter of judging it, and writing it 22 µs.
            body = note.raw.encode("utf-8", "surrogatepass") if isinstance(note.raw, str) else note.raw
            self._db.execute(
                "INSERT OR IGNORE INTO raw VALUES (?, ?, ?, ?)", (id, len(body), isinstance(note.raw, str), body)
            )
            self._held += len(body)

    def _learned(self, label: str | None, identity: bytes, user: str | None) -> None:
        """Who has a store of their own may have learned what was judged by that of all."""
        self._db.execute(
            "UPDATE judged SET told = ? WHERE identity = ? AND user = coalesce(?, user)", (label, identity, user)
        )
        if user and label is None:
            self._db.execute("DELETE FROM lesson WHERE identity = ? AND user = ?", (identity, user))
        elif user:
            known = "WHERE EXISTS (SELECT 1 FROM judged WHERE identity = ?)"
            self._db.execute(f"INSERT OR IGNORE INTO lesson SELECT ?, ? {known}", (identity, user, identity))

    def _trim(self) -> None:
        """Lets the oldest mails, then the oldest lines go."""
        while self._held > self.budget:
            oldest = self._db.execute("SELECT id, bytes FROM raw ORDER BY id LIMIT 1").fetchone()
            self._db.execute("DELETE FROM raw WHERE id = ?", oldest[:1])
            self._held -= oldest[1]
        if self._lines > self.rows:
            self._drop("id IN (SELECT id FROM judged ORDER BY id LIMIT ?)", (self._lines - self.rows,))

    def _drop(self, where: str, values: Sequence[object]) -> int:
        those = f"id IN (SELECT id FROM judged WHERE {where})"
        (size,) = self._db.execute(f"SELECT coalesce(sum(bytes), 0) FROM raw WHERE {those}", values).fetchone()
        self._db.execute(f"DELETE FROM raw WHERE {those}", values)
        gone = self._db.execute(f"DELETE FROM judged WHERE {where}", values).rowcount
        known = "SELECT 1 FROM judged WHERE judged.identity = lesson.identity"
        self._db.execute(f"DELETE FROM lesson WHERE NOT EXISTS ({known})")
        self._held -= size
        self._lines -= gone
        return gone

    def forget(self, where: str, values: Sequence[object]) -> int:
        """Deletes lines and their mails so that the file no longer has their bytes; how many."""
        with self._change():
            gone = self._drop(where, values)
        self.read("PRAGMA wal_checkpoint(TRUNCATE)")
        return gone

    def read(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows of a question."""
        with refusals(self.path):
            return self._db.execute(sql, values).fetchall()

    def close(self) -> None:
        """Closes the file."""
        self._db.close()
