"""Visit: one HTTP connection, with a clock and in a crowd of limited size."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from bayleaf.service.http.problem import MEDIA
from bayleaf.service.http.settings import Settings


class Visit(H11Protocol):
    """What uvicorn leaves out: it would wait for ever for the head of a request, and for any number of clients."""

    settings = Settings()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come. If there are too many, the one that has kept us waiting longest must go."""
        super().connection_made(transport)
        self.since = self.loop.time()
        self.clock = self.loop.call_later(self.settings.send, self._look)
        if len(self.connections) > self.settings.connections:
            waiting = [
                each for each in self.connections if isinstance(each, Visit) and each.waited and each is not self
            ]
            if waiting:
                min(waiting, key=lambda each: each.since).transport.abort()

    @property
    def waited(self) -> bool:
        """Whether we wait for the client, and not the client for us."""
        return self.cycle is None or self.cycle.response_complete

    def _look(self) -> None:
        most = self.settings.send if self.waited else self.settings.answer
        left = self.since + most - self.loop.time()
        if left <= 0:
            self.transport.abort()
        else:
            self.clock = self.loop.call_later(max(left, 0.01), self._look)

    def on_response_complete(self) -> None:
        """An answer is out; the next request may come."""
        self.since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        self.clock.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Bytes that are not HTTP are refused as everything else is."""
        detail = "found bytes that are not a request, expected HTTP/1.1"
        body = json.dumps({"type": "about:blank", "title": "Bad Request", "status": 400, "detail": detail}).encode()
        head = f"HTTP/1.1 400 Bad Request\r\nContent-Type: {MEDIA}\r\nContent-Length: {len(body)}\r\n"
        self.transport.write(f"{head}Connection: close\r\n\r\n".encode() + body)
        self.transport.close()


def visits(settings: Settings) -> type[Visit]:
    """Connections with these limits."""
    about: dict[str, Any] = {"settings": settings}
    return type("Visit", (Visit,), about)
