"""One test for each thing that the HTTP face promises about safety."""

from __future__ import annotations

import hmac
import json
import re
import socket
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from daemon import Daemon, everything, taught
from desk import bayleaf
from letters import letter
from web import Client, description, raw, serving

from bayleaf.errors import BayleafError
from bayleaf.service.http.settings import Settings
from bayleaf.service.listening import Listening
from bayleaf.service.tokens import Tokens
from bayleaf.service.web import Web

SPAM = letter(1000, "spam")
TEACHING = ("/v1/train?label=spam", "/v1/correct?label=spam", "/v1/untrain", "/v1/history/1/tell")
PATHS = [(method.upper(), path) for path, methods in description()["paths"].items() for method in methods]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str, str]]:
    """A port, a token for reading and one for teaching."""
    folder = tmp_path_factory.mktemp("guarded")
    reads, trains = (Tokens.add(folder / "tokens", f"for-{scope}", scope) for scope in ("read", "train"))
    with serving(taught(folder / "m.db", 10), tokens=Tokens(folder / "tokens")) as (client, _):
        yield client.port, reads, trains


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_without_a_token_nothing_is_said(guarded: tuple[int, str, str], method: str, path: str) -> None:
    port, reads, _ = guarded
    path = path.replace("{id}", "1").replace("{name}", "x")
    for given in ({}, {"Authorization": "Bearer bl_guess"}, {"Authorization": f"Basic {reads}"}):
        answer = Client(port).ask(method, path, SPAM if method == "POST" else None, **given)
        assert answer.status == (200 if path in ("/healthz", "/readyz") else 401)
        assert b"mails" not in answer.body
    assert answer.status != 401 or answer.headers["www-authenticate"].startswith("Bearer")


def test_a_token_for_reading_cannot_teach(guarded: tuple[int, str, str]) -> None:
    port, reads, trains = guarded
    reader, trainer = (Client(port, Authorization=f"Bearer {token}") for token in (reads, trains))
    before = reader.get("/v1/status").json["mails"]
    for path in TEACHING:
        answer = reader.post(path, {"label": "spam"} if "tell" in path else SPAM)
        assert (answer.status, answer.json["detail"]) == (403, "found a token for read, expected one for train")
    assert reader.get("/v1/status").json["mails"] == before
    for path in ("/v1/judge", "/v1/explain"):
        assert reader.post(path, SPAM).status == trainer.post(path, SPAM).status == 200
    assert trainer.post("/v1/train?label=spam", SPAM).json["done"] == "learned"
    assert trainer.post("/v1/untrain", SPAM).status == 200


def test_every_route_that_changes_something_needs_train(guarded: tuple[int, str, str]) -> None:
    """A route that is added and forgotten in the list of harmless ones is closed to readers, not open."""
    port, reads, _ = guarded
    harmless = {"/v1/judge", "/v1/explain", "/v1/models/{name}/predict"}
    for method, path in PATHS:
        answer = Client(port, Authorization=f"Bearer {reads}").ask(method, path.replace("{id}", "1"))
        assert (answer.status == 403) == (method == "POST" and path not in harmless)


def test_tokens_are_hashed_and_compared_in_constant_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = [Tokens.add(tmp_path / "tokens", f"n{n}", "read") for n in range(3)]
    text = (tmp_path / "tokens").read_text()
    assert not any(secret in text for secret in secrets)
    assert stat.S_IMODE((tmp_path / "tokens").stat().st_mode) == 0o600
    compared = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return one == other

    monkeypatch.setattr(hmac, "compare_digest", compare)
    tokens = Tokens(tmp_path / "tokens")
    for asked in (secrets[0], "wrong", ""):
        compared.clear()
        assert tokens.scope(asked) == ("read" if asked == secrets[0] else None)
        assert len(compared) == 3, "all are looked at, also after the right one"


def test_a_token_is_added_to_a_file_whose_last_line_does_not_end(tmp_path: Path) -> None:
    """As many an editor, and `$(grep -v ...)`, leave it."""
    path = tmp_path / "tokens"
    first = Tokens.add(path, "ann", "read")
    for left in (path.read_text().rstrip("\n"), path.read_text(), f"# {first}\n{path.read_text()}"):
        path.write_text(left)
        second = Tokens.add(path, f"bob{len(left)}", "train")
        assert [Tokens(path).scope(secret) for secret in (first, second)] == ["read", "train"]


def test_tokens_come_and_go_with_the_file(tmp_path: Path) -> None:
    with pytest.raises(BayleafError, match="cannot be read"):
        Tokens(tmp_path / "none")
    first = Tokens.add(tmp_path / "tokens", "ann", "read")
    tokens = Tokens(tmp_path / "tokens")
    second = Tokens.add(tmp_path / "tokens", "bob", "train")
    assert tokens.scope(second) is None
    tokens.reload()
    assert tokens.scope(second) == "train"
    (tmp_path / "tokens").write_text("ann read nonsense\n")
    with pytest.raises(BayleafError, match="line 1"):
        tokens.reload()
    assert tokens.scope(first) == "read", "who was let in stays in until the file is right again"
    (tmp_path / "tokens").write_text("# nobody\n\n")
    tokens.reload()
    assert tokens.scope(first) is None, "the last one has been taken back"
    with pytest.raises(BayleafError, match="holds no token"):
        Tokens(tmp_path / "tokens")
    for name, scope in (("a b", "read"), ("ann", "all"), ("x" * 65, "read")):
        with pytest.raises(BayleafError, match="expected read or train"):
            Tokens.add(tmp_path / "tokens", name, scope)


