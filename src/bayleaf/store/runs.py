"""Runs: the tables of counts of a store, small ones in the database and large ones in files beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bayleaf._core import Run, run_cut, run_merge, run_tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

FAN_OUT = 8  # small runs before they are merged: a judge reads about 40 kB for each
LARGE = 160_000  # keys of small runs that are merged however few they are
RATIO = 2  # a file is merged with the next older one unless that is this many times larger: log2 of all files at most


class Runs:
    """Opens, adds, merges and forgets the runs that the table `run` names.

    Every change is made under the write lock of the database. A file is complete and on the disk before its name is
    committed, and deleted only after the commit that no longer names it is on the disk.
    """

    def __init__(self, path: Path | None) -> None:
        self.folder = None if path is None else path.with_name(path.name + "-runs")
        self._open: dict[int, Run] = {}

    def load(self, db: sqlite3.Connection) -> tuple[Run, ...]:
        """All runs, oldest first. Inside a transaction."""
        ids = [id for (id,) in db.execute("SELECT id FROM run ORDER BY id")]
        self._open = {id: self._open.get(id) or self._read(db, id) for id in ids}
        return tuple(self._open.values())

    def _read(self, db: sqlite3.Connection, id: int) -> Run:
        file, body = db.execute("SELECT file, body FROM run WHERE id = ?", (id,)).fetchone()
        return Run.load(body) if body is not None or self.folder is None else Run.open(self.folder / file)

    def body(self, file: str) -> bytes:
        """The bytes of a run that lies in a file."""
        return b"" if self.folder is None else (self.folder / file).read_bytes()

    def size(self) -> int:
        """What the files take."""
        return sum(file.stat().st_size for file in self.folder.iterdir()) if self.folder and self.folder.is_dir() else 0

    def add(
        self, db: sqlite3.Connection, documents: list[tuple[bytes, int, int]], labels: int, day: int, age: int
    ) -> None:
        """A new run of documents: a small one in the database, a large one in a file."""
        if self.folder is None or sum(len(keys) for keys, _, _ in documents) < 8 * LARGE:
            body = run_tally(documents, labels, day, age) or b""
            entries = Run.load(body).entries
            if entries:
                db.execute("INSERT INTO run(entries, body) VALUES (?, ?)", (entries, body))
            return
        with self._draft(db) as (draft, name):
            run_tally(documents, labels, day, age, draft)
        self._insert(db, None, name)

    @contextmanager
    def _draft(self, db: sqlite3.Connection) -> Iterator[tuple[Path, str]]:
        """A place to write a run to; afterwards it is on the disk under its name."""
        assert self.folder is not None
        self.folder.mkdir(mode=0o700, exist_ok=True)
        (last,) = db.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'run'").fetchone()
        name = f"{last + 1}.run"
        draft = self.folder / f"{name}.new"
        try:
            yield draft, name
            draft.chmod(self.folder.with_name(self.folder.name.removesuffix("-runs")).stat().st_mode & 0o777)
            _sync(draft)
            draft.replace(self.folder / name)
            _sync(self.folder)
        finally:
            draft.unlink(missing_ok=True)

    def _insert(self, db: sqlite3.Connection, body: bytes | None, file: str) -> None:
        run = Run.load(body or b"") if self.folder is None else Run.open(self.folder / file)
        if run.entries:
            db.execute("INSERT INTO run(entries, file, body) VALUES (?, ?, ?)", (run.entries, file, body))

    def due(self, db: sqlite3.Connection) -> list[int]:
        """The ids of runs that should become one now, or none."""
        rows = db.execute("SELECT id, entries, file FROM run ORDER BY id DESC").fetchall()
        small = [(id, entries) for id, entries, file in rows if file is None]
        large = [(id, entries) for id, entries, file in rows if file is not None]
        if len(small) < FAN_OUT and sum(entries for _, entries in small) < LARGE:
            small = []
        chosen = small or large[:1]
        for id, entries in large[0 if small else 1 :]:
            if entries >= RATIO * sum(entries for _, entries in chosen):
                break
            chosen.append((id, entries))
        return [id for id, _ in chosen] if small or len(chosen) > 1 else []

    def merge(self, db: sqlite3.Connection, ids: Sequence[int], labels: int, cut: tuple[int, int]) -> list[int]:
        """Makes these runs one; what `cut` dropped, per label, as a fingerprint. Memory: about the new run."""
        self.load(db)
        runs = [self._open[id] for id in ids]
        body, name = None, "memory"
        if self.folder is None:
            body, gone = run_merge(runs, labels, cut)
        else:
            with self._draft(db) as (draft, name):
                _, gone = run_merge(runs, labels, cut, draft)
        db.executemany("DELETE FROM run WHERE id = ?", [(id,) for id in ids])
        self._insert(db, body, name)
        return gone

    def cut_to(self, db: sqlite3.Connection, limit: int) -> tuple[int, int]:
        """The mildest cut that leaves at most `limit` keys."""
        return run_cut(self.load(db), limit)

    def sweep(self, db: sqlite3.Connection) -> None:
        """Deletes files that no committed run names. Under the write lock: another process may be about to name one."""
        if self.folder is None or not self.folder.is_dir():
            return
        named = {file for (file,) in db.execute("SELECT file FROM run WHERE file IS NOT NULL")}
        for file in self.folder.iterdir():
            if file.name not in named:
                file.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
