"""HTTP clients that hang, trickle and vanish: the others are served all the same."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from daemon import Daemon, everything, taught
from letters import letter
from web import Client

SPAM = letter(1000, "spam")
HEAD = b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\n"
WHOLE = b"%sConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (HEAD, len(SPAM), SPAM)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    folder: Path = tmp_path_factory.mktemp("d")
    words = ("--http", "127.0.0.1:0")
    with Daemon(folder, *words, spamd=False, store=taught(folder / "mail.db", 20)) as running:
        yield running
        assert running.stop() == 0, "after all this"


def served(daemon: Daemon) -> None:
    """A client that behaves gets its answer."""
    assert Client(daemon.web).post("/v1/judge", SPAM).json["label"] == "spam"


def test_two_thousand_idle_connections_stop_nobody(daemon: Daemon) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    try:
        with ExitStack() as stack:
            idle = [stack.enter_context(daemon.connect()) for _ in range(2000)]
            for client in idle[1::2]:  # of the older half some are cut already: there may be 1,000
                with suppress(OSError):
                    client.sendall(WHOLE[:50])
            served(daemon)
            idle[-1].sendall(WHOLE[50:])
            assert b"200 OK" in everything(idle[-1]), "and who was slow may still finish"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_half_open_connections_stop_nobody(daemon: Daemon) -> None:
    for part in (b"", b"POST", HEAD, WHOLE[:-9], WHOLE, WHOLE.replace(b"judge", b"train?label=spam")):
        daemon.leave(part)
        served(daemon)


def test_who_does_not_read_its_answer_stops_nobody(daemon: Daemon) -> None:
    ask = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200  # some megabytes of answers
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(daemon.deaf(ask))
        served(daemon)


def test_a_slow_client_is_served_byte_by_byte(daemon: Daemon) -> None:
    with daemon.connect() as client:
        for byte in WHOLE:
            client.sendall(bytes([byte]))
        assert b'"label": "spam"' in everything(client)


def test_a_mail_that_never_ends_is_taken_in_while_others_are_served(daemon: Daemon) -> None:
    with daemon.connect() as client:
        client.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(20):
            client.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
            served(daemon)
        client.sendall(b"0\r\n\r\n")
        assert b"200 OK" in client.recv(4096)
