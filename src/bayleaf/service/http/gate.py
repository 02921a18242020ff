"""Gate: what every request passes on its way in and every answer on its way out."""

from __future__ import annotations

import asyncio
import logging
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bayleaf.service.http.auth import admit, ours
from bayleaf.service.http.limits import Held, Intake
from bayleaf.service.http.metrics import Metrics
from bayleaf.service.http.problem import Problem, problem
from bayleaf.service.http.settings import Settings
from bayleaf.service.pages.router import refused
from bayleaf.service.reason import reason
from bayleaf.service.tokens import Tokens

log = logging.getLogger("bayleaf.http")
LINE = "method=%(method)s route=%(route)s status=%(status)d bytes=%(bytes)d ms=%(ms).2f token=%(token)s"


class Gate:
    """Asks for tokens, counts bytes and seconds, and keeps book: routes, sizes and times, no word of a mail."""

    def __init__(self, app: ASGIApp, settings: Settings, tokens: Tokens | None, metrics: Metrics) -> None:
        self.app, self.settings, self.tokens, self.metrics = app, settings, tokens, metrics
        self.held = Held()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status, name, method = time.perf_counter(), 0, "", scope["method"]
        intake: Intake | None = None

        async def answer(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            if message["type"] == "http.response.start":
                arm(MutableHeaders(scope=message))
            await send(message)

        try:
            headers = Headers(scope=scope)
            name = admit(scope, headers, self.tokens)
            intake = Intake(receive, headers.get("content-length"), ours(scope["path"]), self.settings, self.held)
            if method == "HEAD":  # what GET would say; uvicorn leaves the body out
                scope = {**scope, "method": "GET"}
            await self.app(scope, intake, answer)
        except asyncio.CancelledError:  # the daemon stops, and this takes longer than it may
            if status:
                raise
            await stopping(self.settings)(scope, receive, answer)
        except ClientDisconnect:
            taken = 0 if intake is None else intake.taken
            words = f"found the end of the connection after {taken} bytes, expected the whole request"
            await said(scope, Problem(400, words))(scope, receive, answer)
        except Exception as error:
            refusal = said(scope, error) if isinstance(error, Problem) else fault(error)
            if status:
                raise  # too late to say anything: the server cuts the connection
            await refusal(scope, receive, answer)
        finally:
            taken = 0 if intake is None else intake.taken
            if intake is not None:
                intake.close()
            route = getattr(scope.get("route"), "path", "none")  # not the path: what strangers write may be anything
            self._note(method, route, status, taken, time.perf_counter() - begun, name)

    def _note(self, method: str, route: str, status: int, size: int, took: float, name: str) -> None:
        method = method if method in METHODS else "other"
        self.metrics.request(method, route, status, took)
        about = {"method": method, "route": route, "status": status, "bytes": size, "ms": 1000 * took, "token": name}
        log.log(logging.INFO if status < 500 else logging.ERROR, LINE, about)


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def arm(headers: MutableHeaders) -> None:
    """What every answer carries, also a refusal: nothing in it is run or framed, or taken for another type."""
    headers.setdefault("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
    headers.setdefault("X-Content-Type-Options", "nosniff")


def said(scope: Scope, error: Problem) -> Response:
    """A refusal: a page for a browser that asked for one, JSON for everybody else."""
    page = not ours(scope["path"]) and "text/html" in Headers(scope=scope).get("accept", "")
    return refused(error) if page else error.response()


def stopping(settings: Settings) -> Response:
    """The answer to what was not done when the daemon had to end. What was being learned may have been."""
    words = f"found nothing done within the {settings.drain:g} seconds of a daemon that stops; try again"
    return problem(503, words, {"Retry-After": str(settings.retry)})


def fault(error: Exception) -> Response:
    """The answer to a fault of ours. The log says where it was; the words of other people's errors may hold mail."""
    words = reason(error)
    about = {"kind": type(error).__name__, "words": words}
    log.error("failed kind=%(kind)s %(words)s", about)
    return problem(500, f"found {type(error).__name__}, a fault of bayleaf; its log says where")
