"""SIGHUP: settings, store, history and tokens are taken anew, and nobody waits."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from daemon import Daemon, everything, request, taught
from letters import letter
from web import Client

from bayleaf.mail import Filter
from bayleaf.service.history import History
from bayleaf.service.logbook import Logbook
from bayleaf.service.tokens import Tokens

SPAM = letter(1000, "spam")


def test_hup_reads_the_settings_and_opens_the_store_again(tmp_path: Path) -> None:
    taught(tmp_path / "old.db", 20)
    config = tmp_path / "config.toml"
    config.write_text(f'store = "{tmp_path}/new.db"\n')
    with Daemon(tmp_path, BAYLEAF_CONFIG=str(config)) as daemon:

        def reload(text: str) -> bytes:
            config.write_text(text)
            daemon.process.send_signal(signal.SIGHUP)
            daemon.told("RELOADING=1")
            daemon.told("READY=1")
            return daemon.ask(request("SYMBOLS", SPAM)).partition(b"\r\n\r\n")[2].partition(b",")[0]

        kept = daemon.connect()
        kept.sendall(request("SYMBOLS", SPAM, "Connection: keep-alive"))
        assert b"BAYLEAF_UNSURE" in kept.recv(4096)
        assert reload(f'store = "{tmp_path}/old.db"\n') == b"BAYLEAF_SPAM"
        assert reload("this is no TOML") == b"BAYLEAF_SPAM", "it goes on as before and says so"
        kept.sendall(request("SYMBOLS", SPAM))
        assert b"BAYLEAF_SPAM" in everything(kept), "nobody was cut off"
        kept.close()
        assert daemon.stop() == 0
    assert "not reloaded, going on as before" in (tmp_path / "daemon.log").read_text()


def test_hup_before_the_daemon_is_ready_is_heard_when_it_is(tmp_path: Path) -> None:
    files = [tmp_path / "old", tmp_path / "new"]
    old, new = (Tokens.add(file, "ann", "read") for file in files)
    pipe = tmp_path / "tokens"
    os.mkfifo(pipe)

    def hang_up(process: subprocess.Popen[bytes]) -> None:
        with pipe.open("w") as tokens:  # which waits for the daemon to read them
            process.send_signal(signal.SIGHUP)
            tokens.write(files[0].read_text())

    words = ("--http", "127.0.0.1:0", "--token-file", str(pipe))
    with Daemon(tmp_path, *words, spamd=False, meanwhile=hang_up) as daemon:
        daemon.told("RELOADING=1")
        pipe.write_text(files[1].read_text())
        daemon.told("READY=1")
        given = ({"Authorization": f"Bearer {token}"} for token in (old, new))
        assert [Client(daemon.web).get("/v1/status", **each).status for each in given] == [401, 200]
        assert daemon.stop() == 0


def test_hup_takes_the_history_of_the_other_store(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"

    def reload(name: str) -> list[str]:
        config.write_text(f'store = "{tmp_path}/{name}"\n')
        daemon.process.send_signal(signal.SIGHUP)
        daemon.told("RELOADING=1")
        daemon.told("READY=1")
        return subjects()

    def subjects() -> list[str]:
        return [each["subject"] for each in client.get("/v1/history").json["mails"]]

    config.write_text(f'store = "{tmp_path}/one.db"\n')
    with Daemon(tmp_path, "--http", "127.0.0.1:0", spamd=False, BAYLEAF_CONFIG=str(config)) as daemon:
        client = Client(daemon.web)
        client.post("/v1/judge", b"Subject: first\n\nx")
        assert reload("two.db") == []
        client.post("/v1/judge", b"Subject: second\n\nx")
        assert reload("two.db") == ["second"]
        (tmp_path / "broken.db").write_bytes(b"no store " * 999)
        assert reload("broken.db") == ["second"], "it goes on as before"
        assert reload("one.db") == ["first"]
        assert daemon.stop() == 0
    with History(Logbook(tmp_path / "two.db-history")) as kept:
        assert [each.subject for each in kept.find()] == ["second"]


def test_hup_takes_a_token_back_also_when_the_store_fails(tmp_path: Path) -> None:
    config, file = tmp_path / "config.toml", tmp_path / "tokens"
    kept, lost = (Tokens.add(file, name, "read") for name in ("ann", "eve"))
    config.write_text(f'store = "{tmp_path}/m.db"\n')
    words = ("--http", "127.0.0.1:0", "--token-file", str(file))

    def statuses() -> list[int]:
        return [client.get("/v1/status", Authorization=f"Bearer {token}").status for token in (kept, lost)]

    with Daemon(tmp_path, *words, spamd=False, BAYLEAF_CONFIG=str(config)) as daemon:
        client = Client(daemon.web)
        assert statuses() == [200, 200]
        (tmp_path / "broken.db").write_bytes(b"no store " * 999)
        config.write_text(f'store = "{tmp_path}/broken.db"\n')
        file.write_text(file.read_text().splitlines()[0] + "\n")
        daemon.process.send_signal(signal.SIGHUP)
        daemon.told("RELOADING=1")
        daemon.told("READY=1")
        assert statuses() == [200, 401]
        assert daemon.stop() == 0
    log = (tmp_path / "daemon.log").read_text()
    assert "store not reloaded, going on as before" in log
    assert "reloaded, tokens" in log


@contextmanager
def reloading(tmp_path: Path) -> Iterator[tuple[Daemon, sqlite3.Connection]]:
    """A daemon that was told to go on with a copy of its store, and somebody who keeps that one."""
    config = tmp_path / "config.toml"
    with Filter.open(taught(tmp_path / "old.db", 20)) as old:
        old.backup(tmp_path / "new.db")
    with closing(sqlite3.connect(tmp_path / "new.db", isolation_level=None)) as keeper:
        keeper.execute("BEGIN EXCLUSIVE")
        config.write_text(f'store = "{tmp_path}/old.db"\n')
        with Daemon(tmp_path, "--allow-tell", BAYLEAF_CONFIG=str(config)) as daemon:
            config.write_text(f'store = "{tmp_path}/new.db"\n')
            daemon.process.send_signal(signal.SIGHUP)
            daemon.told("RELOADING=1")
            yield daemon, keeper


def test_hup_to_a_store_that_somebody_keeps_does_not_keep_clients_waiting(tmp_path: Path) -> None:
    with reloading(tmp_path) as (daemon, keeper):
        assert b"BAYLEAF_SPAM" in daemon.ask(request("SYMBOLS", SPAM))
        assert b"DidSet" in daemon.ask(request("TELL", SPAM, "Message-class: spam", "Set: local"))
        keeper.execute("ROLLBACK")
        daemon.told("READY=1")
        assert b"DidSet" in daemon.ask(request("TELL", SPAM, "Message-class: spam", "Set: local"))
        assert daemon.stop() == 0
    for name in ("old.db", "new.db"):
        with Filter.open(tmp_path / name) as found:
            assert found.check()["mails"] == 41


def test_a_daemon_stops_while_the_store_of_a_hup_is_kept(tmp_path: Path) -> None:
    with reloading(tmp_path) as (daemon, _):
        assert daemon.stop() == 0
    log = (tmp_path / "daemon.log").read_text()
    assert "Traceback" not in log
    assert "stopped; nothing judged or learned" in log
