"""The SQLite file of a store: opened so that many processes can share it, and read where it cannot be written."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bayleaf.errors import StoreError
from bayleaf.store import schema
from bayleaf.store.address import real
from bayleaf.store.owner import own
from bayleaf.whole import size

WAIT = 120.0  # seconds for another writer; a merge of 20 million keys takes about 5
TURN = 500  # milliseconds of that in SQLite, where Python hears no signal

# What SQLite and the native code say to a disk, a quota or a file size that is used up.
FULL = ("full", "disk I/O", "(os error 27)", "(os error 28)", "(os error 122)")


class Database:
    """One connection. `path` is None for a store in memory."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.readonly = path is not None and path.exists() and not _writable(path)
        self._frozen = "found a read-only file, expected a right to write"
        with refusals(path):
            try:
                self._open()
            except sqlite3.OperationalError as error:
                # On a full disk SQLite cannot make the files of its log, but mail still comes in and wants a verdict.
                if path is None or self.readonly or not is_full(error) or not size(real(path)):
                    raise
                self.db.close()
                self.readonly, self._frozen = True, "the disk is full; free some space and try again"
                self._open()

    def _open(self) -> None:
        self.db = self._connect()
        self._file = _file(self.path)
        schema.refuse_foreign(self.db, self.path)
        if not self.readonly:
            self.db.execute("PRAGMA journal_mode = WAL")
            # A killed process loses nothing. After a power cut the last mails may be missing, whole ones; an fsync
            # per mail (4 ms here) would prevent that. Merges do wait for the disk: see `durable`.
            self.db.execute("PRAGMA synchronous = NORMAL")
            self.db.execute("SELECT 1 FROM sqlite_schema").fetchone()  # makes the files of the log

    def _connect(self) -> sqlite3.Connection:
        if self.path is None:
            return sqlite3.connect(":memory:", isolation_level=None)
        uri = self.path.absolute().as_uri()
        if not self.readonly:
            if not self.path.exists():
                made = os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600)  # mail is private
                own(made, real(self.path).parent.stat())
                os.close(made)
            return sqlite3.connect(f"{uri}?mode=rw", uri=True, timeout=WAIT, isolation_level=None)
        db = sqlite3.connect(f"{uri}?mode=ro", uri=True, timeout=WAIT, isolation_level=None)
        try:
            db.execute("PRAGMA user_version").fetchone()
            db.execute("SELECT 1 FROM meta").fetchone()
        except sqlite3.OperationalError as error:
            # Without a right to write, SQLite cannot make the files of its log; without a log there is nothing in it.
            db.close()
            if size(_log(self.path)):
                raise StoreError(
                    f"{self.path}: found a log beside it that cannot be read where nothing may be written ({error}); "
                    "copy the store with all beside it to where you may write"
                ) from error
            db = sqlite3.connect(f"{uri}?immutable=1", uri=True, isolation_level=None)
        return db

    def prepare(self, secret: bytes | None, labels: tuple[str, ...], names: bool) -> None:
        """Makes the store, or makes an older one current; refuses a newer one."""
        with refusals(self.path):
            (version,) = self.db.execute("PRAGMA user_version").fetchone()
        if version < schema.VERSION and not self.readonly:
            with self.write() as db:
                schema.prepare(db, secret, labels, names)
        with self.read() as db:
            schema.check_version(db, self.path)

    def version(self) -> int:
        """A number that changes when another connection commits."""
        with refusals(self.path):
            (version,) = self.db.execute("PRAGMA data_version").fetchone()
        return int(version)

    @property
    def moved(self) -> bool:
        """Whether the path leads to another file by now, or to none. SQLite would go on with the old one."""
        try:
            return self._file is not None and _file(self.path) != self._file
        except OSError:
            return False  # a folder that may no longer be looked into: what is open goes on

    def damage(self) -> str | None:
        """What SQLite's own check finds; its quick one does not ask whether the index finds every mail."""
        (sound,) = self.db.execute("PRAGMA integrity_check(1)").fetchone()
        return None if sound == "ok" else str(sound)

    def size(self) -> int:
        """Bytes of the file and its log; 0 in memory."""
        if self.path is None:
            return 0
        return size(real(self.path)) + size(_log(self.path))

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """One consistent view."""
        with refusals(self.path):
            if self.db.in_transaction:
                yield self.db
                return
            with self.db:  # ends the transaction, also when it is interrupted between BEGIN and the next line
                self.db.execute("BEGIN")
                yield self.db

    @contextmanager
    def write(self, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """The only writer, for a moment: all of it or nothing. `durable` returns only when the disk has it."""
        if self.readonly:
            raise StoreError(f"{self.path} cannot be written: {self._frozen}")
        if self.moved:
            raise StoreError(f"{self.path} was moved away or replaced meanwhile: nothing was changed; open it again")
        with refusals(self.path):
            if self.db.in_transaction:
                raise StoreError(f"{self.path}: a change is open already; finish it before the next")
            if durable:
                self.db.execute("PRAGMA synchronous = FULL")
            try:
                with self.db:  # as in `read`: who waits for another writer and is interrupted must not keep the lock
                    self._begin()
                    yield self.db
            finally:
                if durable:
                    self.db.execute("PRAGMA synchronous = NORMAL")

    def _begin(self) -> None:
        """Waits for other writers, a turn at a time: whoever presses Ctrl-C meanwhile is heard."""
        end = time.monotonic() + WAIT
        self.db.execute(f"PRAGMA busy_timeout = {TURN}")
        try:
            while not self.db.in_transaction:
                try:
                    self.db.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= end:
                        raise
        finally:
            self.db.execute(f"PRAGMA busy_timeout = {WAIT * 1000:.0f}")

    def hurry(self) -> None:
        """A file answers at once."""

    def close(self) -> None:
        """Ends the connection; the last one folds the log into the file."""
        with refusals(self.path):
            self.db.close()


def is_full(error: Exception) -> bool:
    """Whether a disk, a quota or the size of a file is used up."""
    return any(sign in str(error) for sign in FULL) or getattr(error, "errno", None) in (27, 28, 122)


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(real(path).parent, os.W_OK)


def _log(path: Path) -> Path:
    file = real(path)
    return file.with_name(file.name + "-wal")


def _file(path: Path | None) -> tuple[int, int] | None:
    """What tells a file from another one that has its name later; None when there is none."""
    try:
        about = None if path is None else path.stat()
    except FileNotFoundError:
        return None
    return None if about is None else (about.st_dev, about.st_ino)


@contextmanager
def refusals(path: Path | None) -> Iterator[None]:
    """What SQLite and the system refuse, said with the path and the remedy."""
    try:
        yield
    except sqlite3.ProgrammingError as error:
        found, remedy = (
            ("a call from another thread than the one that opened the store", "open it in each thread")
            if "thread" in str(error)
            else ("a store that was closed", "open it again")
        )
        raise StoreError(f"{path or 'store in memory'}: found {found}; {remedy}") from error
    except (sqlite3.Error, OSError) as error:
        text = str(error)
        remedy = (
            "free some space and try again; each mail is counted whole or not at all"
            if is_full(error)
            else "restore it from a backup"
            if "malformed" in text
            else "expected a store: name another file, or restore this one from a backup"
            if "not a database" in text
            else "another process keeps it: let that one finish or end it, and try again"
            if "locked" in text
            else "check the path and its permissions"
        )
        raise StoreError(f"{path or 'store in memory'}: {text}; {remedy}") from error
