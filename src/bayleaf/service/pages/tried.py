"""Tried: the mails that people put into the page, for as long as they look at them."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass

from bayleaf.service.pages.correction import Correction

MOST = 64 * 2**20  # bytes of all of them; the oldest go first


@dataclass
class Trial:
    """A mail (bytes) or a text without headers (str), and what has been done with it here."""

    raw: bytes | str
    user: str = ""
    history: int | None = None
    corrected: Correction | None = None


class Tried:
    """Trials by name. Names cannot be guessed; a restart forgets them.

    >>> tried = Tried()
    >>> tried.get(tried.put(Trial(b"Subject: a"))).raw
    b'Subject: a'
    """

    def __init__(self) -> None:
        self._size = 0
        self._trials: OrderedDict[str, Trial] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, trial: Trial) -> str:
        """Its name."""
        name = secrets.token_urlsafe(12)
        with self._lock:
            self._trials[name] = trial
            self._size += len(trial.raw)
            while self._size > MOST and len(self._trials) > 1:
                self._size -= len(self._trials.popitem(last=False)[1].raw)
        return name

    def get(self, name: str) -> Trial | None:
        """The trial of that name while it is here."""
        with self._lock:
            return self._trials.get(name)
