"""Meanwhile: one call at a time beside the caller."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable


class Meanwhile:
    """Runs a call in a thread while the caller gets the next one ready, and never two at once.

    The caller's own iterators stay in the caller's thread: a database cursor, say, may be read nowhere else. Without
    `threaded` calls run where they stand.

    >>> learned = []
    >>> with Meanwhile() as work:
    ...     for part in ("a", "b", "c"):
    ...         work.start(learned.append, part)
    >>> learned
    ['a', 'b', 'c']
    """

    def __init__(self, threaded: bool = True) -> None:
        self._pool = ThreadPoolExecutor(1) if threaded else None
        self._running: Future[Any] | None = None

    def start(self, call: Callable[..., Any], *arguments: Any) -> None:
        """Begin a call as soon as the one before has ended; raises what that one raised."""
        self.wait()
        if self._pool is None:
            call(*arguments)
        else:
            self._running = self._pool.submit(call, *arguments)

    def wait(self) -> None:
        """Until nothing runs; raises what the last call raised."""
        running, self._running = self._running, None
        if running is not None:
            running.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self.wait()
        finally:
            if self._pool is not None:
                self._pool.shutdown()
