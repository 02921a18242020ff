"""Routes for one mail: judge, explain, train, untrain, correct."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from bayleaf.mail import Filter, Verdict
from bayleaf.mail.archive import refuse_archive
from bayleaf.mail.mailbox import PACKED
from bayleaf.service.http import answers
from bayleaf.service.http.problem import Problem, problems
from bayleaf.service.http.room import JSON, MAIL, USER, Room, as_json, mail_of, user_of
from bayleaf.service.points import points

Label = Annotated[
    str, Query(min_length=1, max_length=answers.LABEL, description="What the mail is: a label of the store.")
]
RAW = {"schema": {"type": "string", "format": "binary"}}
BODY: dict[str, Any] = {
    "parameters": USER,
    "requestBody": {
        "description": "A mail as it came, or a text without headers as JSON.",
        "required": True,
        "content": {**dict.fromkeys(MAIL, RAW), JSON: {"schema": answers.Text.model_json_schema()}},
    },
}
REFUSALS = problems(415, 422)


def judgement(verdict: Verdict, clues: int | None = None) -> dict[str, Any]:
    """A verdict as JSON has it, with the points of spamd."""
    return {**verdict.to_dict(clues), "points": points(verdict)}


def routes(room: Room) -> APIRouter:
    """What can be asked about a mail, and taught."""
    router, live, settings = APIRouter(tags=["mail"]), room.live, room.settings

    @router.post("/v1/judge", response_model=answers.Judged, responses=REFUSALS, openapi_extra=BODY)
    async def judge(request: Request) -> Response:
        """What a mail or text is. Nothing is learned; the history remembers it."""
        raw, user = await mail_of(request), user_of(request)
        if len(raw) <= settings.inline and not live.far:
            verdict, id = live.judged(raw, user, "http")
        else:
            verdict, id = await room.aside(lambda: live.judged(raw, user, "http"))
        return as_json({**judgement(verdict), "id": id})

    @router.post("/v1/explain", response_model=answers.Explained, responses=REFUSALS, openapi_extra=BODY)
    async def explain(
        request: Request, limit: Annotated[int, Query(ge=0, le=10_000, description="Clues to list.")] = 50
    ) -> Response:
        """What a mail or text is, and why. Nothing is learned or remembered."""
        raw, user = await mail_of(request), user_of(request)
        return as_json(await room.aside(lambda: live.ask(lambda own: explained(own, raw, limit), user)))

    @router.post("/v1/train", response_model=answers.Learned, responses=REFUSALS, openapi_extra=BODY)
    async def train(request: Request, label: Label) -> Response:
        """Learns a mail or text. The same mail is learned once; with another label, the first is taken back exactly.

        What has been answered survives a killed daemon.
        """
        raw, user = await lesson_of(request), user_of(request)
        done = await asyncio.wrap_future(live.train(raw, await room.checked(label, user), user))
        return as_json({"done": done, "label": label})

    @router.post(
        "/v1/untrain", response_model=answers.Unlearned, responses=problems(404, 409, 415, 422), openapi_extra=BODY
    )
    async def untrain(request: Request) -> Response:
        """Takes the learning of a mail or text back, exactly."""
        raw, user = await mail_of(request), user_of(request)
        label = await asyncio.wrap_future(live.untrain(raw, user))
        if label is None:
            raise Problem(404, "found a mail that was never learned here (or was unlearned), expected a learned one")
        return as_json({"done": "unlearned", "label": label})

    @router.post("/v1/correct", response_model=answers.Corrected, responses=problems(409, 415, 422), openapi_extra=BODY)
    async def correct(request: Request, label: Label) -> Response:
        """Learns what a mail or text really is, and says how it was judged before and is judged now."""
        raw, user = await lesson_of(request), user_of(request)
        await room.checked(label, user)
        before = await room.aside(lambda: live.ask(lambda own: judgement(own.judge(raw)), user))
        done = await asyncio.wrap_future(live.train(raw, label, user))
        after = await room.aside(lambda: live.ask(lambda own: judgement(own.judge(raw)), user))
        return as_json({"done": done, "label": label, "before": before, "after": after})

    return router


async def lesson_of(request: Request) -> bytes | str:
    """The mail, or the text, that a request brings to be learned; an empty one may be the sign of a broken pipe."""
    raw = await mail_of(request)
    if not raw or raw.isspace():
        raise Problem(422, "found an empty mail, expected one to learn: nothing was learned")
    if isinstance(raw, bytes):
        expect_unpacked(raw)
    return raw


def expect_unpacked(raw: bytes) -> None:
    """Refuses what is packed: it is no mail, and may be many."""
    if raw.startswith(PACKED):
        raise Problem(
            422, "found data packed with gzip, bzip2 or xz, expected one mail; `bayleaf mail learn` reads such files"
        )
    try:
        refuse_archive(raw)
    except OSError as error:
        raise Problem(422, f"found {error.strerror}, expected one mail: nothing was learned") from None


def explained(own: Filter, raw: bytes | str, limit: int) -> dict[str, Any]:
    """A verdict with its strongest clues."""
    verdict = own.judge(raw)
    return {
        **judgement(verdict, limit),
        "labels": list(verdict.probabilities),
        "others": sum(clue.summand for clue in verdict.clues[limit:]),
    }
