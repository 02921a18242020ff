"""Requests as rarer clients make them: HEAD, offers of HTTP/2, compressed and empty bodies, hanging up half-way."""

from __future__ import annotations

import asyncio
import gzip
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from apart import run_apart
from daemon import Daemon, everything, taught, until
from letters import letter
from starlette.types import Message
from web import Client, serving

from bayleaf.service.history import History
from bayleaf.service.http.app import make_app
from bayleaf.service.http.limits import Held, Intake
from bayleaf.service.http.models import turned
from bayleaf.service.http.problem import Problem
from bayleaf.service.http.settings import Settings
from bayleaf.service.live import LiveFilter
from bayleaf.service.logbook import Logbook

SPAM = letter(1000, "spam")
HEAD = b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\n"
OFFER = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n"
NEXT = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    folder: Path = tmp_path_factory.mktemp("d")
    with Daemon(folder, "--http", "127.0.0.1:0", spamd=False, store=taught(folder / "mail.db", 20)) as running:
        yield running
        assert running.stop() == 0


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: %d\r\n\r\n%s" % (len(SPAM), SPAM),
        b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(SPAM), SPAM),
    ],
)
@pytest.mark.parametrize("step", [1, 100, 10_000])
def test_a_client_that_offers_http_2_is_read_as_any_other(daemon: Daemon, body: bytes, step: int) -> None:
    """As `curl --http2` and Java's HttpClient do; httptools alone would take the mail for empty."""
    whole = HEAD + OFFER + body + NEXT
    with daemon.connect() as client:
        for at in range(0, len(whole), step):
            client.sendall(whole[at : at + step])
        answer = everything(client)
    assert b'"label": "spam"' in answer
    assert answer.endswith(b'{"status": "ok"}'), "and what follows on the connection is a request of its own"


def test_a_proxy_is_not_what_this_is(daemon: Daemon) -> None:
    with daemon.connect() as client:
        client.sendall(b"CONNECT example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert everything(client).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/v1/status", "/v1/history", "/", "/openapi.json"])
def test_head_says_what_get_would(daemon: Daemon, path: str) -> None:
    client = Client(daemon.web)
    head, get = client.ask("HEAD", path), client.get(path)
    assert (head.status, head.headers["content-type"], head.body) == (200, get.headers["content-type"], b"")


@pytest.mark.parametrize("verb", ["train?label=spam", "correct?label=ham"])
@pytest.mark.parametrize("body", [b"", b" \r\n\t", {"text": ""}, {"text": " "}])
def test_an_empty_mail_teaches_nothing(daemon: Daemon, verb: str, body: object) -> None:
    client = Client(daemon.web)
    before = client.get("/v1/status").json["mails"]
    answer = client.post(f"/v1/{verb}", body)
    assert (answer.status, "nothing was learned" in answer.json["detail"]) == (422, True)
    assert client.get("/v1/status").json["mails"] == before


@pytest.mark.parametrize(
    ("body", "what"), [(gzip.compress(SPAM), b"data packed with gzip"), (b"PK\x03\x04" + SPAM, b"a ZIP archive")]
)
@pytest.mark.parametrize("verb", ["train", "correct"])
def test_what_is_packed_is_no_mail(daemon: Daemon, verb: str, body: bytes, what: bytes) -> None:
    found = Client(daemon.web).post(f"/v1/{verb}?label=spam", body)
    assert (found.status, b"found " + what in found.body) == (422, True)


def test_what_is_no_json_and_what_is_the_wrong_json_are_told_apart(daemon: Daemon) -> None:
    client = Client(daemon.web)
    answers = [client.post("/v1/judge", body, Content_Type="application/json") for body in (b'{"text', b'{"txt": ""}')]
    assert [answer.status for answer in answers] == [400, 422]


def test_a_user_name_has_an_end(daemon: Daemon) -> None:
    answers = [Client(daemon.web).post(f"/v1/judge?user={'a' * size}", SPAM) for size in (200, 201)]
    assert [answer.status for answer in answers] == [200, 422]


@pytest.mark.parametrize("order", ["unsure", "newest"])
def test_the_history_is_read_part_by_part_to_its_end(daemon: Daemon, order: str) -> None:
    client = Client(daemon.web)
    judged = [client.post("/v1/judge", raw).json["id"] for raw in (SPAM, b"Subject: hm\n\nhm\n", SPAM, SPAM)]
    whole = client.get(f"/v1/history?order={order}&limit=1000").json
    assert whole["next"] is None
    part = client.get(f"/v1/history?order={order}&limit=2").json
    found = [mail["id"] for mail in part["mails"]]
    while part["next"] is not None:
        part = client.get(f"/v1/history?order={order}&limit=2&before={part['next']}").json
        found += [mail["id"] for mail in part["mails"]]
    assert found == [mail["id"] for mail in whole["mails"]]
    assert set(judged) <= set(found)


def test_what_nobody_has_told_cannot_be_taken_back(daemon: Daemon) -> None:
    client = Client(daemon.web)
    id = client.post("/v1/judge", SPAM).json["id"]
    assert client.post(f"/v1/history/{id}/tell", {"label": None}).status == 404


def test_a_question_has_so_many_rows_at_most(daemon: Daemon) -> None:
    client = Client(daemon.web)
    for kind, row in (("texts", ""), ("records", {})):
        asked = [client.post("/v1/models/none/predict", {kind: [row] * rows}) for rows in (10_000, 10_001)]
        assert [answer.status for answer in asked] == [404, 422]


