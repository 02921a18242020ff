"""Words: what tokens stand for, and what their removal would change. Quality: figures that can be checked."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pages_site import Site, fresh

from bayleaf.mail import Filter
from bayleaf.mail.lexicon import Lexicon
from bayleaf.service.pages.removal import Removal

pytestmark = pytest.mark.slow


def test_a_word_is_found_with_counts_and_the_day_it_was_last_seen(page: Any, still: Site) -> None:
    page.goto(f"{still.url}/words")
    page.fill("#q", "Pills")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    row = page.locator("tbody tr", has_text="word:pills").first.inner_text().split("\t")
    assert row[1:4] == ["3", "0", "spam"]
    assert row[5] in {str(date.today()), str(date.fromordinal(date.today().toordinal() - 1))}
    page.click("a:has-text('word:pills')")
    effects = page.locator("tbody tr").all_inner_texts()
    assert any("your pills, and dinner" in effect for effect in effects)
    page.click("a:has-text('your pills, and dinner')")
    assert page.locator(".called b").inner_text() == "ham"


def test_the_strongest_of_each_label(page: Any, still: Site) -> None:
    page.goto(f"{still.url}/words")
    lists = [page.locator(".ranks").nth(at).locator("a").all_inner_texts() for at in range(2)]
    spam = [clue.name for clue in still.live.ask(lambda own: own.words("spam", 20))]
    assert set(lists[0]) & set(spam)
    assert not set(lists[0]) & set(lists[1])
    page.select_option("#kind", "words")
    page.click("text=Search")
    page.wait_for_url("**kind=words**")
    names = page.locator(".ranks a").all_inner_texts()
    assert names
    assert all(name.startswith("word:") for name in names)


def test_unknown_words_are_told(page: Any, still: Site) -> None:
    page.goto(f"{still.url}/words?q=floccinaucinihilipilification")
    assert "No learned mail" in page.locator("main").inner_text()


def test_a_removal_is_the_verdict_on_the_mail_without_the_word(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db") as own:
        own.train_many([(f"cheap pills number{n}", "spam") for n in range(12)])
        own.train_many([(f"lunch at noon number{n}", "ham") for n in range(12)])
        token = Lexicon(own).find("word:pills")
        assert token is not None
        assert token.counts == {"spam": 12, "ham": 0}
        removal = Removal.of(own, "pills lunch", token.key)
        assert removal is not None
        with_it, without = own.judge("pills lunch"), own.judge("lunch")
        assert removal.probability == pytest.approx(with_it.probabilities["spam"])
        assert removal.change > 0
        assert without.probabilities["spam"] < removal.probability_without < with_it.probabilities["spam"], (
            "the windows of bytes that the word has left stay"
        )
        assert Removal.of(own, "lunch", token.key) is None


def test_a_removal_says_nothing_while_there_is_one_label(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db") as own:
        own.train_many([(f"cheap pills number{n}", "spam") for n in range(12)])
        token = Lexicon(own).find("word:pills")
        assert token is not None
        removal = Removal.of(own, "cheap pills", token.key)
        assert removal is not None
        assert removal.probability == removal.probability_without == own.judge("cheap pills").probabilities["spam"]


def test_quality_shows_figures_and_pictures(page: Any, still: Site) -> None:
    page.goto(f"{still.url}/quality")
    text = page.locator("main").inner_text()
    for words in ("74 ham, 61 spam learned", "accuracy", "ham loss", "spam missed", "(1−ROCA)%", "calibration error"):
        assert words in text
    assert page.locator("figure svg").count() == 3
    assert page.locator("figure rect.spam, figure rect.ham").count() >= 2
    assert page.locator("[style]").count() == 0, "the policy would refuse it"


def test_a_cold_start_is_told_in_words(page: Any, tmp_path: Path) -> None:
    site = Site(tmp_path / "cold.db")
    page.goto(f"{site.url}/quality")
    assert "Nothing learned yet" in page.locator("main").inner_text()
    for n in range(12):
        site.live.train(f"cheap pills {n}", "spam").result()
    for n in range(53):
        site.live.train(f"lunch at noon {n}", "ham").result()
    page.reload()
    assert "53 ham, 12 spam learned: still unsure about most" in page.locator("main").inner_text()
    page.goto(f"{site.url}/words")
    site.close()


def test_what_people_said_is_counted(page: Any, site: Site) -> None:
    for raw in fresh("spam"):
        site.live.judge(raw)
        site.live.train(raw, "spam").result()
    site.live.judge(b"Subject: nobody says what this is")
    page.goto(f"{site.url}/quality")
    told = len(fresh("spam"))
    assert f"Of the last {told + 1} judged mails, somebody named {told} later" in page.locator("main").inner_text()
