"""Writer: the one thread that learns, and what it has promised."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from bayleaf.errors import StoreError

log = logging.getLogger("bayleaf")
P = ParamSpec("P")
T = TypeVar("T")
# Seconds at one piece of work after which a writer in a hurry is stuck; a merge of 20 million keys takes as long.
PATIENCE = 5.0


class Writer:
    """Does work in the order it comes.

    A database lets a writer wait two minutes for another one, and the wait cannot be ended from outside: SQLite does
    not hear an interrupt then, and a server that has gone does not answer one. So a daemon that stops has its writer
    `hurry`: when that is `stuck`, every promise that is open is broken, and the thread is left behind. What it was at
    is then done whole or not at all, as after a kill.

    >>> writer = Writer()
    >>> (writer.submit(len, "three").result(), writer.close())
    (5, None)
    """

    def __init__(self) -> None:
        self.stuck = False
        self._thread = ThreadPoolExecutor(1, "learn")
        self._promises: dict[Future[Any], None] = {}  # those that are open, the oldest first: the thread is at it
        self._lock = threading.Lock()
        self._ended = threading.Event()

    def submit(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The promise of what this work returns or raises."""
        promise: Future[T] = Future()
        with self._lock:
            if self.stuck:
                promise.set_exception(refusal())
                return promise
            self.expect_open()
            self._promises[promise] = None
            self._thread.submit(self._keep, promise, lambda: work(*args, **kwargs))
        return promise

    def expect_open(self) -> None:
        """Refuses work after the end."""
        if self._ended.is_set():
            raise StoreError("found a filter that was closed; open it again")

    def _keep(self, promise: Future[T], work: Callable[[], T]) -> None:
        with self._lock:
            if promise not in self._promises:
                return
            if not promise.set_running_or_notify_cancel():
                del self._promises[promise]
                return
        try:
            result = work()
        except BaseException as error:
            if self._take(promise):
                promise.set_exception(error)
        else:
            if self._take(promise):
                promise.set_result(result)

    def _take(self, promise: Future[Any]) -> bool:
        """Whether a promise has not been broken; from here on it cannot be."""
        with self._lock:
            held = promise in self._promises
            self._promises.pop(promise, None)
            return held

    def hurry(self) -> None:
        """From now on the thread may not be at one piece of work for long."""
        threading.Thread(target=self._watch, args=(self._oldest(),), name="hurry", daemon=True).start()

    def _oldest(self) -> Future[Any] | None:
        with self._lock:
            return next(iter(self._promises), None)

    def _watch(self, before: Future[Any] | None) -> None:
        while not self._ended.wait(PATIENCE):
            oldest = self._oldest()
            if oldest is not None and oldest is before:
                self._break()
                return
            before = oldest

    def _break(self) -> None:
        with self._lock:
            self.stuck = True
            broken = [*self._promises]
            self._promises.clear()
        log.error("the store keeps the learning thread waiting; told to come again: %d", len(broken))
        for promise in broken:
            with suppress(InvalidStateError):  # cancelled by whoever wanted it
                promise.set_exception(refusal())

    def close(self, last: Callable[[], None] = lambda: None) -> None:
        """Finishes everything, then does `last` in the thread and ends it, unless it is stuck or has been ended."""
        if self._ended.is_set():
            return
        try:
            self.submit(last).result()
        except StoreError:
            if not self.stuck:
                raise
        self._ended.set()
        self._thread.shutdown(wait=not self.stuck, cancel_futures=True)


def refusal() -> StoreError:
    """Why a promise was broken."""
    return StoreError(
        f"the daemon stops, and for {PATIENCE:g} seconds the store has kept it waiting, for another writer perhaps: "
        "send this again later; a mail counts once"
    )
