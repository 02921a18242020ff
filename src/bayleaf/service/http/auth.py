"""Auth: who may ask what."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from bayleaf.service.http.problem import Problem
from bayleaf.service.tokens import SCOPES, Tokens

READING = ("/v1/judge", "/v1/explain", "/predict")  # how POSTs that change nothing end
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
CHALLENGE = {"WWW-Authenticate": 'Bearer realm="bayleaf"'}


def ours(path: str) -> bool:
    """Whether the API answers here; everything else is the page's, which has sessions and forms of its own."""
    return path.startswith("/v1/") or path == "/metrics"


def needed(method: str, path: str) -> str | None:
    """The scope that a request needs; None when it needs no token. What is not known to be harmless needs "train"."""
    if not ours(path):
        return None
    return "read" if method in SAFE or path.endswith(READING) else "train"


def admit(scope: Scope, headers: Headers, tokens: Tokens | None) -> str:
    """The name of whoever asks, or "" when nobody needs one; raises Problem for those who may not."""
    method, hosts = scope["method"], headers.getlist("host")
    if len(hosts) > 1 or (not hosts and scope["http_version"] == "1.1"):  # who came before us may have read another
        raise Problem(400, f"found {len(hosts)} Host headers, expected one")
    host = "".join(hosts)
    if tokens is None and not local(host):
        raise Problem(
            421,
            "found a Host header that names another machine, expected localhost, 127.0.0.1 or [::1]: without tokens "
            "only this machine is answered, also when another name points to it; start bayleaf with --token-file",
        )
    origin = headers.get("origin")
    foreign = origin is not None and place(origin) != host
    if method not in SAFE and (foreign or headers.get("sec-fetch-site") in ("cross-site", "same-site")):
        raise Problem(403, "found a request that a page of another site has made, expected one of this site or no page")
    wanted = needed(method, scope["path"])
    return "" if wanted is None or tokens is None else bearer(headers, wanted, tokens)


def bearer(headers: Headers, scope: str, tokens: Tokens) -> str:
    """The name behind the token of a request that needs this scope."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    holder = tokens.holder(token.strip()) if kind.lower() == "bearer" else None
    if holder is None:
        raise Problem(401, "found no token that is known, expected `Authorization: Bearer TOKEN`", CHALLENGE)
    if SCOPES.index(holder.scope) < SCOPES.index(scope):
        raise Problem(403, f"found a token for {holder.scope}, expected one for {scope}")
    return holder.name


def place(origin: str) -> str:
    """The host and port that an Origin header names; empty when it names none.

    >>> place("http://127.0.0.1:8000"), place("null"), place("http://[")
    ('127.0.0.1:8000', '', '')
    """
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def local(host: str) -> bool:
    """Whether a Host header names this machine. A name that others can point here (DNS rebinding) does not.

    >>> local("127.0.0.1:8000"), local("[::1]"), local("localhost:80"), local("evil.example")
    (True, True, True, False)
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False
