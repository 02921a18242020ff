"""Router: the addresses of the pages, and what is checked before any of them is shown."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from mimetypes import guess_type
from traceback import format_tb

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bayleaf.errors import BayleafError, NotLearnedError, StoreError
from bayleaf.service.pages import data, login, quality, review, try_, words
from bayleaf.service.pages.asking import Asking
from bayleaf.service.pages.charset import check_charset
from bayleaf.service.pages.desk import Desk
from bayleaf.service.pages.lesson import LONGEST
from bayleaf.service.pages.paper import HEADERS, PAPER, STAMP, STATIC, size
from bayleaf.service.pages.sessions import seal

log = logging.getLogger("bayleaf.pages")
View = Callable[[Asking], Response]
Endpoint = Callable[[Request], Awaitable[Response]]
FIELD = 32 * 2**20  # bytes of a pasted mail
FIELDS = 2000
PASTED = (
    f"found a text of more than {size(FIELD)} in the form, expected one mail of at most {size(LONGEST)}: leave out "
    "what is attached to it, or give a mailbox to the page Data as a file"
)
STALE = "the form is not one of ours, or is from before a restart: load the page again"


def router(desk: Desk) -> APIRouter:
    """The pages, to be included in an application that checks hosts, origins and sizes (`http.gate`)."""
    routes = APIRouter(include_in_schema=False)
    for module in (try_, review, words, quality, data):
        for path, view in module.SHOWN.items():
            add(routes, "GET", path, shown(desk, view))
        for path, (scope, view) in module.DONE.items():
            add(routes, "POST", path, done(desk, view, scope))
    add(routes, "GET", "/login", login.shown(desk))
    add(routes, "POST", "/login", login.done(desk))
    add(routes, "POST", "/logout", done(desk, login.leave, "read"))
    add(routes, "GET", "/static/{name}", static)
    return routes


def add(routes: APIRouter, method: str, path: str, endpoint: Endpoint) -> None:
    """One address. As a route of FastAPI, not of Starlette: those do not tell the log which they are."""
    routes.add_api_route(path, endpoint, methods=[method], include_in_schema=False, response_model=None)


def shown(desk: Desk, view: View) -> Endpoint:
    """A page to look at."""

    async def endpoint(request: Request) -> Response:
        visitor = desk.sessions.visitor(request)
        if visitor is None:
            return RedirectResponse("/login", 303, headers=HEADERS)
        return await answer(view, Asking(desk, request, visitor, FormData()))

    return endpoint


def done(desk: Desk, view: View, scope: str) -> Endpoint:
    """A form that does something."""

    async def endpoint(request: Request) -> Response:
        visitor = desk.sessions.visitor(request)
        if visitor is None:
            return PAPER.page("refused", 403, why="you are not logged in, or no longer: log in and do it again")
        if scope == "train" and not visitor.trains:
            return PAPER.page("refused", 403, why="your token may read and judge; teaching needs one that may train")
        try:
            check_charset(request)
            async with request.form(max_files=1, max_fields=FIELDS, max_part_size=FIELD) as form:
                if not desk.sessions.meant(visitor.session, form.get("csrf")):
                    return PAPER.page("refused", 403, why=STALE)
                return await answer(view, Asking(desk, request, visitor, form))
        except HTTPException as error:
            pasted = "exceeded maximum size" in str(error.detail)
            return PAPER.page("refused", 413, why=PASTED) if pasted else refused(error)

    return endpoint


def refused(error: HTTPException) -> Response:
    """What cannot be answered, as a page."""
    page = PAPER.page("refused", error.status_code, why=str(error.detail))
    page.headers.update(error.headers or {})
    return page


async def answer(view: View, asking: Asking) -> Response:
    """The answer of a view; what it refuses is told in words."""
    try:
        response = await asking.desk.run(view, asking)
    except BayleafError as error:
        status = 409 if isinstance(error, NotLearnedError) else 503 if isinstance(error, StoreError) else 400
        response = PAPER.page("refused", status, why=str(error))
    except Exception as error:
        where = format_tb(error.__traceback__)[-1].strip() if error.__traceback__ else ""
        log.error("%s failed: %s at %s", asking.request.url.path, type(error).__name__, where)
        response = PAPER.page("refused", 500, why="this is a fault of ours; the log says more")
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    seal(response, asking.request, asking.visitor)
    return response


async def static(request: Request) -> Response:
    """The style sheet and the script."""
    name = request.path_params["name"]
    if name not in STATIC:
        return PAPER.page("refused", 404, why="there is no such file")
    kept = "max-age=31536000, immutable" if request.url.query == STAMP else "no-cache"
    headers = {**HEADERS, "Cache-Control": kept}
    return Response(STATIC[name], media_type=guess_type(name)[0], headers=headers)
