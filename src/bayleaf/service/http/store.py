"""Routes for the store and the daemon: status, tokens, metrics, health."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from bayleaf import __version__
from bayleaf.mail import Filter
from bayleaf.mail.lexicon import Lexicon, Token
from bayleaf.service.http import answers
from bayleaf.service.http.metrics import Metrics
from bayleaf.service.http.problem import problems
from bayleaf.service.http.room import USER, Room, as_json, user_of

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
TEXT = {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "Prometheus' text format."}


def routes(room: Room, metrics: Metrics) -> APIRouter:
    """What can be asked about the store and the daemon."""
    router = APIRouter()

    @router.get("/v1/status", response_model=answers.Status, responses=problems(422), tags=["store"])
    async def status() -> Response:
        """What has been learned, and what was done since the start."""
        found: dict[str, Any] = await room.aside(room.live.status)
        dropped = 0 if room.history is None else room.history.dropped
        shown = {name: found[name] for name in ("mails", "keys", "bytes", "worth")}
        done = {"judged": room.live.verdicts.copy(), "counts": room.live.counts.copy()}
        return as_json({"version": __version__, **shown, **done, "history_dropped": dropped})

    @router.get(
        "/v1/tokens",
        response_model=answers.Tokens,
        responses=problems(422),
        tags=["store"],
        openapi_extra={"parameters": USER},
    )
    async def tokens(
        request: Request,
        query: Annotated[str, Query(max_length=200, description="A word, or a part of a token.")] = "",
        limit: Annotated[int, Query(ge=1, le=1000, description="Tokens, or tokens per label.")] = 20,
    ) -> Response:
        """What is known about a token: counts per label, weight, when last learned. Without a query, the strongest."""
        found = await room.aside(lambda: room.live.ask(lambda own: looked_up(own, query, limit), user_of(request)))
        return as_json({"tokens": [token.to_dict() for token in found]})

    @router.get("/metrics", response_class=Response, responses={**problems(), 200: TEXT}, tags=["daemon"])
    async def prometheus() -> Response:
        """Numbers for Prometheus."""
        return Response(await room.aside(metrics.text), headers={"Content-Type": PROMETHEUS})

    @router.get("/healthz", response_model=answers.State, responses=problems(), tags=["daemon"])
    async def health() -> Response:
        """That the daemon runs. Needs no token."""
        return as_json({"status": "ok"})

    @router.get("/readyz", response_model=answers.State, responses=problems(), tags=["daemon"])
    async def ready() -> Response:
        """That the store answers, so that mails can be judged. Needs no token."""
        await room.aside(room.live.ready)
        return as_json({"status": "ready"})

    return router


def looked_up(own: Filter, query: str, limit: int) -> list[Token]:
    """Tokens that a query names, or the strongest of each label."""
    lexicon = Lexicon(own)
    return (
        lexicon.search(query, limit) if query else [each for some in lexicon.strongest(limit).values() for each in some]
    )
