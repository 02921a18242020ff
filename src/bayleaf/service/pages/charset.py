"""Charset: how the letters of a form are written."""

from __future__ import annotations

from python_multipart.multipart import parse_options_header
from starlette.exceptions import HTTPException
from starlette.requests import Request

TAKEN = (b"utf-8", b"utf8", b"us-ascii")


def check_charset(request: Request) -> None:
    """Refuses a form that is said to be in another charset than UTF-8, which is what browsers send to our pages.

    Starlette would hand it to whatever codec of Python is named, and some of those fail or make halves of letters.
    """
    charset = parse_options_header(request.headers.get("content-type"))[1].get(b"charset", TAKEN[0])
    if charset.lower() not in TAKEN:
        raise HTTPException(415, f"found a form in the charset {charset[:40].decode('latin-1')!r}, expected UTF-8")
