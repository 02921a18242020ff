"""Crowd: all connections of a face, and what they take together."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from bayleaf.service.spamd.limits import Limits
from bayleaf.service.spamd.refusal import TEMPORARY, Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf.service.spamd.connection import Connection


class Crowd:
    """Who is connected, whom we wait for, and how many bytes are held for requests that are not answered."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.closing = False
        self.held = 0
        self.connections: set[Connection] = set()
        self.waiting: dict[Connection, None] = {}  # those we wait for, the longest first
        self._empty = asyncio.Event()

    def arrived(self, connection: Connection) -> None:
        """A client has come. If there are too many, the one that has kept us waiting longest must go."""
        self.connections.add(connection)
        self.waiting[connection] = None
        if len(self.connections) > self.limits.connections and len(self.waiting) > 1:
            oldest = next(iter(self.waiting))
            del self.waiting[oldest]
            oldest.transport.abort()

    def waits(self, connection: Connection) -> None:
        """We wait for the next request of this client."""
        self.waiting[connection] = None
        self._account(connection)

    def busy(self, connection: Connection) -> None:
        """We no longer wait for this client: it waits for us, or has been refused."""
        self.waiting.pop(connection, None)
        self._account(connection)

    def left(self, connection: Connection) -> None:
        """A client has gone."""
        self.connections.discard(connection)
        self.busy(connection)
        if self.closing and not self.connections:
            self._empty.set()

    def holds(self, connection: Connection) -> None:
        """Keeps count of the bytes of requests under way, and refuses one that is too much for the memory."""
        self._account(connection)
        if self.held > self.limits.waiting:
            raise Refusal(TEMPORARY, f"{self.held} bytes of requests are under way; try again")

    def _account(self, connection: Connection) -> None:
        size = len(connection.reader.held) + connection.pending
        self.held += size - connection.counted
        connection.counted = size

    async def drain(self) -> None:
        """Lets requests that have begun come to their end, but not for ever."""
        self.closing = True
        for connection in [*self.waiting]:
            if not connection.reader.held:
                connection.transport.close()
        if self.connections:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._empty.wait(), self.limits.drain)
        for connection in [*self.connections]:
            connection.transport.abort()
