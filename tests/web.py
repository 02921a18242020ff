"""An HTTP face in this process on a port of its own, and a client for it."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

from daemon import everything

from bayleaf.service.history import History
from bayleaf.service.http.face import HttpFace
from bayleaf.service.http.settings import Settings
from bayleaf.service.listening import Listening
from bayleaf.service.live import LiveFilter
from bayleaf.service.logbook import Logbook
from bayleaf.service.tokens import Tokens

USUAL = Settings()
MAIL = {"Content-Type": "message/rfc822"}


class Answer(NamedTuple):
    """Status, headers and body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body read as JSON."""
        return json.loads(self.body)


class Client:
    """Asks one address, one connection per question unless `keep` is used."""

    def __init__(self, port: int, **headers: str) -> None:
        self.port, self.headers = port, headers

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """The answer; a dict is sent as JSON, bytes as a mail."""
        fields = {name.replace("_", "-"): value for name, value in {**self.headers, **headers}.items()}
        if isinstance(body, dict):
            body, fields = json.dumps(body).encode(), {"Content-Type": "application/json", **fields}
        elif body is not None:
            fields = {**MAIL, **fields}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, fields)
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        """A question."""
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        """A question with a body."""
        return self.ask("POST", path, body, **headers)


def raw(port: int, data: bytes) -> bytes:
    """Everything that is answered to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(data)
        client.shutdown(socket.SHUT_WR)
        return everything(client)


@contextmanager
def serving(
    store: Path, settings: Settings = USUAL, tokens: Tokens | None = None, users: Path | None = None
) -> Iterator[tuple[Client, LiveFilter]]:
    """A face over a store, in a loop of its own thread."""
    history = History(Logbook(None))
    live = LiveFilter(store, users, history)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def run(work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result(60)

    async def start() -> tuple[HttpFace, int]:
        face, listening = HttpFace(live, history, tokens, settings), Listening("127.0.0.1", 0).listen()
        await face.start([listening])
        return face, int(listening.getsockname()[1])

    async def leave() -> None:
        live.leave()

    face, port = run(start())
    try:
        yield Client(port), live
    finally:
        run(face.stop())
        run(leave())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
        live.close()
        history.close()


def docs(name: str) -> Any:
    """A script of the docs as a module."""
    spec = spec_from_file_location(name, Path(__file__).parents[1] / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def description() -> dict[str, Any]:
    """The OpenAPI description."""
    found: dict[str, Any] = docs("routes").description()
    return found
