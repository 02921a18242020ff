"""Try: a verdict with its reasons, and one click to correct it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pages_site import Site, fresh

from bayleaf.mail import Filter

pytestmark = pytest.mark.slow
SPAM = fresh("spam")[0].decode()


def judge(page: Any, site: Site, text: str) -> None:
    page.goto(site.url)
    page.fill("#text", text)
    page.click("text=Judge")
    page.wait_for_selector(".verdict")


def numbers(page: Any, selector: str) -> list[float]:
    return [float(text.replace("−", "-")) for text in page.locator(selector).all_inner_texts()]


def test_a_pasted_mail_gets_a_verdict_and_the_sum_that_makes_it(page: Any, site: Site) -> None:
    judge(page, site, SPAM)
    told = site.live.ask(lambda own: own.judge(SPAM.encode()))
    assert page.locator(".called b").inner_text() == told.label == "spam"
    clues = numbers(page, ".sums tbody td:nth-child(3)")
    (total,) = numbers(page, ".sums tfoot td:nth-child(3)")
    assert sum(clues) == pytest.approx(total, abs=0.005 * (len(clues) + 1)), "each is rounded to two decimals"
    assert total == pytest.approx(told.scores["spam"], abs=0.005)
    marks = page.locator(".text mark").all_inner_texts()
    assert "needed" in marks
    assert page.locator(".text mark", has_text="needed").first.get_attribute("class") in {"for3", "for4"}
    assert [mail.face for mail in site.history.find()] == ["page"]


def test_text_without_headers_is_judged_as_text(page: Any, site: Site) -> None:
    judge(page, site, "Cheap pills, no prescription needed!")
    assert page.locator(".fields").count() == 0
    assert "pills" in page.locator(".text mark").all_inner_texts()
    assert isinstance(site.history.raw(site.history.find()[0].id), str)


def test_a_file_is_judged(page: Any, site: Site, tmp_path: Path) -> None:
    (tmp_path / "mail.eml").write_bytes(fresh("spam")[0])
    page.goto(site.url)
    page.set_input_files("#file", tmp_path / "mail.eml")
    page.click("text=Judge")
    assert page.locator(".called b").inner_text() == "spam"


def test_a_dropped_file_is_judged_at_once(page: Any, site: Site) -> None:
    page.goto(site.url)
    drop = """text => { const held = new DataTransfer(); held.items.add(new File([text], 'mail.eml'));
      document.querySelector('[data-drop]').dispatchEvent(
        new DragEvent('drop', {dataTransfer: held, bubbles: true, cancelable: true})) }"""
    page.evaluate(drop, SPAM)
    page.wait_for_url(re.compile("/try/"))
    assert page.locator(".called b").inner_text() == "spam"


def test_wrong_is_one_click_and_shows_what_changed_and_can_be_taken_back(page: Any, site: Site, tmp_path: Path) -> None:
    judge(page, site, SPAM)
    before = site.live.ask(lambda own: own.judge(SPAM.encode())).probabilities["spam"]
    page.click("button[name=label][value=ham]")
    changed = page.locator(".changed")
    assert "Learned as ham" in changed.inner_text()
    after = site.live.ask(lambda own: own.judge(SPAM.encode())).probabilities["spam"]
    assert after < before
    assert f"{before:.1%} → {after:.1%}" in changed.inner_text()
    assert "74 → 75" in changed.inner_text()
    assert site.history.find()[0].told == "ham"
    page.reload()
    assert site.live.status()["mails"] == {"spam": 61, "ham": 75}, "a reload learns nothing again"
    page.click("text=Take it back")
    assert "Taken back" in page.locator(".said").inner_text()
    assert site.live.status()["mails"] == {"spam": 61, "ham": 74}
    assert site.history.find()[0].told is None
    with Filter.open(tmp_path / "m.db") as own:
        own.check()


def test_right_is_learned_too(page: Any, site: Site) -> None:
    judge(page, site, SPAM)
    page.click("text=Right, learn it")
    assert "Learned as spam" in page.locator(".changed").inner_text()
    page.goto(page.url.partition("#")[0])
    page.click("text=Try another")
    judge(page, site, SPAM)
    assert "no fair test" in page.locator(".verdict").inner_text()


def test_in_doubt_every_label_has_a_button(page: Any, site: Site) -> None:
    judge(page, site, "who knows")
    assert page.locator(".called b").inner_text() == "unsure"
    page.click("text=It is spam")
    assert "Learned as spam" in page.locator(".changed").inner_text()


def test_its_address_alone_shows_the_form(page: Any, site: Site) -> None:
    assert page.goto(f"{site.url}/try").status == 200
    assert page.locator("form.drop").count() == 1


def test_nothing_and_too_old_are_told(page: Any, site: Site) -> None:
    page.goto(site.url)
    page.click("text=Judge")
    assert "nothing to judge" in page.locator(".said").inner_text()
    page.goto(f"{site.url}/try/of-yesterday")
    assert "no longer held" in page.locator(".said").inner_text()


def test_each_clue_leads_to_what_it_does_in_this_mail(page: Any, site: Site) -> None:
    judge(page, site, SPAM)
    page.locator(".sums a", has_text="pair:").first.click()
    assert "In the mail you tried" in page.locator("main").inner_text()
    page.click("text=Back to the mail")
    assert page.locator(".called b").inner_text() == "spam"


def test_without_a_mouse(page: Any, site: Site) -> None:
    page.goto(site.url)
    page.wait_for_selector("#text:focus")  # it comes with the first drawing, which may be after the load
    page.keyboard.insert_text("cheap pills, no prescription needed")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict")
    page.wait_for_load_state()
    labels = []
    for _ in range(12):
        page.keyboard.press("Tab")
        labels.append(page.evaluate("document.activeElement.textContent.trim()"))
        if labels[-1].startswith(("This is wrong", "It is")):
            break
    assert labels[0] == "Skip to content"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid", "the focus is seen"
    page.keyboard.press("Enter")
    page.wait_for_selector(".changed")
    page.goto(site.url)
    page.wait_for_selector("#text:focus")
    page.keyboard.insert_text("lunch?")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".verdict")


def test_without_a_script(browser: Any, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    judge(page, site, SPAM)
    page.click("button[name=label][value=ham]")
    assert "Learned as ham" in page.locator(".changed").inner_text()
    page.goto(f"{site.url}/review")
    page.check(".mails input >> nth=0")
    page.click("button[value=spam]")
    assert "1 mail learned as spam" in page.locator(".said").inner_text()
    context.close()
