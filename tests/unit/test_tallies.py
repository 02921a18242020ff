"""The tallies beneath: what they refuse, and that they are then as they were before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bayleaf import BayleafError, Counts, KeyedCounts, MismatchError, Moments, TextClassifier
from bayleaf.encoders.text import TextEncoder

KEYS = TextEncoder.preset("small").keys
FIELDS = ([""], [["free offer", "lunch"]])


def learned() -> KeyedCounts:
    seen = KeyedCounts(KEYS, 2, "count")
    seen.learn(FIELDS, np.array([1, 0]))
    return seen


@pytest.mark.parametrize("codes", [[0, 2], [-1, 0], [65_536, 0], [0], [0, 1, 1], [[0, 1]]])
@pytest.mark.parametrize("sign", [1, -1])
def test_class_numbers_that_fit_no_class_or_no_text(codes: list[Any], sign: int) -> None:
    seen = learned()
    with pytest.raises(MismatchError, match="class number"):
        seen.learn(FIELDS, np.array(codes), sign)
    assert seen == learned()


def test_classes_are_numbered_in_16_bits() -> None:
    with pytest.raises(BayleafError, match="at most 65535"):
        KeyedCounts(KEYS, 65_536, "count")


@pytest.mark.parametrize("tally", [Counts.zero(2, 2), Moments.zero(2, 2), learned()], ids=lambda t: type(t).__name__)
def test_tallies_add_their_own_kind_only(tally: Any) -> None:
    for other in (3, None, Counts.zero(2, 2) if not isinstance(tally, Counts) else Moments.zero(2, 2)):
        with pytest.raises(TypeError, match="unsupported operand"):
            tally + other
        with pytest.raises(TypeError, match="unsupported operand"):
            tally - other


def test_a_text_classifier_merges_with_its_kind_only() -> None:
    clf = TextClassifier().fit(["free offer", "lunch"], ["spam", "ham"])
    for other in (3, None, Counts.zero(2, 2)):
        with pytest.raises(MismatchError, match="expected a TextClassifier"):
            clf.merge(other)
