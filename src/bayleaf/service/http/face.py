"""HttpFace: the API on sockets, inside the loop of the daemon."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import uvicorn

from bayleaf.service.history import History
from bayleaf.service.http.app import make_app
from bayleaf.service.http.settings import Settings
from bayleaf.service.http.visit import visits
from bayleaf.service.listening import TAKEN, hold
from bayleaf.service.live import LiveFilter
from bayleaf.service.tokens import Tokens


class HttpFace:
    """One server for all sockets; `start` and `stop` it."""

    def __init__(
        self,
        live: LiveFilter,
        history: History | None,
        tokens: Tokens | None,
        settings: Settings,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self.app = make_app(live, history, tokens, settings)
        config = uvicorn.Config(
            self.app,
            http=visits(settings),
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            backlog=TAKEN,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=int(settings.send),
            timeout_graceful_shutdown=int(settings.drain),
        )
        config.load()
        config.ssl = context  # uvicorn's own parameters make one that cannot be renewed
        self._server = Server(config)
        self._task: asyncio.Task[None]

    async def start(self, sockets: Sequence[socket.socket]) -> None:
        """Listens from now on."""
        self._task = asyncio.create_task(self._server.serve([*sockets]))
        while not self._server.started and not self._task.done():
            await asyncio.sleep(0)
        hold(sockets)

    async def stop(self) -> None:
        """Answers what has begun, and ends."""
        self._server.should_exit = True
        await self._task
        for close in self.app.state.closing:
            close()


class Server(uvicorn.Server):
    """uvicorn's, which leaves signals to the daemon."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """None."""
        yield
