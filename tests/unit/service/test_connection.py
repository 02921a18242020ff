"""The limits of the spamd face, each made small enough to be reached."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from apart import run_apart
from daemon import request, taught
from letters import letter

from bayleaf.errors import StoreError
from bayleaf.mail import Filter
from bayleaf.service import LiveFilter
from bayleaf.service.crowd import Crowd
from bayleaf.service.judges import Judges
from bayleaf.service.limits import Limits
from bayleaf.service.spamd.connection import Connection
from bayleaf.service.spamd.face import SpamdFace

SPAM = letter(1000, "spam")
Client = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Awaitable[Client]]


def session(folder: Path, limits: Limits, talk: Callable[[SpamdFace, Connect], Awaitable[None]]) -> None:
    """Runs a talk with a face of these limits."""

    async def run() -> None:
        live = LiveFilter(taught(folder / "m.db", 20))
        judges = Judges(live, limits.inline)
        face = SpamdFace(judges, Crowd(limits), tell=True)
        server = await asyncio.get_running_loop().create_server(lambda: Connection(face), "127.0.0.1", 0)
        port, clients = server.sockets[0].getsockname()[1], []

        async def connect() -> Client:
            clients.append(await asyncio.open_connection("127.0.0.1", port))
            return clients[-1]

        try:
            await talk(face, connect)
        finally:
            server.close()
            for _, writer in clients:
                writer.close()
            await face.crowd.drain()
            judges.close()
            live.close()
            assert face.crowd.held == 0
            assert not face.crowd.guests

    run_apart(run())


def test_a_slow_request_is_told_so_and_cut(tmp_path: Path) -> None:
    async def talk(_: SpamdFace, connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(b"CHECK SPAMC/1.5\r\n")
        assert await reader.read() == b"SPAMD/1.0 79 Timeout: (0.1 seconds were not enough to send a request)\r\n"
        silent, _ = await connect()
        assert await silent.read() == b""

    session(tmp_path, Limits(send=0.1, linger=0.1), talk)


def test_who_has_kept_us_waiting_longest_makes_room(tmp_path: Path) -> None:
    async def talk(face: SpamdFace, connect: Connect) -> None:
        first, second, third = [await connect() for _ in range(3)]
        fourth = await connect()
        fourth[1].write(request("CHECK", SPAM))
        assert (await fourth[0].read()).startswith(b"SPAMD/1.1 0 EX_OK")
        assert await first[0].read() == b""
        for reader, writer in (second, third):
            writer.write(request("PING"))
            assert await reader.read() == b"SPAMD/1.5 0 PONG\r\n"

    session(tmp_path, Limits(connections=3), talk)


def test_no_more_is_held_for_unfinished_mails_than_there_is_room(tmp_path: Path) -> None:
    async def talk(face: SpamdFace, connect: Connect) -> None:
        one, other = await connect(), await connect()
        one[1].write(request("CHECK", b"x" * 900)[:-1])
        await one[1].drain()
        while not face.crowd.held:
            await asyncio.sleep(0)
        other[1].write(request("CHECK", b"y" * 900)[:-1])
        assert (await other[0].read()).startswith(b"SPAMD/1.0 75 EX_TEMPFAIL: ")
        one[1].write(b"x")
        assert (await one[0].read()).startswith(b"SPAMD/1.1 0 EX_OK")

    session(tmp_path, Limits(waiting=1200), talk)


def test_thousands_of_requests_at_once_on_one_connection(tmp_path: Path) -> None:
    async def talk(_: SpamdFace, connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(request("PING", b"", "Connection: keep-alive") * 5000)
        writer.write_eof()
        assert await reader.read() == b"SPAMD/1.5 0 PONG\r\n" * 5000

    session(tmp_path, Limits(), talk)


def test_a_large_mail_is_judged_aside_and_answered_in_turn(tmp_path: Path) -> None:
    async def talk(_: SpamdFace, connect: Connect) -> None:
        reader, writer = await connect()
        more = "Connection: keep-alive"
        writer.write(request("CHECK", SPAM, more) + request("PING", b"", more) + request("SYMBOLS", SPAM))
        answers = await reader.read()
        assert [answers.index(word) for word in (b"Spam:", b"PONG", b"BAYLEAF_SPAM")] == sorted(
            answers.index(word) for word in (b"Spam:", b"PONG", b"BAYLEAF_SPAM")
        )

    session(tmp_path, Limits(inline=0), talk)


@pytest.mark.parametrize("inline", [0, 10_000])
def test_a_fault_of_ours_asks_the_client_to_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inline: int
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("disk full: secret words of the mail")

    async def talk(_: SpamdFace, connect: Connect) -> None:
        monkeypatch.setattr(Filter, "judge_features", fail)
        monkeypatch.setattr(Filter, "train", fail)
        for asked in (request("PROCESS", SPAM), request("TELL", SPAM, "Message-class: spam", "Set: local")):
            reader, writer = await connect()
            writer.write(asked)
            writer.write_eof()
            assert await reader.read() == b"SPAMD/1.0 75 EX_TEMPFAIL: StoreError, see the log\r\n"
        monkeypatch.undo()
        reader, writer = await connect()
        writer.write(request("CHECK", SPAM))
        assert (await reader.read()).startswith(b"SPAMD/1.1 0 EX_OK"), "and then it goes on"

    session(tmp_path, Limits(inline=inline), talk)


def test_an_empty_mail_is_not_learned(tmp_path: Path) -> None:
    async def talk(_: SpamdFace, connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(request("TELL", b" \n", "Message-class: spam", "Set: local"))
        writer.write_eof()
        assert (await reader.read()).startswith(b"SPAMD/1.0 65 EX_DATAERR: (found an empty mail")

    session(tmp_path, Limits(), talk)


def test_draining_finishes_what_has_begun_and_nothing_else(tmp_path: Path) -> None:
    async def talk(face: SpamdFace, connect: Connect) -> None:
        idle, begun, kept = [await connect() for _ in range(3)]
        begun[1].write(request("CHECK", SPAM)[:-5])
        kept[1].write(request("CHECK", SPAM, "Connection: keep-alive")[:-5])
        while not face.crowd.held:
            await asyncio.sleep(0)
        draining = asyncio.ensure_future(face.crowd.drain())
        assert await idle[0].read() == b""
        for reader, writer in (begun, kept):
            writer.write(SPAM[-5:])
            assert (await reader.read()).startswith(b"SPAMD/1.1 0 EX_OK")
        await draining

    session(tmp_path, Limits(), talk)


def test_what_a_client_says_is_not_obeyed_by_the_terminal_that_shows_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def talk(face: SpamdFace, connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(request("TELL", SPAM, "Message-class: s\x1b[31mpam", "Set: \x1b]0;owned\x07"))
        assert b"EX_OK" in await reader.read()

    with caplog.at_level("INFO", "bayleaf.spamd"):
        session(tmp_path, Limits(), talk)
    assert "verb=TELL user=- id=" in caplog.text
    assert not {"\x1b", "\x07"} & set("".join(record.getMessage() for record in caplog.records))


def test_a_daemon_that_gets_no_thread_says_come_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """systemd's TasksMax, or a machine that is full."""

    def none(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def talk(_: SpamdFace, connect: Connect) -> None:
        with monkeypatch.context() as full:
            full.setattr(threading.Thread, "start", none)
            for verb, fields in (("CHECK", ()), ("TELL", ("Message-class: spam", "Set: local"))):
                reader, writer = await connect()
                writer.write(request(verb, SPAM, *fields))
                writer.write_eof()
                assert await reader.read() == b"SPAMD/1.0 75 EX_TEMPFAIL: RuntimeError, see the log\r\n"
        reader, writer = await connect()
        writer.write(request("CHECK", SPAM))
        assert (await reader.read()).startswith(b"SPAMD/1.1 0 EX_OK\r\nSpam: True")

    session(tmp_path, Limits(inline=10), talk)


def test_what_was_held_for_a_client_that_was_cut_is_room_again(tmp_path: Path) -> None:
    async def talk(face: SpamdFace, connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(request("CHECK", SPAM)[:-5])
        while not face.crowd.held:
            await asyncio.sleep(0)
        await connect()
        assert await reader.read() == b""
        assert face.crowd.held == 0

    session(tmp_path, Limits(connections=1), talk)
