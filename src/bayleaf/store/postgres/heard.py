"""Heard: a connection that is given up when its server falls silent."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

import psycopg


class Heard(psycopg.Connection[Any]):
    """A connection that is lost after so many seconds without a byte, `silence`.

    The kernel of a server that is frozen keeps its sockets alive, so that no timeout of TCP or of libpq ever ends the
    wait for an answer.
    """

    silence = 0.0

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **named: Any) -> Any:
        """Everything psycopg waits for, once connected, comes through here."""
        return super().wait(self._bounded(gen), *args, **named)

    def _bounded(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        ready, last = None, time.monotonic()
        try:
            while True:
                ready = yield gen.send(ready)
                if ready:
                    last = time.monotonic()
                elif time.monotonic() > last + self.silence:
                    self.pgconn.finish()
                    raise psycopg.OperationalError(f"the server has said nothing for {self.silence:g} seconds")
        except StopIteration as end:
            return end.value
