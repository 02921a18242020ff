"""Room: what the routes of the API work with."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from fastapi import Request, Response
from pydantic import BaseModel, ValidationError

from bayleaf.service.history import History
from bayleaf.service.http.answers import Text
from bayleaf.service.http.problem import Problem
from bayleaf.service.http.settings import Settings
from bayleaf.service.live import LiveFilter, dismiss
from bayleaf.service.shelf import LONGEST
from bayleaf.service.spamd.request import decoded
from bayleaf.store.label import refuse_unknown

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)
MAIL = ("message/rfc822", "application/octet-stream")
JSON = "application/json"
NAMED = {"type": "string", "maxLength": LONGEST, "default": ""}
USER: list[dict[str, Any]] = [
    {"name": "user", "in": "query", "schema": NAMED, "description": "Whose mail it is, where each user has a store."},
    {"name": "X-Bayleaf-User", "in": "header", "schema": NAMED, "description": "The same, for those who prefer it."},
]
THREADS = 2  # questions that take longer than a mail


class Room:
    """The live filter, its history, and threads for what would keep other clients waiting."""

    def __init__(self, live: LiveFilter, history: History | None, settings: Settings) -> None:
        self.live, self.history, self.settings = live, history, settings
        self._pool = ThreadPoolExecutor(THREADS, "http")

    async def aside(self, work: Callable[[], T]) -> T:
        """Does work in another thread."""
        return await asyncio.wrap_future(self._pool.submit(work))

    async def checked(self, label: str, user: str) -> str:
        """A label that the store knows. Others are made by `bayleaf mail learn`, not by whoever mistypes one."""
        labels = await self.aside(lambda: self.live.ask(lambda own: own.evidence().labels, user))
        refuse_unknown(label, labels)
        return label

    def close(self) -> None:
        """Ends the threads and what they hold open."""
        dismiss(self._pool, THREADS, self.live)


def user_of(request: Request) -> str:
    """Whose mail it is; empty when not said. By hand: as parameters of FastAPI these two take a tenth of a verdict."""
    user = request.query_params.get("user") or decoded(request.headers.get("x-bayleaf-user", "").encode("latin-1"))
    if len(user) > LONGEST:
        raise Problem(422, f"found a user name of {len(user)} characters, expected at most {LONGEST}")
    return user


def kind_of(request: Request) -> str:
    """The type of a body. It must be said: browsers send pages of other sites here with types of their choice."""
    for name, usual in (("Content-Encoding", "identity"), ("Transfer-Encoding", "chunked")):
        coding = request.headers.get(name, usual)
        if coding.lower() != usual:
            raise Problem(415, f"found a body under {name} {coding[:80]!r}, expected it as it is")
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def mail_of(request: Request) -> bytes | str:
    """The mail, or the text, that a request brings."""
    kind = kind_of(request)
    if kind in MAIL:
        return await request.body()
    if kind != JSON:
        raise Problem(415, f"found a body of type {kind[:80]!r}, expected {', '.join(MAIL)} or {JSON}")
    return (await json_of(request, Text)).text


async def json_of(request: Request, model: type[M]) -> M:
    """The body of a request as JSON of this form."""
    if kind_of(request) != JSON:
        raise Problem(415, f"found a body of type {kind_of(request)[:80]!r}, expected {JSON}")
    try:
        return model.model_validate_json(await request.body())
    except ValidationError as error:
        raise mistaken(error) from None


def as_json(answer: dict[str, Any]) -> Response:
    """The answer as it is. Letting pydantic look at it costs 50 µs, and the tests compare it with the description."""
    return Response(json.dumps(answer), media_type=JSON)


def mistaken(error: ValidationError) -> Problem:
    """What is wrong with JSON, without its values: they may be mail."""
    found = error.errors(include_url=False, include_input=False, include_context=False)[:5]
    words = "; ".join(f"{'.'.join(map(str, each['loc'])) or 'body'}: {each['msg']}" for each in found)
    return Problem(400 if found[0]["type"] == "json_invalid" else 422, words)
