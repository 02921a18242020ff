"""What the README and the docs say of speed and accuracy stands in a table of benchmarks/results, figure by figure."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
NUMBER = r"(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred|thousand)"
RATIO = re.compile(
    rf"{NUMBER}(?: to {NUMBER})? ?(?:%|percent\b|times\b|x\b|×|(?:[mµun]s|[MG]B/s)\b|\w+ (?:a|per) second\b)"
    rf"|{NUMBER}[- ]?fold (?:as|the|\w+er)\b|factor of {NUMBER}|orders? of magnitude"
    r"|\b(?:twice|half|a third|a quarter|a tenth) (?:as|of|the)\b",
    re.IGNORECASE,
)


def claims() -> ModuleType:
    spec = importlib.util.spec_from_file_location("claims", ROOT / "docs" / "claims.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CLAIMS = claims()


def bare(page: str) -> str:
    """The prose, without what is marked as a claim and without code."""
    return FENCE.sub("", CLAIMS.CLAIM.sub("", page))


@pytest.mark.parametrize("path", CLAIMS.PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_claims_are_what_the_newest_tables_say(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert CLAIMS.filled(page, path) == page, f"{path.name}: run make examples"


def test_the_pictures_are_those_of_the_newest_tables() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    kinds = [kind for _, kind, _ in CLAIMS.BARS.findall(page)]
    assert len(kinds) >= 6
    for kind in kinds:
        assert CLAIMS.picture(kind).read_text() == CLAIMS.runs(kind)[0].with_suffix(".svg").read_text(), kind


def test_the_readme_says_how_much_faster_and_better_only_in_claims() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(CLAIMS.CLAIM.findall(page)) >= 10
    assert RATIO.findall(bare(page)) == []


@pytest.mark.parametrize(
    "text",
    [
        *("17 times as fast", "2.5x", "8 to 20 times", "a third of its error", "88 % right", "ten times"),
        *("20-fold faster", "quicker by a factor of 20", "an order of magnitude less", "30 percent fewer errors"),
        *("1,700 mails a second", "26 µs each", "9 MB/s"),
    ],
)
def test_a_ratio_outside_a_claim_is_seen(text: str) -> None:
    assert RATIO.search(bare(f"It is {text}."))
    assert not RATIO.search(bare(f"It is <!-- claim: a.b .0f -->{text}<!-- /claim -->."))


def test_a_claim_without_a_table_is_refused() -> None:
    for claim in ("nothing.at.all", "estimators.gaussian.dreamt"):
        with pytest.raises(CLAIMS.NoTableError, match="run its benchmark"):
            CLAIMS.filled(f"<!-- claim: {claim} .0f -->1<!-- /claim -->", ROOT / "README.md")


def test_a_claim_that_differs_is_written_anew() -> None:
    spot = "<!-- claim: estimators.gaussian.fit .0f -->1000<!-- /claim --> times"
    assert CLAIMS.filled(spot, ROOT / "README.md") != spot


def test_every_table_has_its_numbers_and_every_picture_is_legible_anywhere() -> None:
    for path in sorted(CLAIMS.RESULTS.glob("*.json")):
        assert path.with_suffix(".md").exists(), path
    for path in sorted(CLAIMS.RESULTS.glob("*.svg")):
        drawing = path.read_text(encoding="utf-8")
        assert "<title>" in drawing, path
        assert not re.search(r'"(?:#000|#fff|black|white)', drawing), path
