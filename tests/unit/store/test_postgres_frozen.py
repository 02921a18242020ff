"""PostgreSQL when it falls silent: its processes are stopped, and its sockets stay open."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import count
from types import SimpleNamespace

import pytest
from cluster import Cluster
from daemon import until
from letters import letter, letters

from bayleaf.errors import StoreAwayError
from bayleaf.mail import Filter
from bayleaf.store.address import Address
from bayleaf.store.postgres.heard import Heard

psycopg = pytest.importorskip("psycopg")
WAITED = "SELECT count(*) FROM pg_locks WHERE NOT granted AND waitstart < clock_timestamp() - interval '2 seconds'"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server is silent for long after a part of a second."""
    monkeypatch.setattr("bayleaf.store.postgres.link.SILENCE", 0.5)


def test_a_frozen_server_is_away_and_taken_up_again(
    cluster: Cluster, new_store: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Filter.open(new_store()) as asking, Filter.open(new_store()) as learning:
        asking.train_many(letters(20))
        monkeypatch.setattr("bayleaf.store.postgres.link.WRITING", 0.5)
        with cluster.frozen():
            with pytest.raises(StoreAwayError, match="check that the server runs"):
                asking.judge(letter(1000, "spam"))
            with pytest.raises(StoreAwayError, match="check that the server runs"):
                learning.train(letter(1000, "spam"), "spam")

        def again() -> None:  # after the pause between two attempts to connect
            assert asking.judge(letter(1000, "spam")).label == "spam"
            assert learning.train(letter(1000, "spam"), "spam") in ("learned", "known")

        until(again, StoreAwayError)
        assert learning.check()["mails"] == 1


def test_whoever_waits_for_a_turn_waits_beyond_the_silence(new_store: Callable[[], str]) -> None:
    place = new_store()
    done: list[str] = []
    made: list[int] = []

    def learn() -> None:
        with Filter.open(place) as waiter:
            done.append(waiter.train(letter(1, "spam"), "spam"))
            made.append(waiter.store._database.link.made)  # type: ignore[attr-defined]

    with Filter.open(place) as holder:
        with holder.store.change(9000), psycopg.connect(Address.parse(place).database, autocommit=True) as db:
            learning = threading.Thread(target=learn)
            learning.start()

            def waited() -> None:
                assert db.execute(WAITED).fetchone()[0] > 0

            until(waited, AssertionError)
        learning.join()
        assert (done, made) == (["learned"], [1]), "over the connection that waited"
        assert holder.check()["mails"] == 1


def test_a_server_that_speaks_now_and_then_is_not_silent(
    new_store: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer() -> Iterator[int]:
        while True:
            yield 0

    clock = count()  # a second later each time
    with Heard.connect(Address.parse(new_store()).database) as connection:
        connection.silence = 3
        monkeypatch.setattr("bayleaf.store.postgres.heard.time", SimpleNamespace(monotonic=clock.__next__))
        waiting = connection._bounded(answer())
        waiting.send(None)
        for ready in [0, 1] * 10 + [0, 0, 0]:
            waiting.send(ready)
        with pytest.raises(psycopg.OperationalError, match="nothing for 3 seconds"):
            waiting.send(0)
        assert connection.closed, "what it may still say is no answer to the next question"
