"""The daemon as an operator sees it: signals, systemd, sockets handed over."""

from __future__ import annotations

import re
import signal
import socket
import sqlite3
import subprocess
from pathlib import Path

import pytest
from daemon import PATIENCE, Daemon, everything, request, taught, until
from desk import bayleaf
from letters import letter
from web import Client

from bayleaf.mail import Filter

PACKAGING = Path(__file__).parents[2] / "packaging"
SPAM = letter(1000, "spam")


def test_term_finishes_what_has_begun_and_exits_zero(tmp_path: Path) -> None:
    with Daemon(tmp_path, store=taught(tmp_path / "m.db", 20)) as daemon:
        begun, idle = daemon.connect(), daemon.connect()
        begun.sendall(request("CHECK", SPAM)[:-5])
        assert daemon.alive(), "so the bytes above have been read: they came first"
        daemon.process.send_signal(signal.SIGTERM)
        daemon.told("STOPPING=1")
        assert everything(idle) == b""
        with pytest.raises(OSError):  # noqa: PT011 - refused or reset, as the system likes
            daemon.ask(request("PING"))
        begun.sendall(SPAM[-5:])
        assert everything(begun).startswith(b"SPAMD/1.1 0 EX_OK\r\nSpam: True")
        assert daemon.close() == 0
        assert not daemon.unix.exists()
        for client in (begun, idle):
            client.close()


def test_term_does_not_wait_for_a_store_that_somebody_else_keeps(place: str, tmp_path: Path) -> None:
    lesson = ("Message-class: spam", "Set: local")
    head = b"POST /v1/train?label=spam HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\n"
    words = ("--allow-tell", "--http", "127.0.0.1:0")
    with Filter.open(place) as other, Daemon(tmp_path, *words, store=place) as daemon:
        assert b"DidSet: local" in daemon.ask(request("TELL", letter(1, "spam"), *lesson))
        clients = [daemon.connect(), daemon.connect(), socket.create_connection(("127.0.0.1", daemon.web), timeout=60)]
        with other.store.change(day=9000):
            for number, client in enumerate(clients[:2], 2):
                client.sendall(request("TELL", letter(number, "spam"), *lesson))
            clients[2].sendall(head + b"Content-Length: %d\r\n\r\n" % len(SPAM) + SPAM)
            assert daemon.alive()
            assert Client(daemon.web).get("/healthz").status == 200, (
                "so the lessons above have been read: they came first"
            )
            daemon.process.send_signal(signal.SIGTERM)
            for client, code in zip(clients, (b"75", b"75", b"503"), strict=True):
                with client:
                    assert everything(client).split()[1] == code
            assert daemon.close() == 0
    with Filter.open(place) as found:
        assert found.check()["mails"] == 1, "what was answered, and nothing else"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_daemon_stops_while_it_waits_for_its_store(number: signal.Signals, tmp_path: Path) -> None:
    def stop(daemon: subprocess.Popen[bytes]) -> None:
        until(lambda: opened(daemon.pid), AssertionError, FileNotFoundError)  # files that it reads come and go
        daemon.send_signal(number)
        raise StopIteration(daemon.wait(PATIENCE))

    def opened(pid: int) -> None:
        assert store in [each.resolve() for each in Path(f"/proc/{pid}/fd").iterdir()]

    store = tmp_path.resolve() / "mail.db"
    with sqlite3.connect(store, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StopIteration, match=r"^0$"):
            Daemon(tmp_path, store=store, meanwhile=stop)
    assert "stopped before it was ready" in (tmp_path / "daemon.log").read_text()


def test_the_last_line_of_the_log_counts_or_says_that_there_was_nothing(tmp_path: Path) -> None:
    last = []
    for mails in ([], [SPAM]):
        with Daemon(tmp_path, store=taught(tmp_path / "m.db", 3)) as daemon:
            for mail in mails:
                daemon.ask(request("CHECK", mail))
            assert daemon.stop() == 0
            last.append(Path(daemon.log.name).read_text().splitlines()[-1])
    assert last[0].endswith("stopped; nothing judged or learned")
    assert re.search(r"stopped; \w+=1$", last[1])


def test_a_socket_of_a_killed_daemon_is_taken_over(tmp_path: Path) -> None:
    with Daemon(tmp_path) as daemon:
        daemon.kill()
    assert daemon.unix.exists()
    with Daemon(tmp_path) as daemon, socket.socket(socket.AF_UNIX) as client:
        client.connect(str(daemon.unix))
        client.sendall(request("PING"))
        assert everything(client) == b"SPAMD/1.5 0 PONG\r\n"


