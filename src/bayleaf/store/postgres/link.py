"""Link: one connection to PostgreSQL, made again when it was lost."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bayleaf.errors import StoreAwayError, StoreError
from bayleaf.store.address import masked
from bayleaf.store.session import Cursor

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.pq import TransactionStatus

    from bayleaf.store.postgres.heard import Heard
except ImportError as error:
    raise StoreError(f"PostgreSQL needs psycopg ({error}): pip install 'bayleaf[postgres]'") from error

# A server that is gone must be noticed by a mail that waits for an answer; what the address says goes first.
PATIENCE: dict[str, str | int] = {
    "connect_timeout": 3,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "bayleaf",
}
PAUSE = 0.5  # seconds between two attempts to connect; meanwhile mails are refused at once instead of waiting for each
# Connections that fail, shutdowns and starts; an error without a state is libpq's own: one that could not be made, as
# when there are too many clients.
AWAY = ("08", "57P")
# Only a lock that somebody else takes on whole tables keeps a reader waiting: a mail is better told to come again. As
# with SQLite, a writer waits two minutes for another; one that has vanished in its turn loses it after as long.
SESSION = "SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '120s'"
PATIENT = "SET LOCAL lock_timeout = '120s'"
# Seconds without a byte after which a server is away. The longest silence of one that works is before the largest run
# comes: 420 MB from a disk that reads 14 MB a second. A writer's turn takes its 120 seconds and as long.
SILENCE = 30.0
WRITING = 150.0
HASTE = 3.0  # when the process is about to end

REMEDIES: dict[type[psycopg.Error] | tuple[type[psycopg.Error], ...], str] = {
    psycopg.errors.DiskFull: "free some space and try again; each mail is counted whole or not at all",
    psycopg.errors.InsufficientPrivilege: "ask for the rights of the tables' owner",
    psycopg.errors.ReadOnlySqlTransaction: "nothing can be learned here: name the server or role that may write",
    psycopg.errors.LockNotAvailable: "another writer is at it; try again",
    psycopg.errors.QueryCanceled: "try again, and raise the statement_timeout of this role if that is what ended it",
    (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure): "another writer was in the way; try again",
}


class Link:
    """A `Session`, shared by the stores of one database that one thread holds open."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.stores = 0
        self.schema = ""  # of the transaction that is open
        self.silence = self._usual = SILENCE
        self._hasty = False
        self.made = 0  # how often a connection was made; numbers given before a crash may be given again after it
        self._owner = os.getpid(), threading.get_ident()
        self._connection: Heard | None = None
        self._failed: tuple[float, psycopg.Error] | None = None

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Cursor:
        """One statement with its values; rows come in binary form."""
        cursor = self._made().cursor(binary=True)
        return cursor.execute(sql.replace("?", "%s").encode(), values) if values else cursor.execute(sql.encode())

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        """One statement for each row."""
        self._made().cursor().executemany(sql.replace("?", "%s").encode(), rows)

    def control(self, sql: str) -> None:
        """Several statements without values, in one message."""
        self._made().execute(sql.encode())

    def first(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """The first row of a question; outside of a transaction, if need be over a new connection."""
        inside = self.busy
        try:
            return self.execute(sql, values).fetchone()
        except psycopg.OperationalError:
            if inside or self._final:  # what follows in a transaction must not be done without it
                raise
            return self.execute(sql, values).fetchone()

    def begin(self, sql: str) -> None:
        """The statements that open a transaction, if need be over a new connection: nothing has been done yet."""
        try:
            self.control(sql)
        except psycopg.OperationalError:
            if self._final:
                raise
            self.control(sql)

    def rollback(self) -> None:
        """Ends a transaction that failed; a lost connection has ended its own."""
        if self.busy:
            try:
                self.control("ROLLBACK")
            except psycopg.OperationalError:
                self.close()

    @property
    def _final(self) -> bool:
        """Whether a failure is not to be mended by a new connection."""
        return self._hasty or not self.lost

    @property
    def lost(self) -> bool:
        """Whether the next statement needs a new connection."""
        return self._connection is None or self._connection.closed

    @property
    def busy(self) -> bool:
        """Whether a transaction is open."""
        return not self.lost and self._made().info.transaction_status != TransactionStatus.IDLE

    @contextmanager
    def patient(self) -> Iterator[None]:
        """A transaction that may wait for others: the server is silent meanwhile."""
        self._mine()
        self.silence = WRITING
        try:
            yield
        finally:
            self.silence = self._usual

    def hurry(self) -> None:
        """From any thread: what is asked, also now, waits a few seconds at most. A writer's turn is another matter."""
        self._hasty, self._usual = True, HASTE
        if self.silence != WRITING:
            self.silence = HASTE
            if self._connection is not None:
                self._connection.silence = HASTE

    def _mine(self) -> None:
        """As with SQLite: two threads, or a process and its fork, would be in each other's transactions."""
        if self._owner != (os.getpid(), threading.get_ident()):
            raise StoreError(
                f"{masked(self.database)}: found a call from another thread or process than the one that opened the "
                "store; open it in each"
            )

    def _made(self) -> Heard:
        self._mine()
        if self._connection is not None and not self._connection.closed:
            self._connection.silence = self.silence
            return self._connection
        if self._failed is not None and time.monotonic() < self._failed[0]:
            raise self._failed[1].with_traceback(None)
        try:
            given = {**PATIENCE, **parts(self.database), "client_encoding": "UTF8"}  # a label may be any text
            # A pooler may lead each transaction elsewhere, where nothing has been prepared.
            self._connection = Heard.connect(**given, autocommit=True, prepare_threshold=None)
            self._connection.silence = self.silence
            self._connection.execute(SESSION.encode())
        except psycopg.Error as error:
            self._failed = time.monotonic() + PAUSE, error
            raise
        self._failed = None
        self.made += 1
        return self._connection

    def close(self) -> None:
        """Ends the connection; not that of the process that this one was forked from."""
        if self._connection is not None and self._owner[0] == os.getpid():
            self._connection.close()

    def __del__(self) -> None:
        """A filter that is let go ends its connection, as one on SQLite does."""
        self.close()


def parts(database: str) -> dict[str, Any]:
    """The parts of an address. What libpq says about one that it cannot read, or misreads, may quote the password."""
    host, _, path = database.partition("?")[0].partition("://")[2].partition("/")
    try:
        found: dict[str, Any] = conninfo_to_dict(database)
        plain = host.count("@") < 2 and "@" not in path
        ports = str(found.get("port", "0")).replace(",", "0")  # of several hosts, some without one
        readable = plain and ports.isdigit()
    except psycopg.ProgrammingError:
        readable = False
    if not readable:
        raise StoreError(
            f"found the address {masked(database)}, expected postgresql://user:password@host:port/database: write "
            "% / ? @ and spaces in a password as %25 %2F %3F %40 %20, or keep it in ~/.pgpass"
        )
    return found


@contextmanager
def refusals(place: object, reading: bool = False) -> Iterator[None]:
    """What PostgreSQL refuses, said with the address and the remedy. Who cannot even read finds the store away."""
    try:
        yield
    except psycopg.Error as error:
        text = str(error).strip().replace("\n", " ") or type(error).__name__
        gone = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
        locked = reading and isinstance(error, psycopg.errors.LockNotAvailable)
        away = gone and (locked or (error.sqlstate or "08").startswith(AWAY))
        raise (StoreAwayError if away else StoreError)(f"{place}: {text}; {remedy(error, locked, away)}") from error


def remedy(error: psycopg.Error, locked: bool, away: bool) -> str:
    """What helps. `locked`: a reader was kept waiting; `away`: the server was."""
    if locked:
        return "somebody has locked its tables; try again"
    if away:
        return "check that the server runs and the address is right; bayleaf connects again by itself"
    for kind, words in REMEDIES.items():
        if isinstance(error, kind):
            return words
    return "check the database"