def test_nobody_listens_beyond_loopback_without_tokens(tmp_path: Path) -> None:
    for address in ("0.0.0.0:0", "[::]:0", "192.0.2.1:0", "example.org:80"):
        with pytest.raises(BayleafError, match="--token-file"):
            Web([Listening.parse(address)]).tokens()
    done = bayleaf("serve", "--store", str(tmp_path / "m.db"), "--http", "0.0.0.0:0")
    assert (done.returncode, "--token-file" in done.stderr) == (1, True)


def test_the_command_makes_tokens_that_work_and_sighup_takes_them(tmp_path: Path) -> None:
    file = str(tmp_path / "tokens")
    made = bayleaf("serve", "--token-file", file, "--new-token", "train", "ann")
    assert made.returncode == 0
    assert bayleaf("serve", "--token-file", file, "--new-token", "train", "ann").returncode == 1
    with Daemon(tmp_path, "--http", "127.0.0.1:0", "--token-file", file, spamd=False) as daemon:
        assert Client(daemon.port, Authorization=f"Bearer {made.stdout.strip()}").get("/v1/status").status == 200
        assert Client(daemon.port).get("/v1/status").status == 401
        assert daemon.stop() == 0


def test_a_name_that_points_here_is_not_answered_without_tokens(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as (client, _):
        for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "[", ""):
            assert client.get("/v1/status", Host=host).status == 421
            assert client.post("/v1/train?label=spam", SPAM, Host=host).status == 421
        for host in ("localhost", "127.0.0.1:1", "[::1]:99", "LOCALHOST:8"):
            assert client.get("/v1/status", Host=host).status == 200
        assert b" 421 " in raw(client.port, b"GET /v1/status HTTP/1.0\r\n\r\n"), "no Host at all"


@pytest.mark.parametrize("hosts", [(), ("localhost", "localhost"), ("localhost", "evil.example")])
def test_a_request_has_one_host(tmp_path: Path, hosts: tuple[str, ...]) -> None:
    """RFC 9112, 3.2: a proxy before us may have read another one of them."""
    Tokens.add(tmp_path / "tokens", "ann", "read")
    head = "".join(f"Host: {host}\r\n" for host in hosts)
    for tokens in (None, Tokens(tmp_path / "tokens")):
        with serving(tmp_path / "m.db", tokens=tokens) as (client, _):
            answer = raw(client.port, f"GET /healthz HTTP/1.1\r\n{head}\r\n".encode())
        assert b" 400 " in answer
        assert b"found %d Host headers, expected one" % len(hosts) in answer


