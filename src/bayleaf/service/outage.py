"""Outage: the time in which the store of a daemon does not answer."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from bayleaf.errors import BayleafError, StoreAwayError

log = logging.getLogger("bayleaf")
PAUSE = 0.5  # seconds between two attempts to reach the store


class Outage:
    """While it lasts, mails are refused at once, and a thread looks whether the store is back.

    Without it each mail would try to connect, and a server that swallows packets would cost every client 3 seconds.
    `look` raises StoreAwayError as long as the store cannot be reached.

    >>> outage = Outage(lambda: None)
    >>> outage.check()
    """

    def __init__(self, look: Callable[[], None]) -> None:
        self._look = look
        self._lock = threading.Lock()
        self._why: StoreAwayError | None = None
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def check(self) -> None:
        """Raises the reason while there is an outage."""
        why = self._why
        if why is not None:
            raise StoreAwayError(str(why))

    def begin(self, why: StoreAwayError) -> None:
        """The store has been found away, perhaps by several threads at once."""
        with self._lock:
            if self._why is not None:
                return
            self._why, self._over = why, threading.Event()
            self._thread = threading.Thread(target=self._wait, args=(self._over,), name="outage", daemon=True)
            self._thread.start()
        log.error("the store is away, clients are told to come again: %s", why)

    def _wait(self, over: threading.Event) -> None:
        while not over.wait(PAUSE):
            try:
                self._look()
            except StoreAwayError:
                continue
            except BayleafError as error:
                log.error("the store is back, but refuses: %s", error)  # as each mail will be told
            self.end()

    def end(self) -> None:
        """The store answers again, or another one has taken its place."""
        with self._lock:
            if self._why is None:
                return
            self._why = None
            self._over.set()
        log.info("the store answers again")

    def close(self) -> None:
        """Ends the thread."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()
