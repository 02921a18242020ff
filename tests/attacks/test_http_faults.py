"""The HTTP face when things go wrong: the store fails or has gone, many teach at once."""

from __future__ import annotations

import random
import socket
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from daemon import Daemon, taught
from letters import letter
from web import Client, serving

from bayleaf.errors import BayleafError
from bayleaf.mail import Filter
from bayleaf.mail.lexicon import Lexicon
from bayleaf.service.http.gate import fault
from bayleaf.service.http.settings import Settings

LARGE = letter(1, "spam") + b"x y " * 20_000  # judged in a thread that has not opened the store yet


def test_a_store_that_fails_says_so_and_is_taken_up_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
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
            assert "restore this one from a backup" in answer.json["detail"]
        assert b"bayleaf_http_requests_total" in client.get("/metrics").body, "numbers come all the same"
        assert client.get("/healthz").status == 200
        store.write_bytes(sound)
        assert client.get("/readyz").status == 200
        assert client.post("/v1/judge", LARGE).status == 200
        assert client.post("/v1/train?label=spam", LARGE).json["done"] == "learned"
    # Only now: an answer is sent before its line is written.
    assert [record.levelname for record in caplog.records if "status=503" in record.getMessage()] == ["ERROR"] * 3
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


def test_who_waits_when_the_daemon_ends_is_told_to_come_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store, mail = taught(tmp_path / "m.db", 2), letter(9, "spam")
    head = "POST /v1/train?label=spam HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\n"
    with (
        ThreadPoolExecutor(1) as pool,
        closing(sqlite3.connect(store, isolation_level=None, check_same_thread=False)) as other,
    ):

        def answer() -> bytes:
            try:
                return waiting.recv(4096)
            finally:
                other.execute("ROLLBACK")

        with serving(store, Settings(drain=1)) as (client, _):
            other.execute("BEGIN IMMEDIATE")  # a writer that does not come to an end
            waiting = socket.create_connection(("127.0.0.1", client.port))
            waiting.sendall(f"{head}Content-Length: {len(mail)}\r\n\r\n".encode() + mail)
            assert client.get("/healthz").status == 200, "so the bytes above have been read: they came first"
            answered = pool.submit(answer)
        assert answered.result(60).startswith(b"HTTP/1.1 503 ")
        assert b"problem+json" in answered.result()
        assert b"retry-after: 5\r\n" in answered.result().lower()
        waiting.close()
    assert not any(record.exc_info for record in caplog.records)


def test_of_a_fault_no_word_is_shown_that_may_be_mail(caplog: pytest.LogCaptureFixture) -> None:
    try:
        int("confidential")
    except ValueError as error:
        answer = fault(error)
    assert (answer.status_code, b"found ValueError" in answer.body) == (500, True)
    assert b"confidential" not in answer.body
    assert Path(__file__).name in caplog.text, "the log says where"
    assert "invalid literal" not in caplog.text
    fault(BayleafError("the store is at its end"))
    assert "the store is at its end" in caplog.text, "our own words hold no mail"


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
