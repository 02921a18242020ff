"""The numbers on the pages: sums, shares and counts that a person would believe. Without a browser."""

from __future__ import annotations

from datetime import date

import httpx
import pytest
from pages_site import Site, fresh

from bayleaf.demo.samples import LABELS
from bayleaf.mail import Filter
from bayleaf.service.pages.figures import WINDOW, Figures, _course, widened
from bayleaf.service.pages.quality import EPOCH, volume
from bayleaf.service.pages.sums import Sums


@pytest.mark.parametrize("label", ["spam", "ham"])
def test_the_clues_add_up_to_the_log_odds_of_spam_whatever_the_mail_is(still: Site, label: str) -> None:
    for raw in fresh(label):
        verdict = still.live.ask(lambda own, raw=raw: own.judge(raw))
        sums = Sums.of(verdict)
        assert (sums.target, sums.total) == ("spam", verdict.scores["spam"])
        assert sum(row.value for row in sums.rows) == pytest.approx(sums.total)
        assert (sums.total > 0) == (verdict.best == "spam")


@pytest.mark.parametrize(("texts", "share"), [(("cheap pills", "lunch at noon"), 1.0), (("so", "so"), 0.0)])
def test_accuracy_is_the_share_of_right_answers(texts: tuple[str, str], share: float) -> None:
    """Of mails that all say the same, those left are one more of the other label: every answer is wrong."""
    with Filter.open(":memory:") as own:
        own.train_many([(f"{texts[n % 2]} {n}", LABELS[n % 2]) for n in range(80)])
        found = Figures.of(own)
    assert (found.accuracy, found.right) == (share, share)


def test_inputs_from_before_a_label_came_say_nothing_about_it() -> None:
    rows = [(2.0 * at, 2.0 * at + 1) for at in range(8)]
    before = tuple(value for row in rows for value in row)
    assert widened(before, 3) == [value for row in rows for value in (*row, 0.0)]
    assert widened(before, 2) == [*before]


def test_the_course_goes_from_the_first_mails_to_the_last() -> None:
    course = _course([False] * 60 + [True] * WINDOW)
    assert course[-1] == (60 + WINDOW, 1.0)
    assert [end for end, _ in course] == sorted(end for end, _ in course)
    assert course[0][1] == 0.0


def test_labels_that_share_a_shade_share_a_bar() -> None:
    today = (date.today() - EPOCH).days
    assert volume([(today, "work", 2), (today, "news", 3), (today, "spam", 1)])[-1].mails == {"other": 5, "spam": 1}


def test_what_people_said_is_told_as_it_was(site: Site) -> None:
    for raw, label in [(raw, "spam") for raw in (*fresh("spam"), *fresh("ham"))]:
        site.live.judge(raw)
        site.live.train(raw, label).result()
    told = [mail.label for mail in site.history.find(limit=100)]
    right, doubt = told.count("spam"), told.count("unsure")
    assert len({right, doubt, len(told) - right - doubt}) == 3, "or the next line would not tell them apart"
    words = f"{right} had been called the same, {doubt} unsure and {len(told) - right - doubt} something else"
    assert words in httpx.get(f"{site.url}/quality").text
