"""Mail servers that hang, flood, lie and talk nonsense: the others are served all the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from daemon import Daemon, taught
from hypothesis import example, given
from hypothesis import strategies as st
from letters import letter
from mta import Mta, came, done, enveloped, offered, packed, told

from bayleaf.service.milter.packet import Packet

SPAM = letter(1000, "spam")
COMMANDS = [bytes([letter]) for letter in b"OCHMRTLNBEADKQUx"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("m")
    words = ("--milter", f"unix:{folder}/m.sock", "--users", str(folder / "users"))
    with Daemon(folder, *words, store=taught(folder / "mail.db", 20)) as running:
        yield f"{folder}/m.sock"
        assert running.stop() == 0, "after all this"


def served(place: str) -> None:
    """A server that behaves gets its answer."""
    with Mta(place) as server:
        server.say(came(), enveloped(), told(SPAM))
        orders = server.end()
    assert orders is not None
    assert done(SPAM, orders).startswith(b"X-Spam-Flag: YES\n")


@given(st.lists(st.tuples(st.sampled_from(COMMANDS), st.binary(max_size=60)), max_size=12))
@example([(b"L", b""), (b"L", b"a\0"), (b"D", b""), (b"D", b"M\0"), (b"C", b""), (b"R", b"\0"), (b"E", b"")])
@example([(b"M", b"\xff<>\0"), (b"R", b"<\xff\xfe@\xff>\0"), (b"L", b"\xff\0\n\n\0"), (b"E", b"\0")])
def test_packets_of_any_kind_in_any_order_stop_nobody(place: str, packets: list[tuple[bytes, bytes]]) -> None:
    with Mta(place) as server, suppress(ConnectionError):  # it may have hung up by then
        server.say(*(Packet(*packet).wire() for packet in packets), packed(b"Q"))
        while server.hear() is not None:
            pass
    served(place)


@given(st.binary(max_size=200))
@example(b"\xff\xff\xff\xffO")
@example(offered() * 3)
def test_any_bytes_stop_nobody(place: str, said: bytes) -> None:
    with Mta(place) as server, suppress(ConnectionError):
        server.socket.sendall(said)
        server.socket.shutdown(1)
        while server.socket.recv(4096):
            pass
    served(place)


@given(st.lists(st.integers(1, 4000), min_size=1, max_size=30))
def test_it_does_not_matter_where_the_bytes_are_cut(place: str, cuts: list[int]) -> None:
    whole = came() + enveloped() + told(SPAM)
    with Mta(place) as server:
        at = 0
        for size in cuts:
            server.say(whole[at : at + size])
            at += size
        server.say(whole[at:])
        orders = server.end()
    assert orders is not None
    assert done(SPAM, orders).startswith(b"X-Spam-Flag: YES\n")


def test_servers_that_hang_half_way_stop_nobody(place: str) -> None:
    with ExitStack() as stack:
        for end in range(0, len(told(SPAM)), 9):
            server = stack.enter_context(Mta(place))
            server.say(came(), enveloped(), told(SPAM)[:end])
        served(place)
    served(place)


def test_a_header_of_100_000_lines_and_an_endless_envelope_are_bounded(place: str) -> None:
    with Mta(place) as server:
        server.say(came(), enveloped(*[b"<someone%d@test.example>" % number for number in range(100_000)]))
        server.say(packed(b"L", b"X-Spam-Flag", b" NO") * 100_000, packed(b"N"), packed(b"E"))
        orders = server.end()
    assert orders is not None
    assert sum(order.command == b"m" for order in orders) == 1000, "Postfix would die of more"
    assert b"X-Bayleaf-Verdict" in b"".join(order.data for order in orders if order.command == b"i")
    served(place)


def test_a_mail_without_an_end_takes_no_memory_beyond_the_limit(place: str) -> None:
    with Mta(place) as server:
        server.say(came(), enveloped(), packed(b"L", b"Subject", b" x"))
        for _ in range(100):
            server.say(Packet(b"B", b"word " * 200_000).wire())
        server.say(packed(b"E"))
        assert server.end() is not None
    served(place)


def test_who_does_not_read_its_answers_is_not_listened_to(place: str) -> None:
    with Mta(place) as server:
        server.socket.settimeout(1)
        with pytest.raises(TimeoutError):
            server.say(*[offered() * 4000] * 1000)
        served(place)


def test_words_of_a_server_that_nobody_needs_are_not_kept(tmp_path: Path) -> None:
    words = ("--milter", f"unix:{tmp_path}/m.sock")
    with (
        Daemon(tmp_path, *words, store=taught(tmp_path / "mail.db", 20)) as daemon,
        Mta(f"{tmp_path}/m.sock") as server,
    ):
        before = memory(daemon)
        for number in range(100):
            server.say(packed(b"D", b"C{word %d}" % number, b"x" * 2**20), packed(b"H", b"x" * 2**20))
        server.say(came(), enveloped(), told(SPAM))
        assert server.end() is not None, "so what came before has been read"
        assert memory(daemon) < before + 32 * 2**10


def memory(daemon: Daemon) -> int:
    """KiB that it takes."""
    status = Path(f"/proc/{daemon.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])