@pytest.mark.parametrize("question", [{}, {"texts": ["a"], "records": [{"a": 1}]}])
def test_a_question_is_of_texts_or_of_records(daemon: Daemon, question: dict[str, object]) -> None:
    answer = Client(daemon.web).post("/v1/models/none/predict", question)
    assert (answer.status, "both or neither" in answer.json["detail"]) == (422, True)


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/v1/status/"])
def test_nothing_is_found_but_what_is_described(daemon: Daemon, path: str) -> None:
    assert Client(daemon.web).get(path).status == 404


def test_a_compressed_body_is_refused_and_not_taken_for_a_mail(daemon: Daemon) -> None:
    answer = Client(daemon.web).post("/v1/judge", SPAM, Content_Encoding="gzip")
    assert (answer.status, "Content-Encoding 'gzip'" in answer.json["detail"]) == (415, True)
    assert Client(daemon.web).post("/v1/judge", SPAM, Content_Encoding="identity").json["label"] == "spam"


def test_a_body_packed_for_the_way_is_refused_too(daemon: Daemon) -> None:
    with daemon.connect() as client:
        client.sendall(HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n" + NEXT)
        answer = everything(client)
    assert b"found a body under Transfer-Encoding 'gzip, chunked'" in answer
    assert answer.endswith(b'{"status": "ok"}')


def test_what_comes_behind_a_whole_request_does_not_take_its_answer(daemon: Daemon) -> None:
    """As when Content-Length is that of the letters, not of the bytes: the mail is learned, and so it is said."""
    for verb, done in (("train?label=spam", b'"done": "learned"'), ("untrain", b'"done": "unlearned"')):
        with daemon.connect() as client:
            whole = b"Content-Length: %d\r\n\r\n%s" % (len(SPAM), SPAM)
            client.sendall(HEAD.replace(b"judge", verb.encode()) + whole + b"and more\r\n\r\n")
            answer = everything(client)
        assert re.findall(rb"HTTP/1.1 (\d+)", answer) == [b"200", b"400"]
        assert done in answer


def test_who_hangs_up_half_way_is_no_fault_of_ours(daemon: Daemon) -> None:
    log = Path(daemon.log.name)
    with daemon.connect() as client:
        client.sendall(HEAD + b"Content-Length: 1000\r\n\r\nhalf")
        assert Client(daemon.web).get("/healthz").status == 200, "so the bytes above have been read: they came first"

    def noted() -> None:
        assert "status=400 bytes=4" in log.read_text()

    until(noted, AssertionError)
    assert "ERROR" not in log.read_text()


@pytest.mark.parametrize("path", ["/v1/judge", "/v1/explain"])
def test_who_has_said_everything_hears_the_answer(daemon: Daemon, path: str) -> None:
    """As `nc -N` asks; uvicorn alone hangs up on what it has not answered at once."""
    length = b"Content-Length: %d\r\n\r\n" % len(SPAM)
    with daemon.connect() as client:
        client.sendall((HEAD + length + SPAM).replace(b"/v1/judge", path.encode()) * 2)
        client.shutdown(socket.SHUT_WR)
        assert everything(client).count(b'"label": "spam"') == 2


def test_who_leaves_before_a_table_comes_is_no_fault_of_ours(tmp_path: Path) -> None:
    """The connection is at its end when the answer begins: a moment that no client can be made to meet."""
    with History(Logbook(None)) as history:
        live = LiveFilter(tmp_path / "m.db", history=history)
        app = make_app(live, history, None, Settings())
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)

        asked = {"type": "http", "asgi": {"spec_version": "2.3"}, "method": "GET", "path": "/data/counts.csv"}
        run_apart(app({**asked, "headers": [(b"host", b"localhost")], "query_string": b""}, receive, send))
        for close in (*app.state.closing, live.close):
            close()
    assert sent[0]["status"] == 200


def test_the_time_to_send_ends_with_the_request() -> None:
    """Whoever writes a long answer goes on asking whether the client is still there."""
    coming = iter([{"type": "http.request", "body": b"x"}, {"type": "http.disconnect"}])

    async def receive() -> Message:
        message = next(coming)
        if message["type"] == "http.disconnect":
            await asyncio.sleep(0)  # it does not come at once
        return message

    async def take() -> list[str]:
        intake = Intake(receive, None, True, Settings(send=0), Held())
        return [(await intake())["type"], (await intake())["type"]]

    assert run_apart(take()) == ["http.request", "http.disconnect"]


def test_who_has_just_been_answered_is_not_the_one_that_kept_us_waiting_longest(tmp_path: Path) -> None:
    def ask(client: socket.socket) -> None:
        client.sendall(NEXT.replace(b"close", b"keep-alive"))
        answer = b""
        while not answer.endswith(b'{"status": "ok"}'):
            answer += (part := client.recv(65536))
            assert part, "the connection is at its end"

    with serving(tmp_path / "m.db", Settings(connections=2, send=600)) as (own, _), ExitStack() as stack:

        def come() -> socket.socket:
            return stack.enter_context(socket.create_connection(("127.0.0.1", own.port), timeout=60))

        old, idle = come(), come()
        ask(idle)
        ask(old)
        ask(come())
        ask(old)
        with suppress(ConnectionResetError):
            assert everything(idle) == b""


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", ""])
def test_an_origin_that_is_no_address_is_foreign(daemon: Daemon, origin: str) -> None:
    assert Client(daemon.web).post("/v1/judge", SPAM, Origin=origin).status == 403


def test_records_are_turned_into_columns_in_one_pass_and_within_limits() -> None:
    asked = 0

    class Record(dict[str, int]):
        def get(self, name: str, default: object = None) -> object:  # type: ignore[override]
            nonlocal asked
            asked += 1
            return super().get(name, default)

    assert turned([Record(a=n, b=n) for n in range(300)])["b"] == [*range(300)]
    assert asked == 600
    with pytest.raises(Problem, match="3000 different names"):
        turned([{f"name {n}": n} for n in range(3000)])
