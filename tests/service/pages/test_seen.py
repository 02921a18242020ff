"""What is on a page can be read: at the smallest width, by keyboard, on paper, and when the daemon is gone."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from pages_site import PLACES, Site

from bayleaf.demo.samples import HERE
from bayleaf.mail import Filter

pytestmark = pytest.mark.slow
SMALL = {"width": 320, "height": 640}


def test_the_words_of_the_bar_on_top_stay_whole(browser: Any, still: Site) -> None:
    page = browser.new_page(viewport=SMALL)  # also what 1280 pixels are at 400 %
    for place in PLACES:
        page.goto(still.url + place)
        tall = page.eval_on_selector_all("nav a", "links => links.map(link => link.offsetHeight)")
        assert max(tall) < 45, f"a word in two lines on {place}"
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), place
    page.close()


@pytest.mark.parametrize("width", [1280, 320])
def test_no_number_of_a_picture_is_cut_off(browser: Any, site: Site, width: int) -> None:
    for n in range(12_345):
        site.history.add("spamd", "", str(n).encode(), "spam", "spam", 0.99, "", "", b"")
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(f"{site.url}/quality")
    assert "12,346" in page.locator("svg.long").text_content(), "even, so that half of it is a whole number"
    assert page.evaluate(CUT) == []
    small = page.eval_on_selector_all("figure text", "texts => texts.map(text => text.getBoundingClientRect().height)")
    assert min(small) > 10
    page.close()


# The texts of pictures that reach beyond their picture.
CUT = """() => [...document.querySelectorAll('figure svg:not(.bar) text')].filter(text => {
  const own = text.getBoundingClientRect(), all = text.closest('svg').getBoundingClientRect()
  return own.left < all.left || own.right > all.right || own.bottom > all.bottom
}).map(text => text.textContent)"""


@pytest.mark.parametrize("viewport", [SMALL, {"width": 1280, "height": 800}])
def test_what_has_the_focus_is_not_behind_the_bar_that_stays(
    browser: Any, still: Site, viewport: dict[str, int]
) -> None:
    page = browser.new_page(viewport=viewport)
    page.goto(f"{still.url}/review")
    page.locator(".mails a").nth(40).focus()
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        assert page.evaluate(BEHIND) is False
    page.close()


BEHIND = """() => {
  const held = document.activeElement, bar = document.querySelector('.sticky')
  return held.closest('.mails') !== null && held.getBoundingClientRect().top < bar.getBoundingClientRect().bottom
}"""


def test_a_label_from_right_to_left_leaves_the_numbers_where_they_belong(browser: Any, tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db", labels=("مهم", "דחוף", "spam")) as own:
        own.train_many([(f"{k} {n}", name) for k, name in enumerate(own.evidence().labels) for n in range(33 - k)])
    site, page = Site(tmp_path / "m.db"), browser.new_page()
    page.goto(f"{site.url}/data")
    assert page.evaluate(PLACES_OF, ["33", "32", "31", "spam"]) == [0, 1, 2, 3]
    page.close()
    site.close()


# The order from left to right in which these words of the lead are seen.
PLACES_OF = """words => {
  const text = document.querySelector('.lead').firstChild
  const left = words.map(word => {
    const range = document.createRange(), at = text.data.indexOf(word)
    range.setStart(text, at)
    range.setEnd(text, at + word.length)
    return range.getBoundingClientRect().left
  })
  return left.map(x => left.filter(other => other < x).length)
}"""


def test_paper_has_the_whole_mail(browser: Any, still: Site) -> None:
    page = browser.new_page()
    page.goto(still.url)
    page.fill("#text", "\n".join(f"line {n}" for n in range(200)))
    page.click("text=Judge")
    page.wait_for_selector(".verdict")
    page.emulate_media(media="print")
    assert page.eval_on_selector(".text", "text => text.scrollHeight <= text.clientHeight")
    page.close()


def test_a_job_of_which_there_is_no_news_is_not_shown_as_running_on(browser: Any, site: Site) -> None:
    """The learning thread is kept busy by the test, so that the job is surely under way when the daemon is gone."""
    hold = threading.Event()
    held = site.live.order(lambda own: hold.wait())
    context = browser.new_context()
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{site.url}/data")
    page.set_input_files("#file", HERE / "mails" / "spam.mbox")
    page.select_option("#label", "spam")
    page.click("text=Upload")
    page.wait_for_selector(".job.running")
    context.set_offline(True)
    try:
        page.wait_for_selector("text=the daemon does not answer")
    finally:
        hold.set()
    context.set_offline(False)
    assert held.result()
    page.wait_for_selector(".job.finished")
    assert page.locator("[data-lost]").inner_text() == ""
    assert faults == []
    context.close()
