"""Tables of evidence that somebody made by hand."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from bayleaf import TextClassifier
from bayleaf.errors import BayleafError
from bayleaf.families.evidence import EvidenceTable

TEXTS = ["win money now", "cheap money offer", "lunch at noon?", "see you at lunch"]
LABELS = ["spam", "spam", "ham", "ham"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"temperature": -1.0}, "temperature of 1e-06 at least"),
        ({"temperature": 1e-7}, "temperature of 1e-06 at least"),
        ({"floor": 1.5}, "floor from 0"),
        ({"scale": float("nan")}, "Found nan .* finite numbers"),
        ({"scale": 1e7}, "Found 10000000.0 .* finite numbers, of 1,000,000 at most"),
        ({"scale": 10**400}, "Found 10000.* finite numbers"),
        ({"offsets": (0.0, -1e300)}, "Found -1e\\+300 .* finite numbers"),
        ({"power": -50.0}, "power of 10 at most"),
        ({"offsets": ("a", "b")}, "Found 'a' .* finite numbers"),
        ({"mix": (0.1, 0.1)}, "Found 2 numbers that mix 2 classes, expected their square"),
        ({"mix": (0.1, 0.1, float("inf"), 0.1)}, "Found inf .* finite numbers"),
        ({"common": (7,), "leanings": (0.1,)}, "Found 1 leanings of 1 words towards 2 classes, expected one for each"),
        ({"common": (7,), "leanings": (0.1, float("nan"))}, "Found nan .* finite numbers"),
        ({"common": (1 << 64,), "leanings": (0.1, 0.1)}, "Found the key 18446744073709551616 .* 64 bits"),
    ],
)
def test_a_table_by_hand_makes_sense(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(BayleafError, match=words):
        dataclasses.replace(EvidenceTable.start((1, 2), 2), **wrong)


def test_textbook_families_read_no_table() -> None:
    """It was passed over, and with it the choice of a temperature."""
    table = TextClassifier().fit(TEXTS, LABELS).table_
    with pytest.raises(BayleafError, match="evidence table with family='multinomial', expected table='auto'"):
        TextClassifier(family="multinomial", table=table).fit(TEXTS, LABELS)


def test_a_table_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(BayleafError, match="Found 1 weights, expected 185"):
        EvidenceTable((1, 2), (1.0,), 1.0, 0.5, 1.0, (0.0, 0.0), 1.0, 0.01)
