"""Shelf: the filters that one thread holds open."""

from __future__ import annotations

import logging
from collections import OrderedDict
from hashlib import blake2s
from pathlib import Path
from urllib.parse import quote

from bayleaf._core import MailFeatures
from bayleaf.errors import BadValueError, StoreAwayError, StoreError
from bayleaf.mail import Filter, Verdict
from bayleaf.service.marks import printable
from bayleaf.store.address import LONGEST as LONGEST_STORE
from bayleaf.store.address import Address
from bayleaf.store.occupied import exists

log = logging.getLogger("bayleaf")
OPEN = 64  # stores of users held open per thread: two files and some KB each
LONGEST = 200  # bytes of a user's file name; file systems allow 255, and SQLite appends to it


class Shelf:
    """The shared filter and those of the users who came last. An SQLite connection belongs to the thread that made it.

    `users` is the folder of their stores, or an address in PostgreSQL that they share a connection to, or None when
    everybody shares one store.
    """

    def __init__(self, store: Path | Address, users: Path | Address | None) -> None:
        if users is not None and mixed(store, users):
            raise StoreError(
                f"{store} is where the store of a user would be, so that they would teach everybody: "
                f"keep it elsewhere than {users}, or name another place for the users"
            )
        self.users = users
        self.shared = Filter.open(store)
        self._own: OrderedDict[str, Filter] = OrderedDict()
        self._strange: set[str] = set()  # users whose stores cannot be used, which has been said

    def theirs(self, user: str) -> Filter:
        """The filter of a user who has learned something, else the shared one."""
        if not user or self.users is None:
            return self.shared
        if self._held(user) is None and not exists(user_store(self.users, user), self.shared.store):
            return self.shared
        return self.learning(user)

    def judging(self, user: str) -> Filter:
        """The same, and the shared one for a user whose own store cannot be opened."""
        try:
            return self.theirs(user)
        except StoreAwayError:
            raise
        except StoreError as error:
            return self._instead(user, error)

    def judged(self, raw: bytes | str, user: str) -> tuple[MailFeatures, Verdict]:
        """A mail, and what it is to a user; damage of a store may be found only now."""
        judge = self.judging(user)
        try:
            return self._judged(judge, raw)
        except StoreAwayError:
            raise
        except StoreError as error:
            if judge is self.shared:
                raise
            return self._judged(self._instead(user, error), raw)

    def _judged(self, judge: Filter, raw: bytes | str) -> tuple[MailFeatures, Verdict]:
        features = judge.read(raw)
        return features, judge.judge_features(features, raw)

    def _instead(self, user: str, error: StoreError) -> Filter:
        """The shared filter, which is better than none for a user whose own store cannot be used."""
        if user not in self._strange:
            log.warning("user %s is judged by the shared store alone: %s", printable(user), error)
            self._strange.add(user)
        if user in self._own:
            self._own.pop(user).close()
        return self.shared

    def learning(self, user: str) -> Filter:
        """The filter of a user, whose store is made when missing; the shared one when nobody is named."""
        if not user or self.users is None:
            return self.shared
        held = self._held(user)
        if held is not None:
            self._own.move_to_end(user)
            return held
        found = Filter.open(user_store(self.users, user), shared=self.shared)
        self._own[user] = found
        if len(self._own) > OPEN:
            self._own.popitem(last=False)[1].close()
        return found

    def _held(self, user: str) -> Filter | None:
        """The filter of a user that is open; one whose store was deleted or replaced meanwhile is let go."""
        held = self._own.get(user)
        if held is None or not held.store.moved:
            return held
        self._own.pop(user).close()
        return None

    def hurry(self) -> None:
        """No store may keep whoever asks waiting for long; from any thread."""
        for each in (self.shared, *list(self._own.values())):
            each.store.hurry()

    def close(self) -> None:
        """Closes every store; in the thread that opened them."""
        while self._own:
            self._own.popitem()[1].close()
        self.shared.close()


def user_store(users: Path | Address, user: str) -> Path | Address:
    """The file or schema of a user. Every name has its own, and none lies outside the folder.

    >>> user_store(Path("users"), "../ann").name
    '..%2Fann.db'
    """
    name = quote(user, safe="@+=,")
    if len(name) > LONGEST or not user.isprintable():
        raise BadValueError(
            f"found a user name that takes {len(name)} bytes in a file name, expected at most {LONGEST} and only "
            "printable characters; those beyond ASCII take 6 to 12 bytes each"
        )
    if isinstance(users, Path):
        return users / f"{name}.db"
    plain = f"{users.store}/{name}"
    if len(plain) <= LONGEST_STORE:
        return users.beside(plain)
    return users.beside(f"{users.store}#{blake2s(name.encode(), digest_size=16).hexdigest()}")  # no plain name has a #


def mixed(store: Path | Address, users: Path | Address) -> bool:
    """Whether the store of some user would be this one.

    >>> mixed(Path("/srv/mail.db"), Path("/srv")), mixed(Path("/srv/mail.db"), Path("/srv/users"))
    (True, False)
    """
    if isinstance(store, Path) and isinstance(users, Path):
        return store.suffix == ".db" and store.resolve().parent == users.resolve()
    if isinstance(store, Address) and isinstance(users, Address):
        return store.database == users.database and store.store.startswith((f"{users.store}/", f"{users.store}#"))
    return False
