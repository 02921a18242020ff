"""PostgresDatabase: a schema of a PostgreSQL database as the place of a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bayleaf.errors import StoreError
from bayleaf.store.address import Address
from bayleaf.store.postgres import schema
from bayleaf.store.postgres.link import PATIENT, Link, refusals
from bayleaf.store.session import Session

# LOCK is no query and takes no snapshot: the writer sees what was committed when its turn came. An advisory lock is a
# query, and what it waited for would be missing from the view it took before. Nobody ever writes to the table `turn`,
# so that its lock does not stand in the way of a vacuum.
BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL search_path TO {schema}"
TURN = f"; {PATIENT}; LOCK TABLE turn IN EXCLUSIVE MODE"
# Another store has another secret, and in one that was restored in its place another transaction wrote it. Behind a
# pooler, a server that was started again or replaced is not felt otherwise.
BORN = "SELECT pg_postmaster_start_time()::text || xmin::text || value FROM {schema}.meta WHERE name = 'secret'"
# Catalogues are read as tables: to_regclass goes by what its connection remembers, as that there is no such schema.
OURS = ("meta", "label", "ledger", "run")
NAMESPACE = "pg_namespace WHERE nspname = ?"
COMMIT = "UPDATE meta SET value = CAST(value AS BIGINT) + 1 WHERE name = 'change'; COMMIT"


class PostgresDatabase:
    """`beside` lends its connection.

    `fresh` is called when runs may be numbered differently: over a new connection, in a store restored in its place.
    """

    def __init__(self, address: Address, fresh: Callable[[], None], beside: object = None) -> None:
        self.address, self.fresh = address, fresh
        self.schema = '"' + address.store.replace('"', '""') + '"'
        shared = isinstance(beside, PostgresDatabase) and beside.address.database == address.database
        self._link: Link | None = beside.link if shared else Link(address.database)  # type: ignore[attr-defined]
        self.link.stores += 1
        self._born = BORN.format(schema=self.schema)
        self._seen: object = None

    @property
    def link(self) -> Link:
        """The connection, until this store is closed: it would be made again else, and others may share it."""
        if self._link is None:
            raise StoreError(f"{self.address}: found a store that was closed; open it again")
        return self._link

    @property
    def readonly(self) -> bool:
        """Whether this server is a copy that only follows another."""
        with refusals(self.address, reading=True):
            (answer,) = self.link.first("SHOW transaction_read_only")
        return bool(answer == "on")

    @property
    def moved(self) -> bool:
        """Never: tables are found by their names with each question."""
        return False

    def found(self) -> int:
        """The version of the store that is there; 0 when there is none, -1 when there are tables of others."""
        named = f"pg_class WHERE relname IN {OURS} AND relnamespace IN (SELECT oid FROM {NAMESPACE})"
        with refusals(self.address, reading=True):
            tables = self._counted(named)
            if tables < len(OURS):
                return -1 if tables else 0
            row = self.link.first(f"SELECT value FROM {self.schema}.meta WHERE name = 'version'")
        return int(row[0]) if row else -1

    def _counted(self, rows: str) -> int:
        (found,) = self.link.first(f"SELECT count(*) FROM {rows}", (self.address.store,))
        return int(found)

    def prepare(self, secret: bytes | None, labels: tuple[str, ...], names: bool) -> None:
        """Makes the store, or makes an older one current; one process at a time."""
        if self.found() < schema.VERSION and not self.readonly:
            with self._alone() as version:
                if version == 0:
                    schema.create(self.link, secret, labels, names)
                elif 0 < version < schema.VERSION:
                    self.link.control("LOCK TABLE turn IN EXCLUSIVE MODE")
                    schema.migrate(self.link, version)
        version = self.found()
        if version != schema.VERSION:
            other = "tables that are no store" if version else "a schema without a store"
            found = f"a store of version {version}" if version > 0 else other
            raise StoreError(
                f"{self.address}: found {found}, expected version {schema.VERSION}: use the bayleaf that wrote it, "
                "or another store"
            )

    def make(self, secret: bytes, names: bool, fill: Callable[[Session], None]) -> None:
        """Makes a store and fills it: others see all of it or nothing."""
        with self._alone() as version:
            if version != 0:
                raise StoreError(f"{self.address} exists: found a store there, expected none; move it away first")
            schema.create(self.link, secret, (), names)
            fill(self.link)

    @contextmanager
    def _alone(self) -> Iterator[int]:
        """One transaction for whoever makes or changes tables; the version that was there, 0 for none."""
        with refusals(self.address), self.link.patient():
            try:
                self.link.begin(f"BEGIN ISOLATION LEVEL READ COMMITTED; {PATIENT}")
                self.link.execute("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", (f"bayleaf {self.schema}",))
                version = self.found()
                if not self._counted(NAMESPACE):  # one that somebody has made for us needs no right to make any
                    self.link.control(f"CREATE SCHEMA {self.schema}")
                self.link.control(f"SET LOCAL search_path TO {self.schema}")
                yield version
                self.link.control("COMMIT")
            except BaseException:
                self.link.rollback()
                raise

    def version(self) -> tuple[int, str]:
        """The number of the connection, and that of the last change with what tells a store from others."""
        asked = f"SELECT value || ' ' || ({self._born}) FROM {self.schema}.meta WHERE name = 'change'"
        with refusals(self.address, reading=True):
            (change,) = self.link.first(asked)
        return self.link.made, str(change)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """One consistent view; inside another transaction of the same connection, its view."""
        with refusals(self.address, reading=True):
            if self.link.busy:
                with self._inside():
                    yield self.link
                return
            try:  # before it begins, as with SQLite: whoever is interrupted must not leave it open
                self._begin("")
                yield self.link
            finally:
                self.link.rollback()  # nothing was written

    @contextmanager
    def _inside(self) -> Iterator[None]:
        before = self.link.schema
        if before == self.schema:
            yield
            return
        self._look(self.schema)
        try:
            self._meet()
            yield
        finally:
            self._look(before)

    def _look(self, schema: str) -> None:
        self.link.control(f"SET LOCAL search_path TO {schema}")
        self.link.schema = schema

    @contextmanager
    def write(self, durable: bool = False) -> Iterator[Session]:
        """The only writer of this store, for a moment. What was committed is on the server's disk in any case."""
        with refusals(self.address), self.link.patient():
            if self.link.busy:
                raise StoreError(f"{self.address}: a change is open already; finish it before the next")
            try:
                self._begin(TURN)
                yield self.link
                self.link.control(COMMIT)
            except BaseException:
                self.link.rollback()
                raise

    def _begin(self, more: str) -> None:
        self.link.begin(BEGIN.format(schema=self.schema) + more)
        self.link.schema = self.schema
        self._meet()

    def _meet(self) -> None:
        """Inside a transaction: whether this is still what was read before."""
        found = self.link.made, self.link.first(self._born)
        if found != self._seen:
            self._seen = found
            self.fresh()

    def damage(self) -> None:
        """PostgreSQL has no such check of its own; runs carry a fingerprint each."""

    def size(self) -> int:
        """Bytes of tables and indexes."""
        with refusals(self.address, reading=True):
            (size,) = self.link.execute(
                "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c "
                "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname = ?",
                (self.address.store,),
            ).fetchone()
        return int(size)

    def hurry(self) -> None:
        """Has a server that is silent be away soon."""
        link = self._link  # whose owner may close it meanwhile
        if link is not None:
            link.hurry()

    def close(self) -> None:
        """Ends the connection when no other store uses it."""
        link, self._link = self._link, None
        if link is None:
            return
        link.stores -= 1
        if link.stores == 0:
            link.close()
