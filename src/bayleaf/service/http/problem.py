"""Problem: an answer that is no answer, as RFC 9457 writes it."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

MEDIA = "application/problem+json"
WHY = {
    400: "The request is not HTTP or JSON as it should be.",
    401: "No token, or one that is not known.",
    403: "The token allows reading only, or the request comes from a page of another site.",
    404: "There is nothing of this name.",
    405: "This address does not take this method.",
    408: "The request did not arrive in time.",
    409: "The mail was learned, but with text that is no longer known, so it cannot be taken back.",
    410: "The mail is no longer kept.",
    413: "The request is too large.",
    415: "The body is of a type that is not taken here.",
    421: "The Host header does not name this machine.",
    422: "A value is not what it should be.",
    431: "The head of the request is too large.",
    500: "A fault of bayleaf; the log has more.",
    503: "The store does not answer at the moment; `Retry-After` says when to come again.",
}
SCHEMA = {
    "type": "object",
    "title": "Problem",
    "description": "Why there is no answer: what was found, what was expected, what to do.",
    "properties": {
        "type": {"type": "string", "const": "about:blank"},
        "title": {"type": "string", "description": "The status in words."},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What was found, what was expected and what to do."},
    },
    "required": ["type", "title", "status", "detail"],
}
EVERYWHERE = (400, 401, 403, 405, 408, 413, 421, 431, 500, 503)


class Problem(HTTPException):
    """Raised wherever a request cannot be answered.

    >>> Problem(404, "there is no mail 7 here").detail
    'there is no mail 7 here'
    """

    def response(self) -> JSONResponse:
        """As it is sent."""
        return problem(self.status_code, str(self.detail), self.headers)


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The answer with this status."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    return JSONResponse(body, status, dict(headers or {}), MEDIA)


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problems that a route may answer with, and those that any may, for its description."""
    content = {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    found: dict[int | str, dict[str, Any]] = {
        status: {"description": WHY[status], "content": content} for status in sorted({*statuses, *EVERYWHERE})
    }
    found[503]["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds."}}
    return found
