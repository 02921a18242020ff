"""Runs: the tables of counts of a store, in the database; beside SQLite, large ones are files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bayleaf._core import MailFeatures, Run, run_cut, run_merge, run_standing, run_tally
from bayleaf.errors import StoreError
from bayleaf.store.address import Address, real
from bayleaf.store.owner import own
from bayleaf.whole import size, sync

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf.store.session import Session

FAN_OUT = 8  # runs of about one size before they are merged: a judge looks every key up in each
LARGE = 160_000  # keys of runs that are merged however few they are
RATIO = 2  # runs are merged with the next older one unless that is this many times larger: log2 of all keys at most
SMALL = 50_000  # keys of a run that stays in the database, 0.8 MB: a merge of those does not wait for the disk


class Runs:
    """Opens, adds, merges and forgets the runs that the table `run` names.

    Every change is made under the write lock of the database. Most learning merges small runs inside the database, in
    the transaction it makes anyway. A file is complete and on the disk before its name is committed, and deleted only
    after the commit that no longer names it is on the disk.
    """

    def __init__(self, place: Path | Address | None) -> None:
        file = real(place) if isinstance(place, Path) else None
        self.folder = None if file is None else file.with_name(file.name + "-runs")
        self._open: dict[int, Run] = {}

    def load(self, db: Session) -> tuple[Run, ...]:
        """All runs, oldest first. Inside a transaction."""
        ids = [id for (id,) in db.execute("SELECT id FROM run ORDER BY id").fetchall()]
        self._open = {id: self._open.get(id) or self._read(db, id) for id in ids}
        return tuple(self._open.values())

    def _read(self, db: Session, id: int) -> Run:
        file, body = db.execute("SELECT file, body FROM run WHERE id = ?", (id,)).fetchone()
        (labels,) = db.execute("SELECT count(*) FROM label").fetchone()
        where = f"run {id} of the store" if self.folder is None or file is None else self.folder / file
        with readable(where):
            run = Run.load(body) if body is not None or self.folder is None else Run.open(self.folder / file)
        if run.labels > labels:
            raise StoreError(f"{where} has {run.labels} labels, expected at most {labels}; restore it from a backup")
        return run

    def body(self, file: str) -> bytes:
        """The bytes of a run that lies in a file."""
        return b"" if self.folder is None else (self.folder / file).read_bytes()

    def size(self) -> int:
        """What the files take; those that somebody merges away meanwhile take nothing."""
        return sum(map(size, self.folder.iterdir())) if self.folder and self.folder.is_dir() else 0

    def add(
        self, db: Session, documents: list[tuple[MailFeatures | bytes, int, int]], labels: int, day: int, age: int
    ) -> None:
        """A new run of documents: a small one in the database, a large one in a file."""
        keys = sum(len(of) // 8 if isinstance(of, bytes) else len(of) for of, _, _ in documents)
        if self.folder is None or keys < SMALL:
            self._insert(db, run_tally(documents, labels, day, age), None)
            self._fold(db, labels)
            return
        with self._draft(db) as (draft, name):
            run_tally(documents, labels, day, age, draft)
        self._insert(db, None, name)

    def _fold(self, db: Session, labels: int) -> None:
        """Merges the runs that are due inside the database, if they are small together."""
        ids, keys = self.due(db)
        if ids and keys < SMALL:
            with readable("the store"):
                body, _ = run_merge(self._named(db, ids), labels, (0, 0))
            self._replace(db, ids, body, None)

    @contextmanager
    def _draft(self, db: Session) -> Iterator[tuple[Path, str]]:
        """A place to write a run to; afterwards it is on the disk under its name."""
        assert self.folder is not None
        database = self.folder.with_name(self.folder.name.removesuffix("-runs")).stat()
        if not self.folder.is_dir():
            self.folder.mkdir(mode=0o700, exist_ok=True)
            # Whoever may read the database may look into it: a shared store is read by other users.
            self.folder.chmod(0o700 | database.st_mode & 0o777 | (database.st_mode & 0o444) >> 2)
            own(self.folder, database)
        (last,) = db.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'run'").fetchone()
        name = f"{last + 1}.run"
        draft = self.folder / f"{name}.new"
        try:
            yield draft, name
            draft.chmod(database.st_mode & 0o777)
            own(draft, database)
            sync(draft)
            draft.replace(self.folder / name)
            sync(self.folder)
        finally:
            draft.unlink(missing_ok=True)

    def _insert(self, db: Session, body: bytes | None, file: str | None) -> None:
        run = Run.load(body or b"") if file is None or self.folder is None else Run.open(self.folder / file)
        if run.entries:
            db.execute("INSERT INTO run(entries, file, body) VALUES (?, ?, ?)", (run.entries, file, body))

    def _replace(self, db: Session, ids: Sequence[int], body: bytes | None, file: str | None) -> None:
        db.executemany("DELETE FROM run WHERE id = ?", [(id,) for id in ids])
        self._insert(db, body, file)

    def _named(self, db: Session, ids: Sequence[int]) -> list[Run]:
        self.load(db)
        return [self._open[id] for id in ids]

    def due(self, db: Session) -> tuple[list[int], int]:
        """The ids of runs that should become one now, or none, and how many keys they have together."""
        ids: list[int] = []
        keys = 0
        for id, entries in db.execute("SELECT id, entries FROM run ORDER BY id DESC").fetchall():
            if ids and entries >= RATIO * keys:
                break
            ids.append(id)
            keys += entries
        return (ids, keys) if len(ids) >= FAN_OUT or (len(ids) > 1 and keys >= LARGE) else ([], 0)

    def merge(self, db: Session, ids: Sequence[int], labels: int, cut: tuple[int, int]) -> list[int]:
        """Makes these runs one file; what `cut` dropped, per label, as a fingerprint. Memory: about the new run."""
        runs = self._named(db, ids)
        if self.folder is None:
            with readable("the store"):
                body, gone = run_merge(runs, labels, cut)
            self._replace(db, ids, body, None)
        else:
            with self._draft(db) as (draft, name), readable(self.folder):
                _, gone = run_merge(runs, labels, cut, draft)
            self._replace(db, ids, None, name)
        return gone

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Lets go of what was read inside a transaction if it fails: its ids will be given again."""
        before = self._open
        try:
            yield
        except BaseException:
            self._open = {id: run for id, run in self._open.items() if before.get(id) is run}
            raise

    def forget(self) -> None:
        """Lets go of everything."""
        self._open = {}

    def cut_to(self, db: Session, limit: int) -> tuple[int, int]:
        """The mildest cut that leaves at most `limit` keys."""
        (labels,) = db.execute("SELECT count(*) FROM label").fetchone()
        with readable("the store"):
            return run_cut(self.load(db), labels, limit)

    def standing(self, db: Session, keys: MailFeatures | bytes, age: int) -> bytes:
        """The keys of a mail that expiry has left, of those learned at that age."""
        with readable("the store"):
            return run_standing(self.load(db), keys, age)

    def sweep(self, db: Session) -> None:
        """Deletes files that no committed run names. Under the write lock: another process may be about to name one."""
        if self.folder is None or not self.folder.is_dir():
            return
        named = {file for (file,) in db.execute("SELECT file FROM run WHERE file IS NOT NULL").fetchall()}
        for file in self.folder.iterdir():
            if file.name not in named:
                file.unlink(missing_ok=True)


@contextmanager
def readable(where: Path | str) -> Iterator[None]:
    """Says of damage that is found in a run where it is."""
    try:
        yield
    except StoreError:
        raise
    except ValueError as error:
        raise StoreError(f"{where}: {error}") from error
