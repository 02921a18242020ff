"""Forms that are sent twice, from two tabs, or stop half-way; addresses that are none. Without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest
from pages_site import Site, fresh

from bayleaf.service.live import LiveFilter


@pytest.fixture
def client(site: Site) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=site.url, follow_redirects=True) as asking:
        asking.csrf = re.search(r'name="csrf" value="(\w+)"', asking.get("/").text)[1]  # type: ignore[attr-defined, index]
        yield asking


def send(client: httpx.Client, path: str, **fields: object) -> httpx.Response:
    return client.post(path, data={"csrf": client.csrf, **fields})  # type: ignore[attr-defined]


@pytest.mark.parametrize("labels", [("spam", "spam"), ("spam", "ham"), ("ham", "spam", "spam")])
def test_a_correction_that_was_sent_again_is_taken_back_whole(
    site: Site, client: httpx.Client, labels: tuple[str, ...]
) -> None:
    """Two tabs, or two clicks."""
    before = site.live.status()["mails"]
    place = send(client, "/try", text=fresh("ham")[0].decode()).url.path
    for label in labels:
        page = send(client, f"{place}/correct", label=label).text
    assert f"Learned as {labels[-1]}" in page
    assert "Taken back: everything is counted as it was before." in send(client, f"{place}/undo").text
    assert site.live.known(fresh("ham")[0]) is None
    assert site.live.status()["mails"] == before


def test_what_changes_nothing_is_no_step_to_undo(site: Site, client: httpx.Client) -> None:
    _, id = site.live.judged(fresh("ham")[0])
    for _ in range(2):
        assert "1 mail learned as spam" in send(client, "/review", label="spam", id=id).text
    assert "1 mail taken back" in send(client, "/review/undo").text
    assert site.live.known(fresh("ham")[0]) is None


def test_what_was_learned_before_a_refusal_can_be_undone(
    site: Site, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = (site.live.judged(raw)[1] for raw in fresh("ham")[:2])
    train = LiveFilter._train
    monkeypatch.setattr(
        LiveFilter, "_train", lambda live, raw, *rest: 1 / 0 if raw == fresh("ham")[1] else train(live, raw, *rest)
    )
    assert send(client, "/review", label="spam", id=[good, bad]).status_code == 500
    assert site.live.known(fresh("ham")[0]) == "spam"
    assert "Undo the last correction (1 mail)" in client.get("/review").text
    send(client, "/review/undo")
    assert site.live.known(fresh("ham")[0]) is None


def test_a_mail_that_is_no_longer_kept_is_not_called_unticked(client: httpx.Client) -> None:
    page = send(client, "/review", label="spam", id=7).text
    assert "1 mail no longer kept and left out." in page
    assert "ticked, nothing" not in page


def test_a_browser_is_shown_a_page_where_there_is_none(client: httpx.Client) -> None:
    for path, status in (("/nowhere", 404), ("/data/forget", 405)):
        page = client.get(path, headers={"Accept": "text/html,*/*"})
        assert (page.status_code, page.headers["content-type"]) == (status, "text/html; charset=utf-8")
        assert "That did not work" in page.text
        assert client.get(path).headers["content-type"] == "application/problem+json"
    assert client.get("/data/forget", headers={"Accept": "text/html"}).headers["allow"] == "POST"
