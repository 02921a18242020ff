"""The report says what was measured, holds nothing foreign, and shows hostile text harmlessly."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hostile_report import EVIL, write

from bayleaf import BernoulliNB, GaussianNB, TextClassifier, plot
from bayleaf.evaluate.scores import measure
from bayleaf.explanation import Clue, Explanation
from bayleaf.report import Mistake, write_plots, write_report

VOID = {"meta", "br", "use", "path", "rect"}


class Page(HTMLParser):
    """Collects tags, identities, references and the text of a page; complains about tags that do not match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        given = dict(attrs)
        self.ids += [given["id"]] if given.get("id") else []
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "xlink:href", "action", "data")]
        assert not any(name.startswith("on") for name in given)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write(tmp_path_factory.mktemp("report") / "report.html").read_text(encoding="utf-8")


def test_the_page_is_whole_and_needs_nothing_from_elsewhere(html: str) -> None:
    page = Page(html)
    assert not page.tags.keys() & {"script", "iframe", "object", "embed", "link", "img", "form", "base"}
    assert page.tags["svg"] == 4
    assert page.links, "the pictures refer to their own parts"
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids)), "identities are unique in the page"
    assert set(re.findall(r"url\(#([^)]*)\)", html)) <= set(page.ids)
    assert not re.search(r"url\((?!#)|@import|https?://(?!www\.w3\.org/)", html)
    assert "default-src 'none'" in html


def test_hostile_text_is_text(html: str) -> None:
    assert EVIL not in html
    assert "&lt;script&gt;" in html
    assert "\u202e" not in html
    assert "⟨U+202E⟩" in html
    assert "\x07" not in html
    assert "<b>ham</b>" not in html


def test_everything_is_told(html: str) -> None:
    words = " ".join(Page(html).words)
    for part in ("Right on", "Confusion matrix", "ROC curve", "Precision and recall", "Reliability", "Learning curve"):
        assert part in words
    for part in ("Strongest evidence", "Worst mistakes", "The arithmetic", "which the model never learned", "$x ${y}"):
        assert part in words
    assert html.count('class="mistake"') == 5
    assert "95% intervals" in words
    assert "what each adds where it is found" in words, "or bars that are not in order look like a mistake"


def test_colours_are_those_of_the_page(html: str) -> None:
    svg = "".join(re.findall(r"<svg.*?</svg>", html, re.DOTALL))
    assert not re.findall(r"#[0-9a-f]{6}", svg)
    assert "var(--c0)" in svg
    assert "DejaVu" not in svg
    for name in set(re.findall(r"var\(--(\w+)\)", html)):
        assert len(re.findall(rf"--{name}:", html)) == 2, f"{name} is defined for day and night"


def test_equal_input_gives_equal_pages_and_no_half_file(tmp_path: Path) -> None:
    one, two = write(tmp_path / "a.html"), write(tmp_path / "b.html")
    assert one.read_bytes() == two.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.html", "b.html"]
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "no such folder" / "a.html")


def test_a_report_of_the_bare_minimum(tmp_path: Path) -> None:
    """One row, one class: no curve can be drawn and nothing else is given."""
    scores = measure(["only"], ["only"], [[0.0]])
    page = Page(write_report(tmp_path / "r.html", title="t", scores=scores).read_text(encoding="utf-8"))
    assert page.tags["svg"] == 1
    assert "mistakes" not in page.ids


def test_signs_that_no_xml_may_hold_are_written_as_codes(tmp_path: Path) -> None:
    scores = measure(["a\uffff", "\ufffeb"], ["a\uffff", "\ufffeb"], np.log([[0.6, 0.4], [0.7, 0.3]]))
    html = write_report(tmp_path / "r.html", title="t\uffff", scores=scores).read_text(encoding="utf-8")
    assert "⟨U+FFFE⟩b: AUC" in "".join(Page(html).words)
    assert not {"\ufffe", "\uffff"} & set(html)


def test_of_many_classes_the_frequent_mistakes_are_listed(tmp_path: Path) -> None:
    k, n = 60, 600
    rng = np.random.default_rng(0)
    logs = rng.normal(size=(n, k))
    scores = measure(range(k), rng.integers(0, 5, n), logs - np.log(np.exp(logs).sum(axis=1, keepdims=True)))
    text = write_report(tmp_path / "r.html", title="t", scores=scores).read_text(encoding="utf-8")
    assert "The 20 most frequent mistakes" in text
    assert 'class="matrix"' not in text


