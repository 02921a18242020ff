"""Mails made to attack whoever looks at them: shown as text, nothing runs."""

from __future__ import annotations

from typing import Any

import pytest
from pages_site import Site

pytestmark = pytest.mark.slow
EVIL = b"""From: "<img src=x onerror=alert(1)>" <evil@example.net>
Subject: </title><script>alert(2)</script>\xe2\x80\xaegpj.exe
Content-Type: text/plain; charset=utf-8

<script>document.title = 'owned'</script>
<img src="https://evil.example/pixel.png" onerror="alert(3)">
{{ 7 * 7 }} {% raw %} javascript:alert(4) </textarea></form></div>
\xe2\x80\xaeabc\xe2\x80\xac \xe2\x80\x8bzero\x00width\x1b[31m
"""


def seen(page: Any, site: Site, raw: bytes) -> Any:
    """Opens a mail of the history, as whoever reviews would."""
    site.live.judge(raw)
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.goto(f"{site.url}/review")
    page.locator(".what a").first.click()
    page.wait_for_selector(".verdict")
    page.wait_for_load_state()
    return page


def test_script_is_text(page: Any, site: Site) -> None:
    shown = seen(page, site, EVIL)
    text = shown.locator(".text").inner_text()
    assert "<script>document.title = 'owned'</script>" in text
    assert "{{ 7 * 7 }} {% raw %}" in text
    assert shown.title() != "owned"
    assert shown.locator("main script, main img").count() == 0
    assert "<script>alert(2)</script>" in shown.locator(".fields").inner_text()


def test_what_hides_is_made_visible(page: Any, site: Site) -> None:
    shown = seen(page, site, EVIL)
    assert "\N{REPLACEMENT CHARACTER}gpj.exe" in shown.locator(".fields").inner_text()
    text = shown.locator(".text").inner_text()
    for sign in ("⟨U+202E⟩abc", "⟨U+200B⟩zero␀width", "␛[31m"):
        assert sign in text
    page.goto(f"{site.url}/review")
    assert "\N{REPLACEMENT CHARACTER}gpj.exe" in page.locator(".what a").first.inner_text()
    assert "\u202e" not in page.content()


def test_five_megabytes_on_one_line_are_cut_with_a_note(page: Any, site: Site) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    shown = seen(page, site, b"Subject: long\n\n" + b"pills" * 1_000_000)
    assert "4,980,000 more characters are judged, but not shown" in shown.locator(".cut").inner_text()
    assert len(shown.content()) < 200_000
    assert shown.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_names_without_end_do_not_break_the_page(page: Any, site: Site) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    raw = b"From: " + b"w" * 3000 + b"@example.net\nSubject: " + b"M" * 3000 + b"\n\n" + "z\u0300".encode() * 500
    shown = seen(page, site, raw)
    assert shown.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for path in ("/review", "/review?q=%3Cscript%3E", "/words?q=" + "W" * 300, "/words/token?name=%3Cimg%20src=x%3E"):
        if path.startswith("/words/token"):
            continue  # 404, which the console tells; test_security has it
        page.goto(site.url + path)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path


def test_a_pasted_attack_is_learned_and_shown_everywhere(page: Any, site: Site) -> None:
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.goto(site.url)
    page.fill("#text", EVIL.decode(errors="replace").replace("\x00", ""))
    page.click("text=Judge")
    page.locator(".outcome button").first.click()
    for path in ("/review", "/words?q=alert", "/quality", "/data"):
        page.goto(site.url + path)
        assert page.locator("main script, main img").count() == 0
