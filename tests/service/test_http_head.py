"""The head of a request over HTTP, which has a limit however it comes."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path

import pytest
from daemon import everything
from web import raw, serving

from bayleaf.service.http.settings import Settings

SMALL = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
LONG = b"x" * 40_000
OFFER = b"Connection: Upgrade\r\nUpgrade: h2c\r\n"


def test_a_head_without_end_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as (client, _):
        with socket.create_connection(("127.0.0.1", client.port), timeout=60) as other:
            other.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 40_000)
            assert b" 431 " in other.recv(65536)
        for nonsense in (b"\x16\x03\x01\x02\x00\x01", b"GET\r\n\r\n", b"CHECK SPAMC/1.5\r\n\r\n"):
            answer = raw(client.port, nonsense)
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert b"application/problem+json" in answer


def in_steps(port: int, sent: bytes, step: int) -> bytes:
    """The first answer to what is sent so many bytes at a time."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as other:
        with suppress(ConnectionError):  # it may be refused before all of it was sent
            for at in range(0, len(sent), step):
                other.sendall(sent[at : at + step])
        return other.recv(65536)


@pytest.mark.parametrize("step", [100, 10_000, 100_000])
@pytest.mark.parametrize(
    "head",
    [
        SMALL[:-2] + b"X: " + LONG + b"\r\n\r\n",
        SMALL[:-2] + b"X: y\r\n" * 6000 + b"\r\n",
        SMALL[:-2] + b"X:" + b" " * 40_000 + b"y\r\n\r\n",
        SMALL[:-2] + OFFER + b"X: " + LONG + b"\r\n\r\n",
        SMALL.replace(b"/healthz", b"/healthz?" + LONG),
    ],
    ids=["field", "fields", "spaces", "offer", "address"],
)
def test_a_head_that_is_too_large_is_refused_however_it_comes(tmp_path: Path, head: bytes, step: int) -> None:
    with serving(tmp_path / "m.db") as (client, _):
        assert b" 431 " in in_steps(client.port, head, step)


def test_a_large_head_behind_another_request_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as (client, _):
        assert b" 431 " in raw(client.port, SMALL + SMALL[:-2] + b"X: " + LONG + b"\r\n\r\n")


def test_the_end_of_a_large_mail_is_not_taken_for_the_head_behind_it(tmp_path: Path) -> None:
    head = (
        b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\nContent-Length: 40000\r\n\r\n"
    )
    with (
        serving(tmp_path / "m.db") as (client, _),
        socket.create_connection(("127.0.0.1", client.port), timeout=60) as other,
    ):
        other.sendall(head + LONG + SMALL[:20])
        assert b" 200 " in other.recv(65536)
        other.sendall(SMALL[20:-2] + b"Connection: close\r\n\r\n")
        assert everything(other).endswith(b'{"status": "ok"}')


def test_a_head_just_below_the_limit_is_answered(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as (client, _):
        room = Settings().head - len(SMALL) - len(b"X: \r\n")
        whole = SMALL[:-2] + b"X: " + b"x" * room + b"\r\n\r\n"
        assert b" 200 " in raw(client.port, whole)
        assert b" 200 " in raw(client.port, SMALL + whole)


CHUNKED = b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
BODY = b"5\r\nhello\r\n0\r\n"


@pytest.mark.parametrize("step", [100, 10_000, 100_000])
@pytest.mark.parametrize("trailers", [b"X: " + LONG * 3, b"X: y\r\n" * 18_000], ids=["field", "fields"])
def test_trailers_without_end_are_refused(tmp_path: Path, trailers: bytes, step: int) -> None:
    sent = CHUNKED + b"Content-Type: message/rfc822\r\n\r\n" + BODY + trailers
    with serving(tmp_path / "m.db") as (client, _):
        assert b" 431 " in in_steps(client.port, sent, step)


def test_a_trailer_is_no_field_of_the_head(tmp_path: Path) -> None:
    """A proxy that decides by the head what may come in has not seen it."""
    kind = b"Content-Type: message/rfc822\r\n"
    with serving(tmp_path / "m.db") as (client, _):
        assert b" 200 " in raw(client.port, CHUNKED + kind + b"\r\n" + BODY + b"X: y\r\n\r\n")
        assert b" 415 " in raw(client.port, CHUNKED + b"\r\n" + BODY + kind + b"\r\n")


def test_a_body_in_many_small_parts_is_no_head(tmp_path: Path) -> None:
    sent = CHUNKED + b"Content-Type: message/rfc822\r\n\r\n" + b"1\r\nx\r\n" * 20_000 + b"0\r\n\r\n"
    with serving(tmp_path / "m.db") as (client, _):
        assert b" 200 " in raw(client.port, sent)
