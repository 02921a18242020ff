"""The service on PostgreSQL: nodes that see each other's learning, users, and a database that goes away."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from cluster import Cluster
from daemon import Daemon, everything, request, until
from letters import letter, letters
from web import Client

from bayleaf.errors import StoreAwayError
from bayleaf.mail import Filter
from bayleaf.service import LiveFilter, shelf
from bayleaf.service.shelf import user_store
from bayleaf.store.address import LONGEST, Address
from bayleaf.store.runs import Runs


def test_two_nodes_learn_and_judge_as_one(new_store: Callable[[], str]) -> None:
    place = Address.parse(new_store())
    one, two = LiveFilter(place), LiveFilter(place)
    for n in range(20):
        one.train(letter(n, "spam"), "spam")
        two.train(letter(n, "ham"), "ham")
    assert two.train(letter(20, "ham"), "ham").result() == "learned"
    assert one.train(letter(20, "ham"), "spam").result() == "corrected"
    assert one.judge(letter(100, "ham")).label == two.judge(letter(100, "ham")).label == "ham"
    assert two.status()["mails"] == {"spam": 21, "ham": 20}
    one.close()
    two.close()


def test_users_have_stores_of_their_own(new_store: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "OPEN", 3)
    place = Address.parse(new_store())
    live = LiveFilter(place, place.beside("users"))
    assert {live.train(raw, label).result() for raw, label in letters(5)} == {"learned"}
    names = [*(f"user{n}" for n in range(5)), "../ann", "long" * 20, "100%?'\""]
    for name in names:
        assert live.untrain(letter(1, "ham"), name).result() is None
        assert live.train(letter(1, "ham"), "spam", name).result() == "learned"
    assert [live.untrain(letter(1, "ham"), name).result() for name in names] == ["spam"] * len(names)
    assert live.judge(letter(1, "ham"), "nobody").best == "ham"
    live.close()
    with Filter.open(place) as shared:
        assert shared.check()["mails"] == 10


def test_who_comes_when_the_end_is_near_does_not_wait_long_either(
    new_store: Callable[[], str], cluster: Cluster
) -> None:
    live = LiveFilter(Address.parse(new_store()))
    live.hurry()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(live.judge, letter(1, "ham")).result()
        with cluster.frozen(), pytest.raises(StoreAwayError):
            pool.submit(live.judge, letter(2, "ham")).result(timeout=20)  # it would be two times 30 seconds
    live.close()


def test_no_user_can_name_the_store_of_another() -> None:
    users = Address("postgresql:///mail", "users")
    long = user_store(users, "x" * 150)
    assert isinstance(long, Address)
    assert len(long.store) <= LONGEST
    plain = [user_store(users, name) for name in (long.store, long.store.removeprefix("users#"), "../users#1", "users")]
    assert len({*plain, long, users}) == 6


@pytest.mark.parametrize("away", ["from the start", "later"])
def test_a_daemon_without_its_database_tells_clients_to_come_again_and_recovers(
    away: str, new_store: Callable[[], str], cluster: Cluster, tmp_path: Path
) -> None:
    place = new_store()
    with Filter.open(place) as learner:
        learner.train_many(letters(30))
    check = request("CHECK", letter(100, "spam"))
    taught = request("TELL", letter(7, "ham"), "Message-class: spam", "Set: local")

    def ready() -> None:
        assert client.get("/readyz").status == 200

    if away == "from the start":
        cluster.kill()
    with Daemon(tmp_path, "--allow-tell", "--http", "127.0.0.1:0", store=place) as daemon:
        client = Client(daemon.web)
        if away == "later":
            assert daemon.ask(check).startswith(b"SPAMD/1.1 0 EX_OK\r\n")
            ready()
            cluster.kill()
        try:
            for ask in (check, taught, check):
                assert b"75" in daemon.ask(ask).splitlines()[0]
            for answer in (client.get("/readyz"), client.post("/v1/judge", letter(100, "spam")), client.get("/data")):
                assert (answer.status, b"check that the server runs" in answer.body) == (503, True)
            assert b"bayleaf_store_up 0.0" in client.get("/metrics").body
            assert client.get("/healthz").status == 200
            assert daemon.alive()
        finally:
            cluster.start()
        until(ready, AssertionError)
        assert daemon.ask(check).startswith(b"SPAMD/1.1 0 EX_OK\r\n"), "who is ready answers"
        assert b"DidSet: local" in daemon.ask(taught)
        assert daemon.stop() == 0
    with Filter.open(place) as f:
        assert f.store.state().totals == (31, 29)
        f.check()
    log = (tmp_path / "daemon.log").read_text()
    assert log.count("the store is away") == log.count("the store answers again") == 1


def test_while_a_database_is_away_mails_do_not_knock_at_its_door() -> None:
    """Each would wait for its answer, and a daemon judges in one thread."""
    knocks, rounds = 0, 50
    with socket.create_server(("127.0.0.1", 0)) as door:

        def slam() -> None:
            nonlocal knocks
            with suppress(OSError):
                while True:
                    door.accept()[0].close()
                    knocks += 1

        doorkeeper = threading.Thread(target=slam)
        doorkeeper.start()
        live = LiveFilter(Address(f"postgresql://127.0.0.1:{door.getsockname()[1]}/mail?sslmode=disable"))
        for _ in range(rounds):
            with pytest.raises(StoreAwayError):
                live.judge(letter(1, "spam"))
        live.close()
        door.shutdown(socket.SHUT_RDWR)
        doorkeeper.join()
    assert 0 < knocks < rounds


def test_while_somebody_has_locked_the_tables_a_daemon_answers_and_mails_are_told_to_come_again(
    new_store: Callable[[], str], tmp_path: Path
) -> None:
    psycopg = pytest.importorskip("psycopg")
    place = new_store()
    with Filter.open(place) as learner:
        learner.train_many(letters(30))
    address, check = Address.parse(place), request("CHECK", letter(100, "spam"))
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"

    def judged() -> None:
        assert daemon.ask(check).startswith(b"SPAMD/1.1 0 EX_OK\r\n")

    with Daemon(tmp_path, "--http", "127.0.0.1:0", store=place) as daemon:
        judged()
        with psycopg.connect(address.database) as db, daemon.connect() as client:
            db.execute(f'LOCK TABLE "{address.store}".meta IN ACCESS EXCLUSIVE MODE')
            client.sendall(check)
            with ThreadPoolExecutor() as others:
                asked = others.submit(Client(daemon.web).post, "/v1/judge", letter(100, "spam"))
                taught = others.submit(Client(daemon.web).post, "/v1/train?label=spam", letter(7, "spam"))
                until(lambda: truth(db.execute(waiting).fetchone()[0] == 3), AssertionError)
                assert daemon.ask(request("PING")).endswith(b"PONG\r\n")
                assert Client(daemon.web).get("/healthz").status == 200
                assert everything(client).startswith(b"SPAMD/1.0 75 ")
                assert {asked.result().status, taught.result().status} == {503}
                assert b"somebody has locked its tables; try again" in asked.result().body
            assert daemon.ask(check).startswith(b"SPAMD/1.0 75 "), "at once"
        until(judged, AssertionError)
        assert daemon.stop() == 0


def test_a_daemon_holds_a_connection_for_each_thread_that_judges_or_learns(
    new_store: Callable[[], str], tmp_path: Path
) -> None:
    psycopg = pytest.importorskip("psycopg")
    place = new_store()
    with Daemon(tmp_path, "--allow-tell", store=f"{place}&application_name=counted") as daemon:
        assert b"DidSet" in daemon.ask(request("TELL", letter(7, "ham"), "Message-class: spam", "Set: local"))
        for mail in (letter(1, "ham"), letter(1, "ham") + b"x" * 100_000):
            assert b"EX_OK" in daemon.ask(request("CHECK", mail))
        held = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'counted'"
        with psycopg.connect(Address.parse(place).database, autocommit=True) as db:  # small mails, large ones, learning
            until(lambda: truth(db.execute(held).fetchone() == (3,)), AssertionError)
        assert daemon.stop() == 0


def test_who_asks_whether_it_is_ready_fetches_no_counts(
    new_store: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Address.parse(new_store())
    live = LiveFilter(place)
    with Filter.open(place) as learner:
        learner.train_many(letters(5))
    monkeypatch.delattr(Runs, "load")
    live.ready()
    live.close()


def truth(claim: bool) -> None:
    """For `until`."""
    assert claim


def test_another_store_ends_the_wait(new_store: Callable[[], str], tmp_path: Path) -> None:
    live = LiveFilter(Address(f"postgresql:///mail?host={tmp_path}"))
    with pytest.raises(StoreAwayError):
        live.reopen(Address(f"postgresql:///mail?host={tmp_path}", "other"), None)
    live.reopen(Address.parse(new_store()), None)
    assert live.train(letter(1, "spam"), "spam").result() == "learned"
    live.close()


@pytest.mark.parametrize("asked", ["judge", "teach", "http", "nothing"])
def test_a_daemon_whose_database_is_frozen_stops_soon_and_has_learned_what_it_said(
    asked: str, cluster: Cluster, new_store: Callable[[], str], tmp_path: Path
) -> None:
    place = new_store()
    with Filter.open(place) as learner:
        learner.train_many(letters(30))
    check, taught = request("CHECK", letter(100, "spam")), ("Message-class: spam", "Set: local")
    with Daemon(tmp_path, "--allow-tell", "--http", "127.0.0.1:0", store=place) as daemon:
        assert b"EX_OK" in daemon.ask(check)
        assert b"DidSet: local" in daemon.ask(request("TELL", letter(7, "ham"), *taught))
        assert Client(daemon.web).get("/data").status == 200
        port, question = {
            "judge": (daemon.port, check),
            "teach": (daemon.port, request("TELL", letter(8, "ham"), *taught)),
            "http": (daemon.web, f"GET /data HTTP/1.1\r\nHost: 127.0.0.1:{daemon.web}\r\n\r\n".encode()),
            "nothing": (daemon.port, b"PING SPAMC/1.5\r\n\r\n"),
        }[asked]
        with cluster.frozen(), socket.create_connection(("127.0.0.1", port), timeout=60) as client:
            client.sendall(question)
            client.shutdown(socket.SHUT_WR)
            assert daemon.alive()  # who asks after it is answered, so that it has been read
            assert Client(daemon.web).get("/healthz").status == 200
            assert daemon.stop(within=12) == 0
            told = everything(client)
    said = b"PONG" if asked == "nothing" else b" 75 "
    assert said in told or b"check that the server runs" in told, "come again"
    with Filter.open(place) as f:
        assert f.check()["mails"] == 60
        assert f.store.state().totals == (31, 29)
