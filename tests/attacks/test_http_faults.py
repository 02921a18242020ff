"""The HTTP face when things go wrong: the store fails, the daemon is killed, many teach at once."""

from __future__ import annotations

import http.client
import os
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from daemon import Daemon, taught
from letters import letter
from web import Client, serving

from bayleaf.mail import Filter
from bayleaf.service.lexicon import Lexicon

KILLS = 100 if os.environ.get("BAYLEAF_FULL") else 10
LARGE = letter(1, "spam") + b"x y " * 20_000  # judged in a thread that has not opened the store yet


def test_a_store_that_fails_says_so_and_is_taken_up_again(tmp_path: Path) -> None:
    store = taught(tmp_path / "m.db", 10)
    with serving(store) as (client, _):
        assert client.get("/readyz").status == 200
        sound = store.read_bytes()
        store.write_bytes(b"no store " * (len(sound) // 9))
        for answer in (
            client.get("/readyz"),
            client.post("/v1/judge", LARGE),
            client.post("/v1/train?label=ham", LARGE),
        ):
            assert (answer.status, answer.headers["retry-after"]) == (503, "5")
            assert "restore it from a backup" in answer.json["detail"]
        assert b"bayleaf_http_requests_total" in client.get("/metrics").body, "numbers come all the same"
        assert client.get("/healthz").status == 200
        store.write_bytes(sound)
        assert client.get("/readyz").status == 200
        assert client.post("/v1/judge", LARGE).status == 200
        assert client.post("/v1/train?label=spam", LARGE).json["done"] == "learned"
    with Filter.open(store) as found:
        assert found.check()["mails"] == 21


def test_a_store_that_has_gone_is_not_replaced_by_an_empty_one(tmp_path: Path) -> None:
    store = taught(tmp_path / "m.db", 10)
    with serving(store) as (client, _):
        store.rename(tmp_path / "away")
        assert client.get("/readyz").status == 503
        assert client.post("/v1/judge", LARGE).status == 503
        assert not store.exists()
        (tmp_path / "away").rename(store)
        assert client.post("/v1/judge", LARGE).status == 200


def test_four_clients_at_once_count_as_one_after_the_other(tmp_path: Path) -> None:
    """Each teaches, corrects and takes back mails of its own at random; the end is that of what each mail ended as."""

    def work(number: int) -> dict[bytes, str | None]:
        chance, known = random.Random(number), dict[bytes, str | None]()
        for _ in range(80):
            label = chance.choice(["spam", "ham"])
            mail = letter(1000 * number + chance.randrange(25), label)
            verb = chance.choice(["train?label=" + chance.choice(["spam", "ham"]), "correct?label=" + label, "untrain"])
            answer = client.post(f"/v1/{verb}", mail)
            assert answer.status in (200, 404)
            known[mail] = None if verb == "untrain" else answer.json["label"]
        return known

    with Daemon(tmp_path, "--http", "127.0.0.1:0", spamd=False, store=tmp_path / "m.db") as daemon:
        client = Client(daemon.port)
        with ThreadPoolExecutor(4) as pool:
            known = {mail: label for each in pool.map(work, range(4)) for mail, label in each.items()}
        assert daemon.stop() == 0
    kept = [(mail, label) for mail, label in known.items() if label is not None]
    with Filter.open(tmp_path / "m.db") as found, Filter.open(":memory:") as serial:
        serial.train_many(kept)
        assert found.check()["mails"] == len(kept)
        assert found.evidence().totals == serial.evidence().totals
        for word in ("casino", "lunch", "the", "kernel"):
            one, other = (Lexicon(each).find(f"word:{word}") for each in (found, serial))
            assert one is not None
            assert other is not None
            assert one.counts == other.counts


class Teacher(threading.Thread):
    """Learns and takes back mails without end; knows what was acknowledged, and the one that was not."""

    def __init__(self, client: Client, start: int, known: dict[bytes, str | None]) -> None:
        super().__init__()
        self.client, self.number, self.known = client, start, known
        self.open: bytes | None = None
        self.some = threading.Event()

    def run(self) -> None:
        chance = random.Random(self.number)
        while True:
            self.number += 1
            label = chance.choice(["spam", "ham"])
            learned = [mail for mail, label in self.known.items() if label is not None]
            back = bool(learned) and chance.random() < 0.2
            mail = chance.choice(learned) if back else letter(self.number, label)
            self.open = mail
            try:
                answer = self.client.post("/v1/untrain" if back else f"/v1/train?label={label}", mail)
            except (OSError, http.client.HTTPException):
                return
            assert answer.status == 200
            self.known[mail] = None if back else label
            self.open = None
            self.some.set()


@pytest.mark.slow
def test_kill_loses_nothing_acknowledged_and_counts_nothing_twice(tmp_path: Path) -> None:
    known: list[dict[bytes, str | None]] = [{}, {}]
    chance, store = random.Random(9), tmp_path / "mail.db"
    for round_ in range(KILLS):
        with Daemon(tmp_path, "--http", "127.0.0.1:0", spamd=False, store=store) as daemon:
            client = Client(daemon.port)
            teachers = [Teacher(client, 1000 * round_ + 100_000 * n, known[n]) for n in range(2)]
            for teacher in teachers:
                teacher.start()
            for teacher in teachers:
                assert teacher.some.wait(60), "it learns again after a kill"
            client.post("/v1/judge", letter(1, "spam"))
            threading.Event().wait(chance.uniform(0, 0.1))  # any moment will do
            daemon.kill()
            for teacher in teachers:
                teacher.join()
        with Filter.open(store) as found:
            for teacher in teachers:
                for mail, label in teacher.known.items():
                    if mail != teacher.open:
                        assert found.knows(found.read(mail)) == label
                if teacher.open is not None:  # done or not done, both are well
                    teacher.known[teacher.open] = found.knows(found.read(teacher.open))
            counted = found.check()["mails"]
        assert counted == sum(label is not None for mails in known for label in mails.values())
