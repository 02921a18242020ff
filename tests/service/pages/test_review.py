"""Review: the stream, filtered, searched and corrected."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from pages_site import Site, fresh

pytestmark = pytest.mark.slow


@pytest.fixture
def stream(site: Site) -> Site:
    for raw in (*fresh("spam"), *fresh("ham")):
        site.live.judge(raw, face="spamd")
    return site


def subjects(page: Any) -> list[str]:
    return page.locator(".what > :first-child").all_inner_texts()


def test_doubt_comes_first_unless_the_newest_are_wanted(page: Any, stream: Site) -> None:
    page.goto(f"{stream.url}/review")
    chips = page.locator(".mails .chip").all_inner_texts()
    assert chips[0] == "unsure"
    assert "unsure" not in chips[chips.count("unsure") :]
    page.select_option("#order", "newest")
    page.click("text=Show")
    assert subjects(page) == [mail.subject for mail in stream.history.find(unsure_first=False)]


def test_filter_and_search(page: Any, stream: Site) -> None:
    page.goto(f"{stream.url}/review")
    page.select_option("#label", "spam")
    page.click("text=Show")
    assert set(page.locator(".mails .chip").all_inner_texts()) == {"spam"}
    page.select_option("#label", "")
    page.fill("#q", "PILLS")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert subjects(page) == ["your pills, and dinner"]
    assert page.input_value("#q") == "PILLS"
    page.fill("#q", "100%_no such mail")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert "No mail like that" in page.locator("main").inner_text()


def test_several_are_corrected_at_once_and_undone(page: Any, stream: Site) -> None:
    before = stream.live.status()["mails"]
    page.goto(f"{stream.url}/review?label=unsure")
    page.check("[data-all]")
    ticked = page.locator(".mails input:checked").count()
    assert ticked >= 2
    assert f"{ticked} ticked" in page.locator("[data-ticked]").inner_text()
    page.click("button[value=ham]")
    assert f"{ticked} mails learned as ham" in page.locator(".said").inner_text()
    assert page.url.endswith("label=unsure"), "the view stays"
    assert page.locator(".told").count() == ticked
    assert stream.live.status()["mails"] == {"spam": 61, "ham": 74 + ticked}
    page.locator(".mails input").first.check()
    page.click("button[value=spam]")
    page.click("text=Undo the last correction (1 mail)")
    assert set(page.locator(".told").all_inner_texts()) == {"learned as ham"}, "back to what they were before"
    page.click(f"text=Undo the last correction ({ticked} mails)")
    assert f"{ticked} mails taken back" in page.locator(".said").inner_text()
    assert stream.live.status()["mails"] == before
    assert page.locator(".told").count() == 0
    assert page.locator("text=Undo").count() == 0


def test_a_mail_that_cannot_be_corrected_does_not_stop_the_others(page: Any, site: Site, tmp_path: Path) -> None:
    learned, new = fresh("spam")[:2]
    site.live.train(learned, "spam").result()
    with sqlite3.connect(tmp_path / "m.db") as db:
        db.execute("UPDATE ledger SET keys = NULL")  # as after 500 more mails of the label
    db.close()
    for raw in (new, b"X-List: some list\n" + learned, new + b"\nmore"):
        site.live.judge(raw, face="spamd")
    page.goto(f"{site.url}/review")
    page.check("[data-all]")
    page.click("button[value=ham]")
    said = page.locator(".said").inner_text()
    assert said == "2 mails learned as ham. 1 mail left out: changed since learned as something else."


def test_nothing_ticked_is_nothing_learned(page: Any, stream: Site) -> None:
    page.goto(f"{stream.url}/review")
    page.click("button[value=spam]")
    assert "Nothing was ticked" in page.locator(".said").inner_text()


def test_a_mail_is_opened_with_its_reasons(page: Any, stream: Site) -> None:
    page.goto(f"{stream.url}/review?q=pills")
    page.click("text=your pills, and dinner")
    page.wait_for_url(re.compile("/try/"))
    assert "your pills, and dinner" in page.locator(".fields").inner_text()
    page.click("button[name=label][value=spam]")
    page.goto(f"{stream.url}/review?q=pills")
    assert page.locator(".told").inner_text() == "learned as spam"


def test_older_mails_are_a_page_away(page: Any, still: Site) -> None:
    page.goto(f"{still.url}/review")
    seen = subjects(page)
    while page.locator("a[rel=next]").count():
        page.click("a[rel=next]")
        seen += subjects(page)
    assert len(seen) == len(still.history.find(limit=1000)) > 100
    page.click("text=From the start")
    assert subjects(page) == seen[:50]


def test_nothing_judged_yet(page: Any, site: Site) -> None:
    page.goto(f"{site.url}/review")
    assert "Nothing has been judged yet" in page.locator("main").inner_text()