def test_a_daemon_that_still_answers_leaves_the_socket_of_its_successor_alone(tmp_path: Path) -> None:
    store = taught(tmp_path / "m.db", 3)
    with Daemon(tmp_path, store=store) as before, before.connect() as begun:
        begun.sendall(request("CHECK", SPAM)[:-5])
        assert before.alive(), "so the bytes above have been read: they came first"
        before.process.send_signal(signal.SIGTERM)
        before.told("STOPPING=1")
        with Daemon(tmp_path, store=store) as after, socket.socket(socket.AF_UNIX) as client:
            begun.sendall(SPAM[-5:])
            assert everything(begun).startswith(b"SPAMD/1.1 0 EX_OK")
            assert before.close() == 0
            client.connect(str(after.unix))
            client.sendall(request("PING"))
            assert everything(client) == b"SPAMD/1.5 0 PONG\r\n"


def test_the_log_has_no_words_of_the_mail(tmp_path: Path) -> None:
    with Daemon(tmp_path, "--allow-tell", store=taught(tmp_path / "m.db", 20)) as daemon:
        for verb in ("CHECK", "REPORT", "PROCESS"):
            daemon.ask(request(verb, SPAM, "User: ann"))
        daemon.ask(request("TELL", SPAM, "Message-class: spam", "Set: local"))
        assert daemon.stop() == 0
    log = (tmp_path / "daemon.log").read_text()
    assert log.count("verb=") == 4
    assert log.count(" user=ann id=spam-") == 3, "what mails are looked for by"
    head, _, body = SPAM.decode().partition("\n\n")
    head = re.sub(r"Message-ID: \S+", "", head)
    assert not any(word in log for word in {*body.split(), *re.findall(r"[\w.-]+@[\w.-]+", head)} if len(word) > 4)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--spamd", "0.0.0.0:0"], "--allow-from"),
        (["--spamd", "nonsense"], "expected HOST:PORT"),
        (["--http", "nonsense"], "expected HOST:PORT"),
        (["--keep", "much"], "256M"),
        (["--models", "/nowhere/models"], "no folder /nowhere/models"),
        (["--new-token", "read", "ann"], "--token-file"),
        (["--token-file", "/nowhere/tokens"], "/nowhere/tokens"),
        (["--spamd", "127.0.0.1:0", "--allow-from", "everybody"], "expected a network"),
        (["--spamd", "127.0.0.1:0", "--store", "/proc/nowhere/m.db"], "/proc/nowhere"),
    ],
)
def test_what_is_refused_is_said_in_one_line(words: list[str], why: str, tmp_path: Path) -> None:
    done = bayleaf("serve", "--store", str(tmp_path / "m.db"), *words)
    assert done.returncode == 1
    assert why in done.stderr
    assert "Traceback" not in done.stderr


def test_a_setting_that_the_daemon_would_not_heed_is_refused(tmp_path: Path) -> None:
    shared = taught(tmp_path / "everybody.db", 20)
    done = bayleaf("serve", "--store", "/proc/nowhere/m.db", BAYLEAF_SHARED=str(shared))
    assert done.returncode == 1
    assert f"--store {shared}" in done.stderr
    assert "--users" in done.stderr
    config = tmp_path / "config.toml"
    config.write_text(f'store = "{tmp_path}/./everybody.db"\nshared = "{shared}"\n')
    with Daemon(tmp_path, "--users", str(tmp_path / "users"), BAYLEAF_CONFIG=str(config)) as daemon:
        config.write_text(f'store = "{tmp_path}/own.db"\nshared = "{shared}"\n')
        daemon.process.send_signal(signal.SIGHUP)
        daemon.told("RELOADING=1")
        daemon.told("READY=1")
        assert b"BAYLEAF_SPAM" in daemon.ask(request("SYMBOLS", SPAM)), "it goes on as before"
        assert daemon.stop() == 0
    assert "store not reloaded, going on as before: found the setting shared" in (tmp_path / "daemon.log").read_text()
    with Daemon(tmp_path, BAYLEAF_CONFIG=str(config), BAYLEAF_SHARED="") as daemon:
        assert b"BAYLEAF_UNSURE" in daemon.ask(request("SYMBOLS", SPAM))


def test_clients_that_say_nothing_leave_files_for_the_others(tmp_path: Path) -> None:
    """Where the system allows few files, as in many containers, fewer connections are held than elsewhere."""
    with Daemon(tmp_path, "--http", "127.0.0.1:0", store=taught(tmp_path / "m.db", 20), files=160) as daemon:
        for port in (daemon.port, daemon.web):
            idle = [socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) for _ in range(200)]
            assert daemon.ask(request("CHECK", SPAM)).startswith(b"SPAMD/1.1 0 EX_OK\r\nSpam: True")
            assert Client(daemon.web).post("/v1/judge", SPAM).json["label"] == "spam"
            for client in idle:
                client.close()
        assert daemon.stop() == 0
    assert "Traceback" not in (tmp_path / "daemon.log").read_text()
