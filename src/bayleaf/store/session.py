"""Session: what the store asks of a connection, whichever database it leads to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Cursor(Protocol):
    """The rows of an answer."""

    @property
    def rowcount(self) -> int:
        """Rows that were changed."""

    def fetchone(self) -> Any:
        """The next row, or None."""

    def fetchall(self) -> list[Any]:
        """All of them."""

    def __iter__(self) -> Iterator[Any]: ...


class Session(Protocol):
    """SQL that SQLite and PostgreSQL both understand, with ``?`` for each value.

    Answers are fetched whole where they are short: a cursor that an interrupt leaves halfway keeps its connection at
    what it has seen, and SQLite then refuses to write what others have gone beyond.
    """

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Cursor:
        """One statement."""

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object:
        """One statement for each row."""


class Backend(Protocol):
    """A database that holds a store: `Database` for SQLite, `PostgresDatabase`."""

    @property
    def readonly(self) -> bool:
        """Whether learning is refused."""

    @property
    def moved(self) -> bool:
        """Whether another store, or none, is in its place by now."""

    def prepare(self, secret: bytes | None, labels: tuple[str, ...], names: bool) -> None:
        """Makes the store, or makes an older one current; refuses a newer one."""

    def version(self) -> object:
        """Something that is another when anybody else has committed."""

    def read(self) -> AbstractContextManager[Session]:
        """One consistent view."""

    def write(self, durable: bool = False) -> AbstractContextManager[Session]:
        """The only writer, for a moment: all of it or nothing. `durable` returns only when the disk has it."""

    def damage(self) -> str | None:
        """What the database itself finds wrong with it."""

    def size(self) -> int:
        """Bytes it takes."""

    def hurry(self) -> None:
        """Has questions no longer wait long for an answer; from any thread."""

    def close(self) -> None:
        """Ends the connection."""
