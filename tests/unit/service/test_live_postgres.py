"""The service on PostgreSQL: nodes that see each other's learning, users, and a database that goes away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from cluster import Cluster
from daemon import Daemon, request, until
from letters import letter, letters

from bayleaf.mail import Filter
from bayleaf.service import LiveFilter, shelf
from bayleaf.service.shelf import user_store
from bayleaf.store.address import LONGEST, Address


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


def test_no_user_can_name_the_store_of_another() -> None:
    users = Address("postgresql:///mail", "users")
    long = user_store(users, "x" * 150)
    assert isinstance(long, Address)
    assert len(long.store) <= LONGEST
    plain = [user_store(users, name) for name in (long.store, long.store.removeprefix("users#"), "../users#1", "users")]
    assert len({*plain, long, users}) == 6


def test_a_daemon_whose_database_dies_tells_clients_to_come_again_and_recovers(
    new_store: Callable[[], str], cluster: Cluster, tmp_path: Path
) -> None:
    place = new_store()
    with Filter.open(place) as learner:
        learner.train_many(letters(30))
    check, tell = request("CHECK", letter(100, "spam")), request("TELL", letter(7, "ham"), "Set: local")
    taught = tell.replace(b"Set: local", b"Message-class: spam\r\nSet: local")

    def served() -> None:
        assert daemon.ask(check).startswith(b"SPAMD/1.1 0 EX_OK\r\n")

    with Daemon(tmp_path, "--allow-tell", store=place) as daemon:
        served()
        cluster.kill()
        try:
            for ask in (check, taught, check):
                assert b"75" in daemon.ask(ask).splitlines()[0]
            assert daemon.alive()
        finally:
            cluster.start()
        until(served, AssertionError)
        assert b"DidSet: local" in daemon.ask(taught)
        daemon.stop()
    with Filter.open(place) as f:
        assert f.store.state().totals == (31, 29)
        f.check()
