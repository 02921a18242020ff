"""Login: a token for a cookie."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bayleaf.service.pages.asking import Asking
from bayleaf.service.pages.charset import check_charset
from bayleaf.service.pages.desk import Desk
from bayleaf.service.pages.paper import HEADERS, PAPER
from bayleaf.service.pages.sessions import COOKIE, by_https, seal

DOOR = "bayleaf-login"  # the cookie that goes with the login form, before there is a session
LONGEST = 1024  # characters of a token


def shown(desk: Desk) -> Callable[[Request], Awaitable[Response]]:
    """The form."""

    async def endpoint(request: Request) -> Response:
        if desk.sessions.visitor(request) is not None:
            return RedirectResponse("/", 303, headers=HEADERS)
        return form(desk, request, 200, "")

    return endpoint


def form(desk: Desk, request: Request, status: int, why: str) -> Response:
    """The login form with a CSRF token of its own: nobody can be logged in as somebody else without noticing."""
    nonce = secrets.token_urlsafe(24)
    page = PAPER.page("login", status, csrf=desk.sessions.csrf(nonce), why=why)
    secure = by_https(request)
    page.set_cookie(DOOR, nonce, max_age=3600, path="/login", httponly=True, samesite="strict", secure=secure)
    return page


def done(desk: Desk) -> Callable[[Request], Awaitable[Response]]:
    """What happens with the token."""

    async def endpoint(request: Request) -> Response:
        try:
            check_charset(request)
            given = await request.form(max_files=0, max_fields=4)
        except HTTPException as error:
            return PAPER.page("refused", error.status_code, why=str(error.detail))
        if not desk.sessions.meant(request.cookies.get(DOOR, ""), given.get("csrf")):
            return form(desk, request, 403, "The form was too old. Try again.")
        token = str(given.get("token", ""))[:LONGEST].strip()
        visitor = await desk.run(desk.sessions.login, token)
        if visitor is None:
            return form(desk, request, 403, "This token is not known here.")
        answer = RedirectResponse("/", 303, headers=HEADERS)
        answer.delete_cookie(DOOR, path="/login")
        seal(answer, request, visitor)
        return answer

    return endpoint


def leave(asking: Asking) -> Response:
    """Ends the session."""
    asking.desk.sessions.logout(asking.visitor.session)
    answer = asking.go("/login" if asking.desk.sessions.tokens is not None else "/")
    answer.delete_cookie(COOKIE, path="/")
    return answer
