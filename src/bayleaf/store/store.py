"""Store: which mails were learned as what (the ledger), and the runs whose sum their counts are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from bayleaf.errors import StoreError
from bayleaf.store.address import Address, real
from bayleaf.store.change import Change
from bayleaf.store.database import Database
from bayleaf.store.label import refuse_labels
from bayleaf.store.ledger import Ledger, put
from bayleaf.store.occupied import exists, expect_file, refuse_runs, refuse_store
from bayleaf.store.runs import Runs
from bayleaf.store.state import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bayleaf.store.session import Backend, Session

T = TypeVar("T")
MOST_KEYS = 30_000_000  # about 420 MB on disk for two labels; beyond that the oldest keys go


class Store:
    """A store at `path`, made when it is not there; `path` None keeps it in memory.

    `beside` is a store of the same PostgreSQL database that lends its connection.

    >>> store = Store(None, labels=("spam", "ham"))
    >>> with store.change(day=9000) as change:
    ...     change.learn(b"a mail", change.label("spam"), (17).to_bytes(8, "little"))
    True
    >>> store.state().totals
    (1, 0)
    """

    def __init__(
        self,
        path: Path | Address | None,
        *,
        labels: tuple[str, ...] = ("spam", "ham"),
        secret: bytes | None = None,
        names: bool = True,
        beside: Store | None = None,
    ) -> None:
        self.path = path
        refuse_labels(labels)
        if isinstance(path, Path):
            expect_file(path)
            refuse_runs(path)
        self._runs = Runs(path)
        self._database: Backend = database(path, self._runs.forget, None if beside is None else beside._database)
        self._state: tuple[object, State] | None = None
        self._database.prepare(secret, labels, names)
        with self._database.read() as db:
            about = dict(db.execute("SELECT name, value FROM meta"))
        self.secret: bytes = _secret(about, path)
        self.names = bool(int(about["names"]))

    @property
    def readonly(self) -> bool:
        """Whether learning is refused because the file cannot be written."""
        return self._database.readonly

    @property
    def moved(self) -> bool:
        """Whether another store, or none, is in its place by now. What was opened can still be read."""
        return self._database.moved

    def state(self) -> State:
        """The state now; kept until another connection or this one commits."""
        if self._state is not None and self._state[0] == self._database.version():
            return self._state[1]
        self._state = found = self._steadily(lambda db: (self._database.version(), self._read(db)))
        return found[1]

    def _steadily(self, look: Callable[[Session], T]) -> T:
        """What is seen in one view. A file may be merged away by another process after it was listed: look again."""
        for _ in range(100):
            try:
                with self._database.read() as db:
                    return look(db)
            except StoreError as error:
                if not isinstance(error.__cause__, FileNotFoundError):
                    raise
        raise StoreError(
            f"{self.path}: a file of its runs is missing, which belongs in {self._runs.folder}: copy or move that "
            "folder as well, or restore the store from a backup"
        )

    def _read(self, db: Session) -> State:
        rows = db.execute("SELECT name, mails FROM label ORDER BY id").fetchall()
        about = dict(db.execute("SELECT name, value FROM meta WHERE name IN ('age', 'layer', 'secret')"))
        if _secret(about, self.path) != self.secret:
            raise StoreError(f"{self.path} is another store since it was opened: open it again")
        return State(
            labels=tuple(name for name, _ in rows),
            totals=tuple(mails for _, mails in rows),
            runs=self._runs.load(db),
            age=int(about["age"]),
            layer=about.get("layer", ""),
        )

    @contextmanager
    def change(self, day: int) -> Iterator[Change]:
        """One transaction of learning and unlearning: all of it or nothing."""
        try:
            with self._runs.trial(), self._database.write() as db:
                change = Change(db, self._runs, day)
                yield change
                change.finish()
        finally:
            self._state = None
        self._tidy()

    @contextmanager
    def ledger(self, write: bool = False) -> Iterator[Ledger]:
        """The ledger, to read or to write what does not change counts."""
        with self._database.write() if write else self._database.read() as db:
            yield Ledger(db)

    def set(self, name: str, value: str) -> None:
        """One of the few values that belong to the whole store."""
        with self._database.write() as db:
            put(db, name, value)
        self._state = None

    def _tidy(self) -> None:
        """Merges what is due. Failing is no harm: the runs stay as they are and the next change tries again."""
        try:
            with self._database.read() as db:
                due, _ = self._runs.due(db)
            if due:
                self._merge(everything=False)
        except StoreError:
            pass

    def compact(self) -> None:
        """Makes all runs one."""
        self._merge(everything=True)

    def last_day(self) -> int:
        """The day on which the latest of the known mails was learned; 0 when there is none."""
        with self._database.read() as db:
            (day,) = db.execute("SELECT coalesce(max(day), 0) FROM ledger").fetchone()
        return int(day)

    def expire(self, before: int = 0, limit: int = MOST_KEYS) -> int:
        """Forgets keys last seen before a day, and the oldest until at most `limit` are left; how many went."""
        with self._runs.trial(), self._database.write(durable=True) as db:
            if not self._whole(db):  # a key in two runs is one key: only in one run can be counted what went
                self._cut(db, _ids(db), (0, 0))
            held = _entries(db)
            self._cut(db, _ids(db), max(self._runs.cut_to(db, min(limit, held)), (before, 0)))
            gone = held - _entries(db)
        self._sweep()
        return gone

    def _cut(self, db: Session, ids: list[int], cut: tuple[int, int]) -> None:
        """Makes these runs one without what `cut` drops; (0, 0) drops nothing."""
        change = Change(db, self._runs, 0)
        gone = self._runs.merge(db, ids, len(change.labels), cut) if ids else []
        if any(gone):
            for label, fingerprint in enumerate(gone):
                change.drop(label, fingerprint)
            db.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE name = 'age'")

    def _merge(self, everything: bool) -> None:
        with self._runs.trial(), self._database.write(durable=True) as db:
            all_ids = _ids(db)
            ids, _ = self._runs.due(db)
            if everything:
                ids = [] if self._whole(db) else all_ids
            over = len(ids) == len(all_ids) and _entries(db) > MOST_KEYS
            self._cut(db, ids, self._runs.cut_to(db, MOST_KEYS) if over else (0, 0))
        self._sweep()

    def _whole(self, db: Session) -> bool:
        rows = db.execute("SELECT body IS NULL FROM run").fetchall()
        return len(rows) == 1 and (bool(rows[0][0]) or self._runs.folder is None)

    def _sweep(self) -> None:
        self._state = None
        with self._database.write() as db:
            self._runs.sweep(db)

    def check(self) -> dict[str, int]:
        """Recounts ledger and counts; raises StoreError when they do not agree."""
        from bayleaf.store.audit import audit

        return self._steadily(lambda db: audit(db, self._runs, self._database.damage))

    def backup(self, target: Path, new: bool = False) -> None:
        """The whole store as one file, which is a store itself. With `new`, a store that is there is not replaced.

        A store that is damaged is refused: its backup could not be restored, and would take the place of a good one.
        """
        from bayleaf.store.audit import audit
        from bayleaf.store.backup import backup, refuse_used

        expect_file(target)
        target = real(target)

        def free() -> None:
            expect_file(target)
            if new:
                refuse_store(target)
            refuse_used(target, self.path)

        free()
        # Files can be merged away under a reader; rows cannot.
        steady = self._runs.folder is None or self.readonly
        with self._database.read() if steady else self._database.write() as db:
            audit(db, self._runs, self._database.damage)
            backup(db, self._runs, self, target, free)

    def _move(self, place: Address) -> None:
        """Makes a store of this one's contents in PostgreSQL."""
        from bayleaf.store.backup import copy_rows
        from bayleaf.store.postgres.database import PostgresDatabase
        from bayleaf.store.postgres.schema import count_on

        def fill(ours: Session) -> None:
            copy_rows(theirs, self._runs, ours)
            count_on(ours)

        with closing(PostgresDatabase(place, lambda: None)) as target, self._database.read() as theirs:
            target.make(self.secret, self.names, fill)

    @classmethod
    def restore(cls, source: Path, path: Path | Address) -> Store:
        """A new store at `path` from a backup, which is checked first. It is there whole or not at all."""
        if not exists(source):
            raise StoreError(f"{source}: found nothing there, expected a backup")
        if isinstance(path, Path):
            expect_file(path)
            refuse_runs(path)  # before the backup is read
        refuse_store(path)
        copy = cls(source)
        try:
            copy.check()
            if isinstance(path, Path):
                copy.backup(path, new=True)
            else:
                copy._move(path)
        finally:
            copy.close()
        store = cls(path)
        with suppress(StoreError):  # it is there and whole, also where there is no room to lay its counts out as a file
            store.compact()
        return store

    def size(self) -> int:
        """What the store takes on the disk, or about that in memory."""
        if self.path is None:
            return sum(run.size for run in self.state().runs)
        return self._database.size() + self._runs.size()

    def hurry(self) -> None:
        """From any thread: whoever asks this store may no longer be kept waiting long, the process is about to end."""
        self._database.hurry()

    def close(self) -> None:
        """Ends the connection."""
        self._state = None
        self._database.close()


def _ids(db: Session) -> list[int]:
    """The runs there are."""
    return [id for (id,) in db.execute("SELECT id FROM run").fetchall()]


def _entries(db: Session) -> int:
    """The keys of all runs; one in two runs counts twice."""
    (entries,) = db.execute("SELECT coalesce(sum(entries), 0) FROM run").fetchone()
    return int(entries)


def _secret(about: dict[str, object], place: Path | Address | None) -> bytes:
    """The secret among the values of a store; PostgreSQL has it as text."""
    held = about.get("secret")
    if held is None:
        raise StoreError(f"{place}: found no secret in it, without which no mail can be read; restore it from a backup")
    return held if isinstance(held, bytes) else bytes.fromhex(str(held))


def database(place: Path | Address | None, fresh: Callable[[], None], beside: Backend | None) -> Backend:
    """What holds a store there."""
    if not isinstance(place, Address):
        return Database(place)
    from bayleaf.store.postgres.database import PostgresDatabase

    return PostgresDatabase(place, fresh, beside)
