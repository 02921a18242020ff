"""Who may do what: CSRF, scopes, sessions, headers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from pages_site import Site, fresh

Guarded = tuple[Site, dict[str, str]]
PAGES = (
    "/",
    "/review",
    "/words",
    "/words/token?name=word:pills",
    "/quality",
    "/data",
    "/data/jobs",
    "/data/counts.csv",
)
FORMS = {
    "/try": {"text": "pills"},
    "/try/x/correct": {"label": "spam"},
    "/try/x/undo": {},
    "/review": {"label": "spam", "id": "1"},
    "/review/undo": {"number": "1"},
    "/data/learn": {"label": "spam"},
    "/data/cancel": {"job": "1"},
    "/data/backup": {},
    "/data/forget": {"sender": "a", "sure": "yes"},
    "/logout": {},
}


@pytest.fixture
def client(still: Site) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=still.url) as asking:
        yield asking


def csrf(client: httpx.Client, path: str = "/") -> str:
    found = re.search(r'name="csrf" value="(\w+)"', client.get(path, follow_redirects=True).text)
    assert found is not None
    return found[1]


def log_in(client: httpx.Client, token: str) -> httpx.Response:
    return client.post("/login", data={"csrf": csrf(client, "/login"), "token": token})


@pytest.mark.parametrize("charset", ["unicode_escape", "punycode", "undefined", "utf-16"])
@pytest.mark.parametrize("path", ["/try", "/login"])
def test_a_form_in_another_charset_is_refused(client: httpx.Client, path: str, charset: str) -> None:
    """Some codecs of Python fail, and some make halves of letters."""
    part = '--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n\\ud800\r\n--x--\r\n'
    kind = f"multipart/form-data; boundary=x; charset={charset}"
    answer = client.post(path, content=part.encode(), headers={"Content-Type": kind})
    assert (answer.status_code, charset in answer.text) == (415, True)
    assert (
        client.post(path, content=part.encode(), headers={"Content-Type": kind.replace(charset, "UTF-8")}).status_code
        < 500
    )


@pytest.mark.parametrize("path", FORMS)
def test_a_form_without_our_token_is_refused(still: Site, client: httpx.Client, path: str) -> None:
    other = httpx.Client(base_url=still.url)
    stolen = csrf(other)
    csrf(client)
    before = still.live.status()["mails"], len(still.history.find(limit=1000))
    for wrong in ({}, {"csrf": ""}, {"csrf": "0" * 64}, {"csrf": stolen}, {"csrf": "ö"}):
        answer = client.post(path, data={**FORMS[path], **wrong})
        assert answer.status_code == 403, wrong
        assert "form-action 'self'" in answer.headers["content-security-policy"]
    assert client.get(path).status_code in (200, 303, 400, 404, 405), "nothing is done by looking"
    assert (still.live.status()["mails"], len(still.history.find(limit=1000))) == before
    other.close()


def test_another_site_is_refused_even_with_our_token(client: httpx.Client) -> None:
    ours = {"csrf": csrf(client), "text": "pills"}
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert client.post("/try", data=ours, headers=headers).status_code == 403
    assert client.post("/try", data=ours, headers={"Origin": str(client.base_url).rstrip("/")}).status_code == 303


def test_a_name_that_was_pointed_at_this_machine_is_refused(client: httpx.Client) -> None:
    assert client.get("/", headers={"Host": "rebound.example"}).status_code == 421


@pytest.mark.parametrize(
    "path", [*PAGES, "/static/page.css", "/static/page.js", "/static/../app.py", "/nowhere", "/v1/status"]
)
def test_every_answer_has_a_strict_policy(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == "'none'"
    assert not re.search("unsafe|http|\\*", answer.headers["content-security-policy"])
    assert answer.headers["x-content-type-options"] == "nosniff"
    if "html" in answer.headers["content-type"]:
        assert policy["base-uri"] == "'none'"
        assert policy["form-action"] == policy["style-src"] == policy["script-src"] == "'self'"
        assert answer.headers["cache-control"] == "no-store"
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?! src=)", answer.text)


def test_pages_cannot_be_reached_without_a_token(guarded: Guarded) -> None:
    site, _ = guarded
    with httpx.Client(base_url=site.url) as client:
        for path in (*PAGES, "/review/1", "/try/x"):
            answer = client.get(path)
            assert (answer.status_code, answer.headers["location"]) == (303, "/login"), path
            assert answer.headers["content-security-policy"]
        for path, fields in FORMS.items():
            assert client.post(path, data=fields).status_code == 403, path
        for token in ("", "guess", "ö" * 50, "x" * 5000):
            assert log_in(client, token).status_code == 403
            assert "bayleaf" not in client.cookies


def test_cookies_are_kept_from_scripts_and_from_other_sites(guarded: Guarded, still: Site) -> None:
    running, secrets = guarded
    with httpx.Client(base_url=running.url) as client, httpx.Client(base_url=still.url) as free:
        for answer in (client.get("/login"), log_in(client, secrets["read"]), free.get("/")):
            (cookie, *_) = answer.headers.get_list("set-cookie")[-1:]
            assert "HttpOnly" in cookie
            assert "SameSite=strict" in cookie
            assert secrets["read"] not in cookie
        assert client.get("/").status_code == 200


def test_a_reader_judges_but_cannot_teach(guarded: Guarded) -> None:
    site, secrets = guarded
    with httpx.Client(base_url=site.url) as client:
        assert log_in(client, secrets["read"]).status_code == 303
        before = site.live.status()["mails"]
        ours = csrf(client)
        verdict = client.post("/try", data={"csrf": ours, "text": fresh("spam")[0].decode()}, follow_redirects=True)
        assert verdict.status_code == 200
        assert "/correct" not in verdict.text, "no button that would be refused"
        for path in set(FORMS) - {"/try", "/logout"}:
            answer = client.post(path.replace("/x/", verdict.url.path[4:] + "/"), data={"csrf": ours, **FORMS[path]})
            assert answer.status_code == 403, path
            assert "train" in answer.text
        assert site.live.status()["mails"] == before
        client.post("/logout", data={"csrf": ours})
        assert client.get("/").status_code == 303, "logged out"


def test_a_trainer_teaches_and_a_session_ends_with_its_token(guarded: Guarded) -> None:
    site, secrets = guarded
    with httpx.Client(base_url=site.url) as client:
        log_in(client, secrets["train"])
        ours = csrf(client)
        verdict = client.post("/try", data={"csrf": ours, "text": "cheap pills"})
        done = client.post(verdict.headers["location"] + "/correct", data={"csrf": ours, "label": "ham"})
        assert done.status_code == 303
        assert site.live.status()["mails"] == {"spam": 61, "ham": 75}
        tokens: Any = site.tokens
        left = [line for line in tokens.path.read_text().splitlines() if "trainer" not in line]
        tokens.path.write_text("\n".join(left))
        tokens.reload()
        assert client.get("/").status_code == 303, "the token was taken away"


def test_a_session_cannot_be_given_to_somebody(guarded: Guarded) -> None:
    site, secrets = guarded
    chosen = {"bayleaf": "chosen-by-an-attacker-0123456789"}
    with httpx.Client(base_url=site.url, cookies=chosen) as victim, httpx.Client(base_url=site.url) as attacker:
        answer = log_in(victim, secrets["train"])
        assert answer.status_code == 303
        assert chosen["bayleaf"] not in answer.headers["set-cookie"]
        assert attacker.get("/", headers={"Cookie": f"bayleaf={chosen['bayleaf']}"}).status_code == 303


def test_a_login_form_of_another_session_is_refused(guarded: Guarded) -> None:
    site, secrets = guarded
    with httpx.Client(base_url=site.url) as one, httpx.Client(base_url=site.url) as other:
        stolen = csrf(one, "/login")
        csrf(other, "/login")
        assert other.post("/login", data={"csrf": stolen, "token": secrets["read"]}).status_code == 403


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/review", {"label": "eggs", "id": "1"}),
        ("/review", {"label": "spam", "id": "-1"}),
        ("/data/cancel", {"job": "9" * 40}),
        ("/data/forget", {"since": "yesterday"}),
        ("/data/forget", {}),
        ("/data/forget", {"sender": "a" * 60_000}),
        ("/data/learn", {"label": "spam"}),
    ],
)
def test_nonsense_is_refused_in_words(client: httpx.Client, path: str, fields: dict[str, str]) -> None:
    answer = client.post(path, data={"csrf": csrf(client), **fields})
    assert answer.status_code == 400
    assert "expected" in answer.text


def test_nonsense_in_addresses_is_refused_or_harmless(client: httpx.Client) -> None:
    assert client.get("/review?before=x").status_code == 400
    assert client.get("/review/x").status_code == 400
    assert client.get("/words/token?name=<img src=x>").status_code == 404
    assert "<img" not in client.get("/words/token?name=<img src=x>").text
    assert client.get("/review?q=%00%ff&label='--&order=<b>").status_code == 200
    back = client.post("/review", data={"csrf": csrf(client), "label": "spam", "back": "https://evil.example/"})
    assert back.headers["location"] == "/review"


def test_a_fault_of_ours_is_an_answer_without_details(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from bayleaf.service.pages import quality

    def fail(*_: object) -> None:
        raise RuntimeError("words of a mail")

    monkeypatch.setattr(quality, "volume", fail)
    answer = client.get("/quality")
    assert answer.status_code == 500
    assert "words of a mail" not in answer.text
    assert answer.headers["content-security-policy"]