def test_of_many_classes_without_a_mistake_no_table_is_shown(tmp_path: Path) -> None:
    scores = measure(range(40), range(40), np.log(np.eye(40) * 0.9 + 0.1 / 40))
    text = write_report(tmp_path / "r.html", title="t", scores=scores).read_text(encoding="utf-8")
    assert "No mistakes: every row got its own label." in text
    assert "most frequent mistakes" not in text


def test_tokens_that_speak_against_a_class_are_not_its_evidence(tmp_path: Path) -> None:
    """A model that knows few tokens ranks them all."""
    texts = TextClassifier().fit(["win cash", "lunch you"], ["spam", "ham"])
    strongest = texts.top_tokens(20)
    assert any(weight < 0 for _, weight in strongest["ham"])
    scores = measure(["ham"], ["ham"], [[0.0]])
    text = write_report(tmp_path / "r.html", title="t", scores=scores, strongest=strongest).read_text(encoding="utf-8")
    assert "win" not in text.partition("<h3><bdi>ham</bdi></h3>")[2].partition("</ol>")[0]
    shown = [t.get_text() for t in plot.tokens(texts, count=20).texts]
    assert (shown.count("win"), shown.count("lunch")) == (1, 1)


def test_marks_shade_tokens_where_they_stand() -> None:
    labels = np.array(["ham", "spam"])
    clues = [
        Clue("win", 2, np.array([0.0, 4.0]), ((0, 3), (9, 12))),
        Clue("lunch", 1, np.array([2.0, 0.0]), ((4, 9),)),
        Clue("nowhere", 1, np.array([9.0, 0.0])),
    ]
    why = Explanation(labels, np.zeros(2), clues, np.zeros(2), np.array([0.0, 1.0]), np.array([0.3, 0.7]), "spam")
    mistake = Mistake("1", "ham", why, "win lunch<in")
    assert mistake.marked("win lunch<in", clues) == (
        '<mark class="for4">win</mark> <mark class="against4">lunch</mark><mark class="for4">&lt;in</mark>'
    )
    assert mistake.odds(clues[0].summands) == 4
    assert "<mark" not in mistake.marked("text", [])
    assert len(mistake.marked("x" * 5000, [])) == 1501


def test_fields_are_marked_each_by_its_own_clues() -> None:
    data = {"subject": ["win money", "see lunch", "win win"], "body": ["buy now", "at noon", "now"]}
    clf = TextClassifier().fit(data, ["s", "h", "s"])
    fields = {"subject": "win lunch", "body": "now win"}
    html = Mistake("7", "h", clf.explain(fields), fields).html()
    assert re.search(r"<bdi>subject</bdi></b> <mark class=\"\w+\">win</mark> <mark class=\"\w+\">lunch</mark>", html)
    assert re.search(r"<bdi>body</bdi></b> <mark class=\"\w+\">now</mark> win", html)


def test_the_arithmetic_adds_up_and_the_impossible_is_called_so() -> None:
    why = BernoulliNB(alpha=0).fit([[1, 0], [1, 1], [0, 1]], ["a", "a", "b"]).explain([[1, 0]])[0]
    html = Mistake("1", "b", why).html()
    assert "impossible" in html
    assert "nan" not in html.lower()
    rng = np.random.default_rng(0)
    nb = GaussianNB().fit(rng.normal(size=(40, 20)), np.arange(40) % 2)
    one = Mistake("1", "never learned", nb.explain(rng.normal(size=(1, 20)))[0])
    steps = re.findall(r'<td class="\w+">([+−][\d.]+)</td>', one.html())
    *parts, total = [float(step.replace("−", "-")) for step in steps]
    assert len(parts) == 10  # prior, eight columns, the others
    assert sum(parts) == pytest.approx(total, abs=0.06)


def test_plots_are_written_as_png_and_svg(tmp_path: Path) -> None:
    scores = measure(["a", "b"], ["a", "b", "b"], np.log([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]))
    files = write_plots(tmp_path / "new" / "plots", scores=scores, strongest={"a": [("日本", 1.0)], "b": [("x", 2.0)]})
    names = {"roc", "precision_recall", "reliability", "confusion", "tokens"}
    assert {f.name for f in files} == {f"{name}.{form}" for name in names for form in ("png", "svg")}
    for file in files:
        head = file.read_bytes()[:300]
        assert head.startswith(b"\x89PNG") if file.suffix == ".png" else b"<svg" in head