def test_pages_of_other_sites_cannot_teach(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as (client, live):
        host = f"127.0.0.1:{client.port}"
        sites = [{"Sec_Fetch_Site": site} for site in ("cross-site", "same-site")]
        for foreign in ({"Origin": "https://evil.example"}, {"Origin": "null"}, *sites):
            assert client.post("/v1/train?label=spam", SPAM, **foreign).status == 403
        for simple in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            # What a browser sends to other sites without asking first.
            assert client.post("/v1/train?label=spam", SPAM, Content_Type=simple).status == 415
        untyped = b"POST /v1/train?label=spam HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx"
        assert b" 415 " in raw(client.port, untyped)
        assert live.counts["learned"] == 0
        assert "access-control-allow-origin" not in client.get("/v1/status", Origin="https://evil.example").headers
        assert client.post("/v1/train?label=spam", SPAM, Origin=f"http://{host}").status == 200
        assert client.get("/v1/status", Sec_Fetch_Site="cross-site").status == 200, "a link may lead here"


@pytest.mark.parametrize("told", [True, False])
def test_what_is_too_large_is_refused_while_it_comes(tmp_path: Path, told: bool) -> None:
    with serving(tmp_path / "m.db", Settings(mail=100_000)) as (client, _):
        head = b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\n"
        with socket.create_connection(("127.0.0.1", client.port), timeout=60) as other:
            if told:
                other.sendall(head + b"Content-Length: 99999999999\r\n\r\n")
            else:
                other.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
                other.sendall(b"".join(b"2710\r\n" + b"x" * 10_000 + b"\r\n" for _ in range(11)))
            assert b" 413 " in other.recv(65536), "and the rest has not been sent yet"
        assert client.post("/v1/judge", b"x" * 100_000).status == 200


def test_requests_under_way_do_not_fill_the_memory(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db", Settings(waiting=100_000)) as (client, _):
        head = b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\n"
        with socket.create_connection(("127.0.0.1", client.port), timeout=60) as slow:
            slow.sendall(head + b"Content-Length: 90000\r\n\r\n" + b"x" * 60_000)
            refused = client.post("/v1/judge", b"y" * 90_000)
            while refused.status == 200:  # the first bytes of the other are not there yet
                refused = client.post("/v1/judge", b"y" * 90_000)
            assert (refused.status, refused.headers["retry-after"]) == (503, "5")
            slow.sendall(b"x" * 30_000)
            assert b" 200 " in slow.recv(65536)
        assert client.post("/v1/judge", b"y" * 90_000).status == 200


def test_who_is_slow_is_cut(tmp_path: Path) -> None:
    head = b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\nContent-Length: 9\r\n"
    with serving(tmp_path / "m.db", Settings(send=0.3)) as (client, _):
        for begun in (b"", b"POST /v1/ju", head):
            with socket.create_connection(("127.0.0.1", client.port), timeout=60) as slow:
                slow.sendall(begun)
                with suppress(ConnectionResetError):
                    assert everything(slow) == b""
        with socket.create_connection(("127.0.0.1", client.port), timeout=60) as slow:
            slow.sendall(head + b"\r\nhalf")
            assert b" 408 " in slow.recv(65536)


def test_too_many_connections_cost_those_that_wait(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db", Settings(connections=5, send=600)) as (client, _):
        idle = [socket.create_connection(("127.0.0.1", client.port), timeout=60) for _ in range(20)]
        assert client.get("/healthz").status == 200
        with suppress(ConnectionResetError):
            assert everything(idle[0]) == b"", "it has kept us waiting longest"
        idle[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in idle[-1].recv(65536)
        for each in idle:
            each.close()


def test_who_waits_for_us_is_not_cut_for_others(tmp_path: Path) -> None:
    store = taught(tmp_path / "m.db", 2)
    head = b"POST /v1/train?label=spam HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\n"
    with (
        serving(store, Settings(connections=3, send=600)) as (client, _),
        closing(sqlite3.connect(store, isolation_level=None)) as writer,
        ExitStack() as idle,
    ):
        writer.execute("BEGIN IMMEDIATE")
        waiting = idle.enter_context(socket.create_connection(("127.0.0.1", client.port), timeout=60))
        waiting.sendall(head + b"Content-Length: %d\r\n\r\n%s" % (len(SPAM), SPAM))
        assert client.get("/healthz").status == 200, "so the bytes above have been read: they came first"
        for _ in range(6):
            idle.enter_context(socket.create_connection(("127.0.0.1", client.port), timeout=60))
        assert client.get("/healthz").status == 200
        writer.execute("ROLLBACK")
        assert b" 200 " in waiting.recv(65536)


def test_the_log_is_json_and_has_no_word_of_mails_users_or_tokens(tmp_path: Path) -> None:
    secret = Tokens.add(tmp_path / "tokens", "ann", "train")
    words = ("--http", "127.0.0.1:0", "--log", "json", "--token-file", str(tmp_path / "tokens"))
    with Daemon(tmp_path, *words, spamd=False, store=taught(tmp_path / "m.db", 10)) as daemon:
        client = Client(daemon.port, Authorization=f"Bearer {secret}")
        client.post("/v1/judge?user=secretive", SPAM)
        client.post("/v1/train?label=spam", SPAM)
        client.post("/v1/judge", {"text": 5})
        client.get("/v1/history?query=confidential")
        client.get("/hidden/path")
        client.get("/try/hidden")
        assert daemon.stop() == 0
    lines = (tmp_path / "daemon.log").read_text().splitlines()
    asked = [each for each in map(json.loads, lines) if each["logger"] == "bayleaf.http"]
    assert [each["status"] for each in asked] == [200, 200, 422, 200, 404, 303]
    assert [each["route"] for each in asked[-3:]] == ["/v1/history", "none", "/try/{name}"]
    assert {each["token"] for each in asked} == {"ann", ""}
    assert asked[0]["bytes"] == len(SPAM)
    head, _, body = SPAM.decode().partition("\n\n")
    mine = {word for word in {*body.split(), *re.findall(r"[\w.-]+@[\w.-]+", head)} if len(word) > 4}
    assert not any(word in line for line in lines for word in {*mine, "secretive", "confidential", "hidden", secret})


def test_errors_give_nothing_back_that_was_sent(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as (client, _):
        for answer in (
            client.post("/v1/judge", {"text": ["<script>confidential"]}),
            client.post("/v1/judge", b'{"text": confidential', Content_Type="application/json"),
            client.get("/v1/tokens?limit=confidential"),
            client.get("/v1/confidential"),
            client.get("/v1/tokens?limit=confidential", Accept="text/html"),
            client.get("/v1/confidential", Accept="text/html"),
        ):
            assert answer.status >= 400
            assert b"confidential" not in answer.body
            assert answer.headers["content-type"] == "application/problem+json"
