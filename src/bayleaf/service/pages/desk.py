"""Desk: what the pages work with."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import NamedTuple, ParamSpec, TypeVar

from bayleaf.service.history import History
from bayleaf.service.live import LiveFilter, dismiss
from bayleaf.service.pages.jobs import Jobs
from bayleaf.service.pages.sessions import Sessions
from bayleaf.service.pages.tried import Tried
from bayleaf.service.tokens import Tokens

P = ParamSpec("P")
T = TypeVar("T")
THREADS = 2  # pages drawn at the same time; mail goes first
WAITING = 1000  # sessions with words that they have not seen yet
UNDOABLE = 50  # corrections of all sessions


class Step(NamedTuple):
    """A mail of the history, what somebody said it is, and what it had been learned as before."""

    id: int
    user: str
    label: str
    previous: str | None


class Undo(NamedTuple):
    """A correction of one or several mails that can be taken back by the session that made it."""

    number: int
    session: str
    steps: list[Step]


class Desk:
    """The filter, its history, who may come, and what people are doing at the moment."""

    def __init__(self, live: LiveFilter, history: History, tokens: Tokens | None) -> None:
        self.live, self.history = live, history
        self.sessions, self.jobs, self.tried = Sessions(tokens), Jobs(), Tried()
        self._undo: list[Undo] = []
        self._numbers = count(1)
        self._pool = ThreadPoolExecutor(THREADS, "page")
        self._words: OrderedDict[str, list[str]] = OrderedDict()
        self._lock = threading.Lock()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does work in a thread of the pages."""
        return await asyncio.wrap_future(self._pool.submit(work, *args, **kwargs))

    def say(self, session: str, words: str) -> None:
        """Words that the next page of a session shows."""
        with self._lock:
            self._words.setdefault(session, []).append(words)
            if len(self._words) > WAITING:
                self._words.popitem(last=False)

    def said(self, session: str) -> list[str]:
        """And are shown once."""
        with self._lock:
            return self._words.pop(session, [])

    def did(self, session: str, steps: list[Step]) -> None:
        """Keeps a correction that can be undone, and forgets the oldest."""
        with self._lock:
            self._undo = [*self._undo[1 - UNDOABLE :], Undo(next(self._numbers), session, steps)]

    def last(self, session: str) -> Undo | None:
        """The last correction of a session."""
        with self._lock:
            return next((each for each in reversed(self._undo) if each.session == session), None)

    def undo(self, session: str, number: int) -> list[Step]:
        """The steps of a correction, once: a form that is sent again finds nothing."""
        with self._lock:
            found = [each for each in self._undo if (each.number, each.session) == (number, session)]
            self._undo = [each for each in self._undo if each not in found]
        return found[0].steps if found else []

    def close(self) -> None:
        """Ends jobs after the batch they are at, and the threads."""
        self.jobs.close(self.live.leave)
        dismiss(self._pool, THREADS, self.live)
