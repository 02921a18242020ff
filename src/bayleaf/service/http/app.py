"""The FastAPI application: routes, their description, and what becomes of errors."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from bayleaf import __version__
from bayleaf.errors import BayleafError, NotLearnedError, StoreError
from bayleaf.service import pages
from bayleaf.service.history import History
from bayleaf.service.http import gate, mails, models, past, store
from bayleaf.service.http.metrics import Metrics
from bayleaf.service.http.problem import SCHEMA, Problem, problem
from bayleaf.service.http.room import Room
from bayleaf.service.http.settings import Settings
from bayleaf.service.live import LiveFilter
from bayleaf.service.tokens import Tokens

ABOUT = """Judge, teach and look at a live mail filter, and ask model files.

With tokens, send `Authorization: Bearer TOKEN`; a token for `train` may do everything, one for `read` everything that
changes no counts. Errors are `application/problem+json` and say what was found, what was expected and what to do."""


def make_app(live: LiveFilter, history: History | None, tokens: Tokens | None, settings: Settings) -> FastAPI:
    """The API over a live filter. `close` of `app.state.closing` ends its threads.

    `tokens` None lets everybody in whose Host header names this machine: listen on loopback only then.
    """
    app = FastAPI(title="bayleaf", version=__version__, description=ABOUT, docs_url=None, redoc_url=None)
    app.router.redirect_slashes = False
    room, files, metrics = Room(live, history, settings), models.Models(settings.models), Metrics(live, history)
    app.include_router(mails.routes(room))
    app.include_router(store.routes(room, metrics))
    closing = [room.close, files.close]
    if history is not None:
        app.include_router(past.routes(room, history))
        desk = pages.Desk(live, history, tokens)
        app.include_router(pages.router(desk))
        closing.append(desk.close)
    app.include_router(models.routes(files, settings))
    app.add_middleware(gate.Gate, settings=settings, tokens=tokens, metrics=metrics)
    app.add_exception_handler(HTTPException, said)
    app.add_exception_handler(RequestValidationError, mistaken)
    app.add_exception_handler(BayleafError, refused)
    app.state.closing = closing
    app.state.retry = settings.retry
    describe(app)
    return app


def describe(app: FastAPI) -> None:
    """Adds what FastAPI does not know to its description: problems and tokens."""
    usual = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = usual()
            schemas = found["components"]["schemas"]
            for unused in ("HTTPValidationError", "ValidationError"):
                schemas.pop(unused, None)
            schemas["Problem"] = SCHEMA
            found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            found["security"] = [{"token": []}, {}]
        return app.openapi_schema or {}

    app.openapi = described  # type: ignore[method-assign]


async def said(request: Request, error: Exception) -> Response:
    """A problem that was raised as such: a page for whoever wanted one."""
    assert isinstance(error, HTTPException)
    words = str(error.detail)
    if error.status_code == 404 and words == "Not Found":
        words = "found nothing at this address; /openapi.json lists what there is"
    if error.status_code == 405:
        words = f"found a method that this address does not take, expected {(error.headers or {}).get('Allow', '')}"
    return gate.said(request.scope, Problem(error.status_code, words, error.headers))


async def mistaken(request: Request, error: Exception) -> Response:
    """A parameter that is not what it should be. Its value is not given back: it may be mail."""
    assert isinstance(error, RequestValidationError)
    words = (f"{' '.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
    return problem(422, "; ".join(words))


async def refused(request: Request, error: Exception) -> Response:
    """What bayleaf itself refuses: a store that does not answer is a matter of time, all else of the request."""
    if isinstance(error, NotLearnedError):
        return problem(409, str(error))
    if isinstance(error, StoreError):
        return problem(503, str(error), {"Retry-After": str(request.app.state.retry)})
    return problem(422, str(error))
