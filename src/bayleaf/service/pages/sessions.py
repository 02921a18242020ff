"""Sessions: who may see and do what on the pages, and which forms are ours."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections import OrderedDict
from hashlib import sha256
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from bayleaf.service.tokens import Tokens

COOKIE = "bayleaf"
AGE = 12 * 3600  # seconds a login lasts
MOST = 1000  # logins held; the oldest go first


class Visitor(NamedTuple):
    """A session and what it may do: `scope` is "train" or "read"."""

    session: str
    scope: str
    fresh: bool = False

    @property
    def trains(self) -> bool:
        """Whether this visitor may teach."""
        return self.scope == "train"


class Sessions:
    """Without tokens everybody on this machine may do everything; with them, those who logged in with one.

    A CSRF token is an HMAC of the session with a key that dies with the process, so only our own pages have it.

    >>> sessions = Sessions(None)
    >>> sessions.csrf("a") == sessions.csrf("a"), sessions.csrf("a") == sessions.csrf("b")
    (True, False)
    """

    def __init__(self, tokens: Tokens | None) -> None:
        self.tokens = tokens
        self._key = secrets.token_bytes(32)
        self._sessions: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self._lock = threading.Lock()

    def visitor(self, request: Request) -> Visitor | None:
        """Who asks; None when somebody has to log in first."""
        session = request.cookies.get(COOKIE, "")
        if self.tokens is None:
            held = session if session.isascii() and 16 <= len(session) <= 64 else ""
            return Visitor(held or secrets.token_urlsafe(24), "train", not held)
        with self._lock:
            token, until = self._sessions.get(session, ("", 0.0))
        scope = self.tokens.scope(token) if time.time() < until else None
        return None if scope is None else Visitor(session, scope)

    def login(self, token: str) -> Visitor | None:
        """A new session for whoever holds a valid token."""
        scope = None if self.tokens is None else self.tokens.scope(token)
        if scope is None:
            return None
        session = secrets.token_urlsafe(24)
        with self._lock:
            self._sessions[session] = token, time.time() + AGE
            if len(self._sessions) > MOST:
                self._sessions.popitem(last=False)
        return Visitor(session, scope, True)

    def logout(self, session: str) -> None:
        """Ends a session."""
        with self._lock:
            self._sessions.pop(session, None)

    def csrf(self, session: str) -> str:
        """What every form of this session carries."""
        return hmac.new(self._key, session.encode(), sha256).hexdigest()

    def meant(self, session: str, given: object) -> bool:
        """Whether a form is one of ours."""
        return isinstance(given, str) and hmac.compare_digest(self.csrf(session).encode(), given.encode())


def seal(response: Response, request: Request, visitor: Visitor) -> None:
    """Sends the cookie of a new session: no script reads it, no other site sends it."""
    if visitor.fresh:
        secure = by_https(request)
        response.set_cookie(COOKIE, visitor.session, path="/", httponly=True, samesite="strict", secure=secure)


def by_https(request: Request) -> bool:
    """Whether a browser came by HTTPS, to us or to a proxy in front: who says so only guards a cookie of his."""
    return "https" in (request.url.scheme, request.headers.get("x-forwarded-proto"))
