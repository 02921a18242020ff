"""Judges: who does the work of judging, so that nobody waits for a mail that is not his."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from bayleaf.service.live import LiveFilter, dismiss

T = TypeVar("T")


class Judges:
    """Small mails are judged at once, in the thread that serves; large ones, and those far from their counts, aside."""

    def __init__(self, live: LiveFilter, inline: int) -> None:
        self.live, self.inline = live, inline
        self._large, self._small = ThreadPoolExecutor(1, "large"), ThreadPoolExecutor(1, "small")

    def ask(self, size: int, judge: Callable[[], T]) -> T | Future[T]:
        """What `judge` says of a mail of so many bytes, or the promise of it."""
        if size > self.inline:
            return self._large.submit(judge)
        if self.live.far:
            return self._small.submit(judge)
        return judge()

    def close(self) -> None:
        """Ends the threads."""
        for thread in (self._large, self._small):
            dismiss(thread, 1, self.live)
