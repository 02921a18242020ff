"""By day and by night, on a desk and on a telephone, and for those who use other senses."""

from __future__ import annotations

from typing import Any

import pytest
from pages_site import PLACES, Site, fresh, sound

pytestmark = pytest.mark.slow


def verdict(page: Any, site: Site) -> None:
    page.goto(site.url)
    page.fill("#text", fresh("spam")[0].decode())
    page.click("text=Judge")
    page.wait_for_selector(".verdict")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_every_page(browser: Any, still: Site, scheme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    for place in PLACES:
        page.goto(still.url + place)
        sound(page, scheme)
    verdict(page, still)
    sound(page, scheme)
    page.locator("button[name=label]").first.click()
    sound(page, scheme)
    page.click("text=Take it back")
    sound(page, scheme)
    assert told == []
    context.close()


def test_the_login(browser: Any, guarded: tuple[Site, dict[str, str]]) -> None:
    site, secrets = guarded
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(f"{site.url}/quality")
    sound(page, "light")
    page.wait_for_selector("#token:focus")
    page.keyboard.insert_text("guess")
    page.click("button")
    assert "not known here" in page.locator("[role=alert]").inner_text()
    sound(page, "light")
    page.fill("#token", secrets["train"])
    page.click("button")
    sound(page, "light")
    page.click("text=Log out")
    assert page.url.endswith("/login")
    context.close()


def test_every_way_through_the_bar_on_top(browser: Any, still: Site) -> None:
    page = browser.new_page()
    page.goto(still.url)
    for name in ("Review", "Words", "Quality", "Data", "Try"):
        page.click(f"nav >> text={name}")
        assert page.locator("nav [aria-current]").inner_text() == name
    page.click(".brand")
    page.keyboard.press("Tab")
    page.close()
