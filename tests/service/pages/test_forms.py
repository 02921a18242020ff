"""Forms that are sent twice, from two tabs, or stop half-way; addresses that are none. Without a browser."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from daemon import until
from pages_site import Site, fresh

from bayleaf.demo.samples import subject
from bayleaf.errors import StoreError
from bayleaf.mail import Filter
from bayleaf.service.live import LiveFilter


@pytest.fixture
def client(site: Site) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=site.url, follow_redirects=True) as asking:
        asking.csrf = re.search(r'name="csrf" value="(\w+)"', asking.get("/").text)[1]  # type: ignore[attr-defined, index]
        yield asking


other = client  # somebody else, at the same time


def send(client: httpx.Client, path: str, **fields: object) -> httpx.Response:
    return client.post(path, data={"csrf": client.csrf, **fields})  # type: ignore[attr-defined]


def undo(client: httpx.Client) -> httpx.Response:
    """Takes back what the page offers to."""
    offered = re.search(r'name="number" value="(\d+)"', client.get("/review").text)
    return send(client, "/review/undo", number=offered[1] if offered else 1)


def failing(found: bytes) -> Callable[..., str | None]:
    """`LiveFilter._untrain` on a disk that fails with this mail."""
    untrain = LiveFilter._untrain

    def instead(live: LiveFilter, raw: bytes | str, user: str) -> str | None:
        if raw == found:
            raise StoreError("disk I/O error")
        return untrain(live, raw, user)

    return instead


def newest(client: httpx.Client, state: str) -> None:
    """Waits for the newest job."""

    def look() -> None:
        assert f'<span class="state">{state}</span>' in client.get("/data/jobs").text.partition("</li>")[0]

    until(look, AssertionError)


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


def test_what_somebody_else_has_said_since_is_not_taken_back(
    site: Site, client: httpx.Client, other: httpx.Client
) -> None:
    raw = fresh("ham")[0]
    mine, theirs = (send(each, "/try", text=raw.decode()).url.path for each in (client, other))
    send(client, f"{mine}/correct", label="spam")
    send(other, f"{theirs}/correct", label="ham")
    page = send(client, f"{mine}/undo").text
    assert "found a mail that has been learned as ham since, expected spam: it stays as it is" in page
    assert site.live.known(raw) == "ham"
    send(other, f"{theirs}/undo")
    assert site.live.known(raw) == "spam", "as it was before the other one came"


def test_everybody_undoes_what_they_did_themselves(site: Site, client: httpx.Client, other: httpx.Client) -> None:
    mails = fresh("ham")[:2]
    ids = [site.live.judged(raw)[1] for raw in mails]
    for each, id in zip((client, other), ids, strict=True):
        send(each, "/review", label="spam", id=id)
    assert "1 mail taken back." in undo(client).text
    assert [site.live.known(raw) for raw in mails] == [None, "spam"]
    assert "Undo" not in client.get("/review").text
    send(client, "/review", label="ham", id=ids[1])
    assert "learned as ham since, expected spam" in undo(other).text
    assert [site.live.known(raw) for raw in mails] == [None, "ham"]


def test_an_undo_that_is_sent_twice_takes_one_correction_back(site: Site, client: httpx.Client) -> None:
    mails = fresh("ham")[:2]
    for raw in mails:
        send(client, "/review", label="spam", id=site.live.judged(raw)[1])
    for words in ("1 mail taken back.", "There is nothing to take back."):
        assert words in send(client, "/review/undo", number=2).text
    assert [site.live.known(raw) for raw in mails] == ["spam", None]


def test_what_changes_nothing_is_no_step_to_undo(site: Site, client: httpx.Client) -> None:
    _, id = site.live.judged(fresh("ham")[0])
    for _ in range(2):
        assert "1 mail learned as spam" in send(client, "/review", label="spam", id=id).text
    assert "1 mail taken back" in undo(client).text
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
    undo(client)
    assert site.live.known(fresh("ham")[0]) is None


def test_what_a_store_that_fails_does_not_take_back_can_be_undone_later(
    site: Site, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails = [*fresh("ham")[:2], fresh("spam")[0]]
    ids = [site.live.judged(raw)[1] for raw in mails]
    send(client, "/review", label="spam", id=ids)
    with monkeypatch.context() as broken:
        broken.setattr(LiveFilter, "_untrain", failing(mails[1]))
        answer = undo(client)
    assert (answer.status_code, "disk I/O error" in answer.text) == (503, True)
    assert [site.live.known(raw) for raw in mails] == ["spam", "spam", None]
    assert "Undo the last correction (2 mails)" in client.get("/review").text
    assert "2 mails taken back." in undo(client).text
    assert "There is nothing to take back." in undo(client).text
    assert {site.live.known(raw) for raw in mails} == {None}


def test_nothing_leaves_the_history_while_its_counts_cannot_be_taken_back(
    site: Site, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for raw in fresh("ham")[:2]:
        site.live.judge(raw)
        site.live.train(raw, "ham").result()
    with monkeypatch.context() as broken:
        broken.setattr(LiveFilter, "_untrain", failing(fresh("ham")[0]))
        send(client, "/data/forget", since="2001-01-01", sure="yes")
        newest(client, "failed")
    assert "disk I/O error" in client.get("/data/jobs").text
    assert [site.live.known(raw) for raw in fresh("ham")[:2]] == ["ham", None]
    assert len(site.history.find()) == 2
    send(client, "/data/forget", since="2001-01-01", sure="yes")
    newest(client, "finished")
    assert (site.live.known(fresh("ham")[0]), site.history.find()) == (None, [])


def test_a_mail_that_comes_while_others_are_forgotten_stays(
    site: Site, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    early, late = fresh("ham")[:2]
    site.live.judge(early)
    untrain = LiveFilter._untrain

    def meanwhile(live: LiveFilter, raw: bytes | str, user: str) -> str | None:
        live.judge(late)
        live._train(late, "ham", "")
        return untrain(live, raw, user)

    monkeypatch.setattr(LiveFilter, "_untrain", meanwhile)
    send(client, "/data/forget", since="2001-01-01", sure="yes")
    newest(client, "finished")
    assert [(mail.subject, mail.told) for mail in site.history.find()] == [(subject(late), "ham")]
    assert site.live.known(late) == "ham"


def test_a_backup_on_its_way_has_no_name_that_a_stopped_daemon_would_leave_behind(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(
        Filter, "backup", lambda own, path: path.write_bytes(b"store" * 2**22)
    )  # more than is sent ahead
    with client.stream("POST", "/data/backup", data={"csrf": client.csrf}) as answer:  # type: ignore[attr-defined]
        assert [*(tmp_path / "temporary").iterdir()] == []
        assert answer.read() == b"store" * 2**22
    assert answer.headers["content-length"] == str(5 * 2**22)
    assert re.fullmatch(r'attachment; filename="bayleaf-[\d-]{10}\.db"', answer.headers["content-disposition"])


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
