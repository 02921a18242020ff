"""The tallies beneath: what they refuse, and that they are then as they were before."""

from __future__ import annotations

import pickle
from operator import add, sub
from typing import Any

import numpy as np
import pytest

from bayleaf import BayleafError, Counts, KeyedCounts, MismatchError, Moments, TextClassifier
from bayleaf.arrays import Ints
from bayleaf.encoders.text import TextEncoder
from bayleaf.rows import Rows

ENCODER = TextEncoder.preset("small")
FIELDS = ([""], [["free offer", "lunch"]])


def learned() -> KeyedCounts:
    seen = KeyedCounts(ENCODER, 2, "count")
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
        KeyedCounts(ENCODER, 65_536, "count")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (KeyedCounts(TextEncoder.preset("small", seed=7), 2, "count"), r"differ in encoder\.seed;"),
        (KeyedCounts(TextEncoder.preset("words"), 2, "count"), r"differ in encoder\.pattern, encoder\.unspaced;"),
        (KeyedCounts(TextEncoder.preset("small", stop_words="en"), 2, "count"), r"differ in encoder\.stop_words;"),
        (KeyedCounts(ENCODER, 2, "presence"), "differ in lift;"),
        (KeyedCounts(ENCODER, 2, "count", buckets=16), "differ in buckets;"),
        (KeyedCounts(ENCODER, 3, "count"), "differ in k;"),
    ],
)
def test_counts_that_were_counted_otherwise_do_not_add_up(other: KeyedCounts, said: str) -> None:
    for operation in (add, sub):
        for mine, theirs in ((learned(), other), (other, learned())):
            with pytest.raises(MismatchError, match=said):
                operation(mine, theirs)


def test_counts_of_equal_encoders_add_up() -> None:
    twin = KeyedCounts(pickle.loads(pickle.dumps(ENCODER)), 2, "count", named=False)
    twin.learn(FIELDS, np.array([1, 0]))
    assert (learned() + twin) - learned() == learned()
    with pytest.raises(MismatchError, match=r"differ in encoder\.seed;"):
        learned().regrouped([0, 1], 2) + KeyedCounts(TextEncoder.preset("small", seed=7), 2, "count")


PAIRS = KeyedCounts(TextEncoder(), 2, "count")
PAIRS.learn(FIELDS, np.array([1, 0]))


@pytest.mark.parametrize(
    ("name", "numbers", "said"),
    [
        ("orders", np.array([2, 2, 1, 1], np.uint8), r"Found the key [0-9a-f]{16} for n-grams of two lengths, "),
        ("counts", np.array([(1 << 61) - 3, 1, 1, 1]), r"Found counts that add up to more than 2\^61, expected fewer"),
    ],
)
def test_counts_of_a_changed_file_are_not_added(name: str, numbers: Ints, said: str) -> None:
    other = KeyedCounts(PAIRS.encoder, 2, "count")
    other.fill({**PAIRS.arrays(), name: numbers})
    for mine, theirs in ((PAIRS, other), (other, PAIRS)):
        with pytest.raises(MismatchError, match=said):
            mine + theirs


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


@pytest.mark.parametrize("tally", [Counts, Moments])
def test_tallies_scale_from_both_sides(tally: Any) -> None:
    one = tally.zero(1, 2)
    one.learn(Rows.of(np.array([[1.0, 3.0]])), np.array([0]))
    assert 2 * one == one * 2 == one + one
    assert np.float64(0.5) * (one + one) == one
