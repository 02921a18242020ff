"""What is too large is refused on a page: what was found, what is taken, and what to do instead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pages_site import Site, fresh, taught

from bayleaf.service.http.settings import Settings
from bayleaf.service.pages.lesson import LONGEST
from bayleaf.service.pages.router import FIELD

MOST = 200_000


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[Site]:
    running = Site(taught(tmp_path / "m.db"), settings=Settings(upload=MOST))
    yield running
    running.close()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/data"])
def test_a_browser_shows_why(path: str, narrow: Site, browser: Any, tmp_path: Path) -> None:
    (tmp_path / "large.mbox").write_bytes(b"x" * 40_000_000)  # more than the buffers between browser and daemon hold
    context = browser.new_context()
    page = context.new_page()
    page.goto(narrow.url + path)
    page.set_input_files("input[type=file]", tmp_path / "large.mbox")
    with page.expect_navigation() as navigation:
        page.locator("button.main").first.click()
    assert navigation.value.status == 413
    told = page.get_by_role("alert").inner_text()
    assert "found a request of 40,000," in told
    assert "expected at most 200,000: split the file, or learn it where it lies with `bayleaf mail learn`" in told
    assert page.get_by_role("link", name="Try").is_visible(), "and there is a way on"
    context.close()
    assert (narrow.live.verdicts, narrow.live.counts) == ({}, {})


FORM = b'--a\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n' + b"x" * MOST


@pytest.mark.parametrize("announced", [True, False])
def test_a_form_is_answered_with_a_page(announced: bool, narrow: Site) -> None:
    body = FORM if announced else iter([FORM, b"x"])  # the second is chunked: its size shows while it comes
    headers = {"Accept": "text/html,*/*;q=0.8", "Content-Type": "multipart/form-data; boundary=a"}
    answer = httpx.post(f"{narrow.url}/try", content=body, headers=headers)
    assert (answer.status_code, answer.headers["content-type"]) == (413, "text/html; charset=utf-8")
    assert "expected at most 200,000: split the file" in answer.text
    assert "style-src 'self'" in answer.headers["content-security-policy"], "of a page, not of JSON"


def test_a_program_is_answered_with_json(narrow: Site) -> None:
    answer = httpx.post(f"{narrow.url}/try", content=FORM)
    assert (answer.status_code, answer.headers["content-type"]) == (413, "application/problem+json")


@pytest.mark.parametrize(
    ("size", "status", "words"),
    [(LONGEST + 1, 400, "the page Data takes mailboxes"), (FIELD + 1, 413, "give a mailbox to the page Data")],
)
def test_a_mail_that_is_too_large_to_paste(size: int, status: int, words: str, site: Site) -> None:
    with httpx.Client(base_url=site.url, timeout=60) as client:
        csrf = client.get("/").text.partition('name="csrf" value="')[2].partition('"')[0]
        answer = client.post("/try", files={"csrf": (None, csrf), "text": (None, "x" * size)})
    assert (answer.status_code, words in answer.text) == (status, True)


def test_an_mbox_is_judged_where_it_holds_one_mail_and_refused_where_it_holds_several(site: Site) -> None:
    mails = [b"From a@example.org Thu Nov 19 10:00:00 2026\n" + raw + b"\n\n" for raw in fresh("spam")[:2]]
    with httpx.Client(base_url=site.url, timeout=60) as client:
        csrf = client.get("/").text.partition('name="csrf" value="')[2].partition('"')[0]
        boxes = (mails[0], b"".join(mails))
        one, two = (client.post("/try", files={"csrf": (None, csrf), "file": box}) for box in boxes)
    assert "/try/" in one.headers["location"]
    assert (two.status_code, "found an mbox with several mails, expected one mail" in two.text) == (400, True)
