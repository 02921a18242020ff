"""Clients that hang, flood, lie and talk nonsense: the others are served all the same."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from daemon import Daemon, everything, request, taught
from hypothesis import example, given
from hypothesis import strategies as st
from letters import letter

SPAM = letter(1000, "spam")
VERBS = ["CHECK", "SYMBOLS", "REPORT", "REPORT_IFSPAM", "PROCESS", "HEADERS", "TELL", "PING", "SKIP"]


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    folder: Path = tmp_path_factory.mktemp("d")
    with Daemon(folder, "--allow-tell", store=taught(folder / "mail.db", 20)) as running:
        yield running
        assert running.stop() == 0, "after all this"


def served(daemon: Daemon) -> None:
    """A client that behaves gets its answer."""
    assert daemon.ask(request("CHECK", SPAM)).startswith(b"SPAMD/1.1 0 EX_OK\r\nSpam: True ; ")


def test_two_thousand_idle_connections_stop_nobody(daemon: Daemon) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    try:
        with ExitStack() as stack:
            idle = [stack.enter_context(daemon.connect()) for _ in range(2000)]
            for client in idle[::2]:
                client.sendall(b"CHECK SPAMC/1.5\r\nContent-le")
            served(daemon)
            idle[0].sendall(b"ngth: 5\r\n\r\nhello")
            assert everything(idle[0]).startswith(b"SPAMD/1.1 0 EX_OK"), "and who was slow may still finish"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_half_open_connections_stop_nobody(daemon: Daemon) -> None:
    for part in (b"", b"CHECK", b"CHECK SPAMC/1.5\r\n", request("PROCESS", SPAM)[:-9], request("TELL", SPAM)):
        daemon.leave(part)
    served(daemon)


def test_who_does_not_read_its_answer_stops_nobody(daemon: Daemon) -> None:
    big = b"Subject: x\n\n" + b"word " * 2_000_000
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(daemon.deaf(request("PROCESS", big)))
        served(daemon)


def test_a_slow_client_is_served_byte_by_byte(daemon: Daemon) -> None:
    with daemon.connect() as client:
        for byte in request("CHECK", b"A: b\n\nc"):
            client.sendall(bytes([byte]))
        assert everything(client).startswith(b"SPAMD/1.1 0 EX_OK\r\nSpam: ")


def test_a_refusal_is_heard_by_a_client_that_goes_on_sending(daemon: Daemon) -> None:
    with daemon.connect() as client:
        client.sendall(b"CHECK SPAMC/1.5\r\nContent-length: 99999999\r\n\r\n")
        for _ in range(200):
            client.sendall(b"x" * 10_000)
        assert client.recv(1000).startswith(b"SPAMD/1.0 65 EX_DATAERR: ")
    served(daemon)


def test_skip_is_heard_in_silence(daemon: Daemon) -> None:
    assert daemon.ask(b"SKIP SPAMC/1.5\r\n\r\n") == daemon.ask(b"SKIP SPAMC/1.2\r\n") == b""


def test_several_requests_on_one_connection(daemon: Daemon) -> None:
    with daemon.connect() as client:
        more = "Connection: keep-alive"
        client.sendall(request("CHECK", SPAM, more) * 3 + request("TELL", SPAM, more) + request("CHECK", SPAM))
        answers = everything(client)
    assert answers.count(b"Spam: True ; ") == 4
    assert answers.count(b"0 EX_OK") == 5


def test_without_asking_for_more_the_connection_ends_as_with_spamd(daemon: Daemon) -> None:
    with daemon.connect() as client:
        client.sendall(request("CHECK", SPAM))
        assert everything(client).endswith(b"\r\n\r\n"), "although the client did not say that it was done"


@given(
    st.one_of(
        st.binary(max_size=2000),
        st.builds(
            lambda verb, version, fields, body: request(verb, body, *fields, version=version),
            st.sampled_from(VERBS),
            st.sampled_from(["1.0", "1.2", "1.5", "9.9"]),
            st.lists(
                st.sampled_from(
                    [
                        "User: x",
                        "User: ../..",
                        "Compress: zlib",
                        "Set: local",
                        "Remove: local",
                        "Set: local,remote",
                        "Message-class: spam",
                        "Message-class: eggs",
                        "Connection: keep-alive",
                        "Content-length: 3",
                        "x",
                    ]
                ),
                max_size=4,
            ),
            st.binary(max_size=300),
        ),
    )
)
@example(b"\x00" * 2000)
@example(request("TELL", SPAM, "Set: local", "Remove: local"))
def test_nonsense_is_answered_or_cut_and_the_next_client_is_served(daemon: Daemon, data: bytes) -> None:
    answer = daemon.ask(data)
    assert answer == b"" or answer.startswith(b"SPAMD/1.")
    assert b"75 EX_TEMPFAIL" not in answer, "that would be a fault of ours"
    assert daemon.alive()
