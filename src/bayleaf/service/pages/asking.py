"""Asking: one request as a page sees it."""

from __future__ import annotations

from typing import NamedTuple

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bayleaf.errors import BadValueError
from bayleaf.service.pages.desk import Desk
from bayleaf.service.pages.paper import PAPER
from bayleaf.service.pages.sessions import Visitor
from bayleaf.store.label import refuse_unknown

NUMBER = 18  # digits of the largest number that is read; those of the history have 16


class Asking(NamedTuple):
    """Who asks what of which desk."""

    desk: Desk
    request: Request
    visitor: Visitor
    form: FormData

    def page(self, name: str, code: int = 200, /, **facts: object) -> Response:
        """The template of that name, filled in."""
        return PAPER.page(
            name,
            code,
            here=name,
            visitor=self.visitor,
            csrf=self.desk.sessions.csrf(self.visitor.session),
            guarded=self.desk.sessions.tokens is not None,
            words=self.desk.said(self.visitor.session),
            **facts,
        )

    def say(self, words: str) -> None:
        """Words for the next page of this visitor."""
        self.desk.say(self.visitor.session, words)

    def go(self, place: str) -> Response:
        """Shows another page, which may be reloaded without doing anything again."""
        return RedirectResponse(place, 303)

    def given(self, name: str) -> str:
        """A field of the form or of the address; empty when it is not there."""
        value = self.form.get(name, self.request.query_params.get(name, ""))
        return value if isinstance(value, str) else ""

    def file(self, name: str) -> UploadFile | None:
        """An uploaded file that is not empty."""
        value = self.form.get(name)
        return value if isinstance(value, UploadFile) and value.size else None

    def number(self, text: str) -> int:
        """A whole number that came from outside."""
        if not (text.isascii() and text.isdigit() and len(text) <= NUMBER):
            raise BadValueError(f"found {text[:40]!r}, expected a whole number")
        return int(text)

    def label(self) -> str:
        """A label that the store has."""
        given = self.given("label")
        refuse_unknown(given, self.labels)
        return given

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the store."""
        return self.desk.live.ask(lambda own: own.evidence().labels)
