"""Shelf: the filters that one thread holds open."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from urllib.parse import quote

from bayleaf.errors import BadValueError
from bayleaf.mail import Filter

OPEN = 64  # stores of users held open per thread: two files and some KB each
LONGEST = 200  # bytes of a user's file name; file systems allow 255, and SQLite appends to it


class Shelf:
    """The shared filter and those of the users who came last. An SQLite connection belongs to the thread that made it.

    `users` is the folder of their stores, or None when everybody shares one.
    """

    def __init__(self, store: Path, users: Path | None) -> None:
        self.users = users
        self.shared = Filter.open(store)
        self._own: OrderedDict[str, Filter] = OrderedDict()

    def judging(self, user: str) -> Filter:
        """The filter of a user who has learned something, else the shared one."""
        if not user or self.users is None:
            return self.shared
        if user not in self._own and not user_store(self.users, user).exists():
            return self.shared
        return self.learning(user)

    def learning(self, user: str) -> Filter:
        """The filter of a user, whose store is made when missing; the shared one when nobody is named."""
        if not user or self.users is None:
            return self.shared
        if user in self._own:
            self._own.move_to_end(user)
            return self._own[user]
        found = Filter.open(user_store(self.users, user), shared=self.shared)
        self._own[user] = found
        if len(self._own) > OPEN:
            self._own.popitem(last=False)[1].close()
        return found

    def close(self) -> None:
        """Closes every store; in the thread that opened them."""
        while self._own:
            self._own.popitem()[1].close()
        self.shared.close()


def user_store(users: Path, user: str) -> Path:
    """The file of a user. Every name has its own, and none lies outside the folder.

    >>> user_store(Path("users"), "../ann").name
    '..%2Fann.db'
    """
    name = quote(user, safe="@+=,")
    if len(name) > LONGEST or not user.isprintable():
        raise BadValueError(f"found a user name of {len(user)} characters, expected printable ones, at most {LONGEST}")
    return users / f"{name}.db"
