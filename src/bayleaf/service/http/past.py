"""Routes for the history."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from bayleaf.service.history import History
from bayleaf.service.http import answers
from bayleaf.service.http.problem import Problem, problems
from bayleaf.service.http.room import JSON, Room, as_json, json_of
from bayleaf.service.judged import Judged

Id = Annotated[int, Path(ge=0, le=2**53 - 1, description="The `id` of a verdict.")]
Before = Annotated[int | None, Query(ge=0, le=2**53 - 1, description="`next` of the part before.")]
TOLD: dict[str, Any] = {
    "requestBody": {"required": True, "content": {JSON: {"schema": answers.Told.model_json_schema()}}}
}


def line(judged: Judged) -> dict[str, Any]:
    """A mail of the history as JSON has it."""
    return {**judged._asdict(), "identity": judged.identity.hex()}


def routes(room: Room, history: History) -> APIRouter:
    """What can be asked about mails that were judged."""
    router = APIRouter(tags=["history"])

    @router.get("/v1/history", response_model=answers.Lines, responses=problems(422))
    async def lines(
        query: Annotated[str, Query(max_length=200, description="Words in sender or subject.")] = "",
        label: Annotated[
            str | None, Query(max_length=answers.LABEL, description="A verdict: a label or `unsure`.")
        ] = None,
        order: Annotated[
            Literal["unsure", "newest"], Query(description="Unsure ones first, or just newest.")
        ] = "unsure",
        before: Before = None,
        limit: Annotated[int, Query(ge=1, le=1000)] = 50,
    ) -> Response:
        """Mails that were judged through any face: unsure ones first, or the newest."""
        found = await room.aside(lambda: history.find(query, label, order == "unsure", before, limit))
        return as_json({"mails": [line(each) for each in found], "next": found[-1].id if len(found) == limit else None})

    async def known(id: int) -> Judged:
        found = await room.aside(lambda: history.get(id))
        if found is None:
            raise Problem(
                404, f"found no mail {id} in the history, expected the `id` of a verdict; old ones are dropped"
            )
        return found

    @router.get("/v1/history/{id}", response_model=answers.Line, responses=problems(404, 422))
    async def one(id: Id) -> Response:
        """A mail that was judged."""
        return as_json(line(await known(id)))

    @router.post(
        "/v1/history/{id}/tell",
        response_model=answers.Learned | answers.Unlearned,
        responses=problems(404, 409, 410, 415, 422),
        openapi_extra=TOLD,
    )
    async def tell(id: Id, request: Request) -> Response:
        """Learns a mail of the history as a label, for the user it was judged for; null takes that back."""
        told = await json_of(request, answers.Told)
        judged = await known(id)
        raw = await room.aside(lambda: history.raw(id))
        if raw is None:
            raise Problem(410, f"found mail {id} without its text, which is no longer kept; send it to /v1/train")
        if told.label is not None:
            label = await room.checked(told.label, judged.user)
            done = await asyncio.wrap_future(room.live.train(raw, label, judged.user))
            return as_json({"done": done, "label": label})
        had = await asyncio.wrap_future(room.live.untrain(raw, judged.user))
        if had is None:
            raise Problem(404, f"found mail {id} not learned, expected a learned one: there is nothing to take back")
        return as_json({"done": "unlearned", "label": had})

    return router
