"""The report in a real browser: by day and by night, on a desk and on a telephone."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile_report import write

from bayleaf.evaluate.scores import measure
from bayleaf.report import write_report

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("report") / "report.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_the_report_is_seen(browser: Any, report: Path, scheme: str, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from PIL import Image

    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    told: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report.as_uri())

    assert told == [], "errors, among them whatever the page's own policy refused"
    assert asked == [report.as_uri()], "nothing but the page itself is loaded"
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "no sideways scrolling"
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = sum(int(part) for part in paper.strip("rgb()").split(",")) > 384
    assert light == (scheme == "light")
    figures = page.query_selector_all("figure svg")
    assert len(figures) == 4
    for figure in figures:
        box = figure.bounding_box()
        assert box["width"] > 250
        assert box["x"] + box["width"] <= width
        pixels = np.asarray(Image.open(io.BytesIO(figure.screenshot())).convert("L"), dtype=float)
        assert (np.abs(pixels - np.median(pixels)) > 60).mean() > 0.005, "something is drawn that stands out"
    assert page.evaluate(SMALLEST) >= 4.5, "text stands out from what is behind it"
    faults = [fault for fault in Axe().run(page).response["violations"] if fault["impact"] in ("serious", "critical")]
    assert faults == []
    context.close()


def test_a_long_name_leaves_room_for_the_numbers_beside_it(browser: Any, tmp_path: Path) -> None:
    labels = ["a very long name that somebody made up because they could", "W" * 80, "ham"]
    scores = measure(labels, labels * 4, np.log(np.full((12, 3), 1 / 3)))
    report = write_report(tmp_path / "report.html", title="Long names", scores=scores)
    page = browser.new_page(viewport={"width": 1200, "height": 800})
    page.goto(report.as_uri())
    assert page.eval_on_selector("#classes .scroll", "box => box.scrollWidth <= box.clientWidth")
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.locator("#classes tbody th").first.bounding_box()["width"] < 160
    page.close()


def test_a_weight_stands_in_one_line_beside_a_long_token(browser: Any, tmp_path: Path) -> None:
    scores = measure(["ham", "spam"], ["ham", "spam"], np.log([[0.9, 0.1], [0.2, 0.8]]))
    strongest = {label: [("word " * 7 + "end", 0.39), ("w" * 40, 12.34), ("short", 0.5)] for label in ("ham", "spam")}
    report = write_report(tmp_path / "report.html", title="Tokens", scores=scores, strongest=strongest)
    page = browser.new_page(viewport={"width": 320, "height": 800})
    page.goto(report.as_uri())
    assert page.evaluate(LINES) == [1] * 6
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.close()


# How many lines each weight takes.
LINES = """() => [...document.querySelectorAll('.tokens small')].map(weight => {
  const text = document.createRange(); text.selectNodeContents(weight); return text.getClientRects().length })"""

# The lowest contrast (WCAG 2) of any text against the paper; dots of a legend and shaded cells are no text on paper.
SMALLEST = """() => {
  const light = css => { const c = css.match(/[\\d.]+/g).map(Number).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }
  const paper = light(getComputedStyle(document.querySelector('#charts')).backgroundColor)
  return Math.min(...[...document.querySelectorAll('figure svg text, td, th, dd, dt, p, small, figcaption')]
    .filter(text => text.textContent.trim() !== '●' && !text.closest('.matrix')).map(text => {
    const style = getComputedStyle(text), ink = light(text.closest('svg') ? style.fill : style.color)
    return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05) }))
}"""
