"""Address: where a store lies in PostgreSQL; and what a user may write for a place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from bayleaf.errors import StoreError

SCHEMES = ("postgresql://", "postgres://")
# What libpq takes as well, and an address that lacks a slash, would be the names of files.
MISTYPED = ("postgresql:", "postgres:", "host=", "hostaddr=", "port=", "user=", "password=", "dbname=", "service=")
LONGEST = 63  # bytes of a name in PostgreSQL


class Address(NamedTuple):
    """A database and the schema in it that holds the store.

    >>> address = Address.parse("postgresql://ann:secret@db.example/mail?store=ann&sslmode=require")
    >>> address.database, address.store
    ('postgresql://ann:secret@db.example/mail?sslmode=require', 'ann')
    >>> print(address)
    postgresql://ann:***@db.example/mail?sslmode=require&store=ann
    """

    database: str
    store: str = "bayleaf"

    @classmethod
    def parse(cls, text: str) -> Address:
        """``postgresql://user@host/database?store=NAME``: what libpq takes, and the name of the store."""
        base, _, query = text.partition("?")
        fields = [field for field in query.split("&") if field]
        rest = "&".join(field for field in fields if not field.startswith("store="))
        named = [field.removeprefix("store=") for field in fields if field.startswith("store=")]
        return cls(base + ("?" + rest if rest else ""), unquoted(named[-1]) if named else "bayleaf").checked()

    def checked(self) -> Address:
        """This address, if PostgreSQL can have such a schema."""
        if not self.store.isprintable() or not 0 < len(self.store.encode(errors="replace")) <= LONGEST:
            raise StoreError(f"found the store name {self.store!r}, expected 1 to {LONGEST} printable bytes")
        return self

    def beside(self, store: str) -> Address:
        """Another store of the same database."""
        return self._replace(store=store).checked()

    def __str__(self) -> str:
        """The address without what is secret in it."""
        return masked(self.database) + ("&" if "?" in self.database else "?") + f"store={self.store}"

    def __repr__(self) -> str:
        """The same: it may end in a log."""
        return f"<{type(self).__name__} {self}>"


def masked(text: str) -> str:
    """An address without its passwords, whatever is wrong with it. Rather too much is hidden than too little.

    >>> masked("postgresql://ann:a/b?c@db.example/mail?sslpassword=x&sslmode=require")
    'postgresql://ann:***@db.example/mail?sslpassword=***&sslmode=require'
    """
    scheme, mark, rest = text.partition("://")
    known, at, host = rest.rpartition("@")
    user, colon, _ = known.partition(":")
    if mark and at and colon and "/" not in user and "?" not in user:
        rest = f"{user}:***@{host}"
    base, more, query = rest.partition("?")
    return scheme + mark + base + more + "&".join(map(masked_field, query.split("&")))


def masked_field(field: str) -> str:
    """A field of an address; libpq takes its name with escapes as well."""
    name, equals, _ = field.partition("=")
    secret = any(sign in unquoted(name).lower() for sign in ("pass", "pwd"))  # mistyped ones, too
    return f"{name}=***" if equals and secret else field


def unquoted(text: str) -> str:
    """A field of an address as it was before it was escaped."""
    from urllib.parse import unquote  # noqa: PLC0415 - not for every mail

    return unquote(text)


def stray(address: str | Path) -> str:
    """Why an address is refused where a file is meant; a path has only one of its slashes.

    >>> stray(Path("postgresql://ann:secret@db.example/mail")).partition(";")[0]
    'found the address postgresql://ann:***@db.example/mail, expected a file'
    """
    scheme, _, rest = str(address).partition(":")
    shown = masked(f"{scheme}://{rest.lstrip('/')}")
    return f"found the address {shown}, expected a file; a store in a database is named by --store or BAYLEAF_STORE"


def file_named(name: str | Path) -> Path:
    """The file that a user named; an address would become the name of one, and be shown with its password."""
    if str(name).startswith(MISTYPED[:2]):
        raise StoreError(stray(name))
    return Path(name)


def real(path: Path) -> Path:
    """The file itself, behind all links: what belongs to a store lies beside it, whatever name it was opened by."""
    return Path(os.path.realpath(path))  # Path.resolve fails where links lead in a circle


def same(one: Path | Address | None, other: Path | Address | None) -> bool:
    """Whether two places are one store.

    >>> same(Path("mail.db"), Path("./mail.db")), same(Path("mail.db"), Address("postgresql://db/mail"))
    (True, False)
    """
    if isinstance(one, Path) and isinstance(other, Path):
        return real(one) == real(other)
    return one is not None and one == other


def place(text: str | Path | Address) -> Path | Address | None:
    """What a user wrote for a store: a path, an address, or None for one in memory.

    >>> place(":memory:") is None, place("sqlite:///var/mail.db").name
    (True, 'mail.db')
    """
    if isinstance(text, Address):
        return text
    if not isinstance(text, str | Path):
        raise StoreError(f"found {text!r}, expected a path or an address as text; a store in memory is ':memory:'")
    text = str(text)
    if text.startswith(SCHEMES):
        return Address.parse(text)
    text = text.removeprefix("sqlite://")
    if text.startswith(MISTYPED):  # not shown: there may be a password in it
        raise StoreError("found an address in another form, expected postgresql://user@host/database, or a path")
    if "://" in text:
        raise StoreError(
            f"found the address {masked(text)!r}, expected a path, sqlite:///path, postgresql://host/database "
            "or :memory:"
        )
    if text == ":memory:":
        return None
    path = os.path.expanduser(text)  # noqa: PTH111 - a home that is not known stays, and may be the name of a file
    if path.startswith("~/"):
        raise StoreError(f"found {text!r} and no home of this user, expected HOME to name it, or a path without ~")
    return Path(path)
