"""Labels as people choose them: named like something of ours, long, many, and without spam among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from daemon import until
from pages_site import PLACES, Site, sound

from bayleaf.mail import Filter
from bayleaf.mail.policy import Policy

OURS = ("take_back", "named", "learned", "known")


@contextmanager
def labelled(path: Path, labels: tuple[str, ...], each: int = 12) -> Iterator[Site]:
    """A site with these labels, each taught some mails that begin with its number."""
    with Filter.open(path, labels=labels) as own:
        own.train_many([(mail(at, n), label) for n in range(each) for at, label in enumerate(labels)])
    site = Site(path)
    try:
        yield site
    finally:
        site.close()


def mail(at: int, n: int) -> bytes:
    return b"Subject: topic%d\n\ntopic%d about%d number%d" % (at, at, at, n)


@contextmanager
def asking(site: Site) -> Iterator[tuple[httpx.Client, dict[str, str]]]:
    """A client, and the field that every form needs."""
    with httpx.Client(base_url=site.url, follow_redirects=True) as client:
        found = re.search(r'name="csrf" value="(\w+)"', client.get("/data").text)
        assert found is not None
        yield client, {"csrf": found[1]}


@pytest.mark.parametrize("label", OURS)
def test_a_label_is_not_taken_for_a_choice_of_the_page_data(tmp_path: Path, label: str) -> None:
    with labelled(tmp_path / "m.db", OURS) as site, asking(site) as (client, csrf):
        choices = re.findall(r'<option value="([^"]*)"', client.get("/data").text)
        assert len(set(choices)) == len(OURS) + 2
        files = {"file": ("box.mbox", mail(7, 7))}
        client.post("/data/learn", data={**csrf, "label": label}, files=files)

        def learned() -> None:
            assert "1 of 1, 1 learned" in client.get("/data/jobs").text

        until(learned, AssertionError)
        assert site.live.known(mail(7, 7)) == label


@pytest.mark.slow
@pytest.mark.parametrize("width", [1200, 390])
def test_fifty_long_labels(browser: Any, tmp_path: Path, width: int) -> None:
    labels = tuple(f"{'W' * 20}-{n}" for n in range(50))
    page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
    with labelled(tmp_path / "m.db", labels) as site:
        for at in range(50):
            site.live.judge(mail(at, 99))
        site.live.train(mail(7, 99), labels[8]).result()
        for place in (*PLACES, "/words?q=topic7"):
            page.goto(site.url + place)
            sound(page, "light")
        assert page.locator("tbody th").first.bounding_box()["width"] > 100, "a word is not written downwards"
        page.goto(f"{site.url}/review?q=topic9")
        assert page.locator(".sticky").bounding_box()["height"] < 200, "it stays while the mails go by"
        page.locator(".mails input").first.check()
        page.select_option("form select[name=label] >> nth=1", labels[3])
        page.click("text=Learn")
        assert site.live.known(mail(9, 99)) == labels[3]
        page.click(".what a")
        sound(page, "light")
        page.locator(".outcome button").first.click()
        page.wait_for_selector(".changed")
        sound(page, "light")
    page.context.close()


def test_what_there_is_no_spam_of_is_not_measured(tmp_path: Path) -> None:
    with labelled(tmp_path / "m.db", ("work", "private", "news"), 20) as site, asking(site) as (client, _):
        site.live.judge(mail(0, 99))
        page = client.get("/quality").text.partition("<main")[2]
    assert "probability of work it gave" in page
    assert re.search(r"40 not work,\s+20 work", page)
    assert 'class="key">other labels' in page
    for words in ("ham loss", "spam missed", "not spam", "were spam"):
        assert words not in page


def test_the_scale_is_that_of_the_verdict(still: Site) -> None:
    """A mail that is unsure does not stand in the part for spam."""
    with asking(still) as (client, csrf):
        page = client.post("/try", data={**csrf, "text": "who knows"}).text
    least = Policy().slack("spam", 61), Policy().slack("ham", 61)
    assert f'class="spam" x="{100 - 100 * least[0]:.2f}" width="{100 * least[0]:.2f}"' in page
    assert f'class="ham" width="{100 * least[1]:.2f}"' in page
    assert least[0] < 0.05 < least[1] < 0.1


def test_the_longest_bar_is_that_of_the_largest_weight(still: Site) -> None:
    with asking(still) as (client, _):
        lists = re.findall(r'<ol class="ranks">(.*?)</ol>', client.get("/words").text, re.DOTALL)
    for found in lists:
        widths = [float(width) for width in re.findall(r'width="([\d.]+)"', found)]
        weights = [float(weight) for weight in re.findall(r"<small>\+([\d.]+)</small>", found)]
        assert widths == pytest.approx([100 * weight / max(weights) for weight in weights], abs=1)
