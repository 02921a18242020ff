"""Numbers by the cells of a grid: what no normal distribution can say."""

from __future__ import annotations

import math
from bisect import bisect_right
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from explained import adds_up_and_is_kept
from hypothesis import given, settings
from hypothesis import strategies as st

from bayleaf import RecordClassifier
from bayleaf.errors import BayleafError, MismatchError, NegativeCountError
from bayleaf.families.binned import Binned
from bayleaf.tally.bins import Bins, cells, least

NUMBERS = st.floats(-1e150, 1e150) | st.sampled_from([0.0, -0.0, 1.0, 1.0001, 5e-324]) | st.just(math.nan)
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS, st.integers(0, 2)), max_size=30)


def tally(rows: list[tuple[float, float, int]]) -> Bins:
    numbers = np.array([row[:2] for row in rows], dtype=np.float64).reshape(-1, 2)
    return Bins.zero(3, 2).learned(numbers, np.array([row[2] for row in rows], dtype=np.int64))


def same(one: Bins, other: Bins) -> bool:
    mine, theirs = one.arrays(), other.arrays()
    return all(np.array_equal(mine[name], theirs[name]) for name in mine)


@given(ROWS, ROWS, st.randoms())
def test_bins_add_up_in_any_order_and_are_taken_away(rows: Any, more: Any, random: Any) -> None:
    both = [*rows, *more]
    random.shuffle(both)
    assert same(tally(both), tally(rows).added(tally(more)))
    assert same(tally(both).added(tally(more), -1), tally(rows))


@given(st.lists(NUMBERS.filter(lambda x: x == x), max_size=40))
def test_cells_are_in_the_order_of_the_numbers(numbers: list[float]) -> None:
    ordered = np.sort(np.array(numbers, dtype=np.float64))
    codes = cells(ordered)
    assert (np.diff(codes) >= 0).all()
    assert (np.abs(least(codes)) <= np.abs(ordered)).all()
    assert (np.abs(least(codes)) >= np.abs(ordered) / (1 + 2**-10) - 1e-300).all()


@settings(max_examples=50)
@given(st.lists(st.tuples(st.floats(-9, 9), st.integers(0, 2)), min_size=1, max_size=40), st.integers(1, 8))
def test_groups_are_what_plain_counting_says(rows: list[tuple[float, int]], groups: int) -> None:
    numbers, classes = (np.array(column) for column in zip(*rows, strict=True))
    read = Binned.of(Bins.zero(3, 1).learned(numbers[:, None], classes), 0, groups)
    edges, width = read.edges.tolist(), len(read.edges) + 1
    assert width <= groups
    where = [bisect_right(edges, code) for code in cells(numbers).tolist()]
    own = read.loo(cells(numbers), classes)
    for i, (group, label) in enumerate(zip(where, classes.tolist(), strict=True)):
        for c in range(3):
            held = [g for j, (g, label_) in enumerate(zip(where, classes, strict=True)) if label_ == c]
            want = math.log((held.count(group) + 1) / (len(held) + width))
            assert read.scores(cells(numbers[i : i + 1]))[0, c] == pytest.approx(want)
            less = int(c == label)
            want = math.log((held.count(group) - less + 1) / (len(held) - less + width))
            assert own[i, c] == pytest.approx(want)


def test_a_number_that_is_common_is_a_group_of_its_own() -> None:
    numbers = np.array([0.0] * 60 + [1.5 + i for i in range(40)])
    read = Binned.of(Bins.zero(1, 1).learned(numbers[:, None], np.zeros(100, dtype=np.int64)), 0, 10)
    assert read.counts[0, 0] == 60
    assert read.counts[0, 1:].tolist() == [10] * 4
    assert read.names("x")[0] == "x below 1.5"
    np.testing.assert_array_equal(read.scores(cells(np.array([math.nan]))), [[0.0]])


def peaks(n: int, seed: int) -> tuple[dict[str, list[Any]], list[str]]:
    """Numbers of two peaks for one class, of four for the other: mean 0 and variance 1 both, so the same normal."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    far = np.where(labels == 0, 1.0, rng.choice([0.2, 1.4], n)) + rng.uniform(-0.1, 0.1, n)
    told = np.where(rng.random(n) < 0.05, 1 - labels, labels)
    columns = {"size": (rng.choice([-1.0, 1.0], n) * far).tolist(), "other": rng.normal(0, 1, n).tolist()}
    return columns, ["two" if c == 0 else "four" for c in told]


CLF = RecordClassifier().fit(*peaks(400, 0))


def test_numbers_of_any_shape_are_told_apart() -> None:
    columns, labels = peaks(500, 1)
    normal = RecordClassifier().fit(*peaks(400, 0))
    normal._parts.bins = None
    assert normal.retune().score(columns, labels) < 0.65
    assert CLF.score(columns, labels) > 0.9
    worth = CLF.chosen_["columns"]
    assert worth["other"] < worth["size"]
    told = {name.split()[1].split(".")[0] for name, _ in CLF.strongest()["four"]}
    assert told == {"-1", "-0", "0", "1"}, "each of the four peaks, by the whole part of its number"


def test_drawn_numbers_have_the_shape_of_those_learned() -> None:
    columns, labels = CLF.sample(2_000, random_state=0)
    size = np.abs(np.array(columns["size"]))
    between = (size > 0.35) & (size < 0.85) | (size > 1.15) & (size < 1.25)
    assert between.mean() < 0.02, "where no peak is, there are hardly any"
    near = {label: np.mean(size[labels == label] < 0.5) for label in ("two", "four")}
    assert near["two"] < 0.1
    assert near["four"] == pytest.approx(0.48, abs=0.06)


def test_drawn_numbers_are_as_plain_as_those_learned() -> None:
    rng = np.random.default_rng(0)
    old = rng.random(400) < 0.5
    ages = np.where(old, rng.choice([20, 60], 400), 40) + rng.integers(0, 9, 400)
    clf = RecordClassifier().fit({"age": ages.tolist()}, np.where(old, "either", "middle"))
    drawn = clf.sample(200, random_state=0)[0]["age"]
    assert set(drawn) <= set(ages.tolist())
    assert {type(age) for age in drawn} == {int}
    halves = RecordClassifier({"age": "number"}).fit({"age": [0.5, 1.0, 3.5, 4.0]}, ["a", "a", "b", "b"])
    assert set(halves.sample(50, random_state=0)[0]["age"]) == {0.5, 1.0, 3.5, 4.0}
    clf.unlearn({"age": ages.tolist()}, np.where(old, "either", "middle"))
    assert len(clf.sample(3, random_state=0)[0]["age"]) == 3


def test_explanations_add_up_and_files_keep_them(tmp_path: Path) -> None:
    columns, _ = peaks(20, 2)
    columns["size"][0] = None
    columns["size"][1] = 1e9
    again = adds_up_and_is_kept(CLF, columns, tmp_path)
    assert same(again._parts.bins, CLF._parts.bins)


def test_models_of_parts_are_the_model_of_all() -> None:
    columns, labels = peaks(120, 3)
    whole = RecordClassifier().fit(columns, labels)
    kinds = whole.columns_
    first, rest = (
        RecordClassifier(kinds).fit({name: cells_[part] for name, cells_ in columns.items()}, labels[part])
        for part in (slice(0, 50), slice(50, 120))
    )
    assert same((first + rest)._parts.bins, whole._parts.bins)
    assert same((whole - rest)._parts.bins, first._parts.bins)
    late = RecordClassifier(kinds).fit(columns, labels)
    late.partial_fit(columns, ["a new one"] * 120).unlearn(columns, ["a new one"] * 120)
    assert same(late._parts.bins, whole._parts.bins.regrouped(np.array([1, 2]), 3))


def test_a_number_that_was_never_learned_is_refused_and_nothing_changes() -> None:
    columns, labels = peaks(60, 4)
    clf = RecordClassifier().fit(columns, labels)
    before = clf.predict_proba(columns)
    with pytest.raises(NegativeCountError, match="never learned"):
        clf.unlearn({"size": [0.123456], "other": [columns["other"][0]]}, labels[:1])
    np.testing.assert_array_equal(clf.predict_proba(columns), before)


def test_a_model_of_before_has_no_bins_and_sums_with_it_neither(tmp_path: Path) -> None:
    columns, labels = peaks(80, 5)
    old = RecordClassifier().fit(columns, labels)
    old._parts.bins = None
    old.retune()
    old.save(tmp_path / "old")
    again = RecordClassifier.load(tmp_path / "old")
    np.testing.assert_array_equal(again.predict_proba(columns), old.predict_proba(columns))
    for total in (again + CLF, CLF + again):
        assert "bins" not in total.chosen_["worth"]
        total.save(tmp_path / "sum")
        assert np.isfinite(RecordClassifier.load(tmp_path / "sum").predict_proba(columns)).all()
    with pytest.raises(MismatchError, match="older version"):
        CLF - again
    with pytest.raises(BayleafError, match="columns"):
        CLF._parts.bins.added(Bins.zero(2, 3))


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("sizes", np.array(2)),
        ("sizes", np.array([3])),
        ("sizes", np.array([3, -1])),
        ("cells", np.array([5, 0])),
        ("cells", np.array([0, 1 << 50])),
        ("cells", np.array([0, np.iinfo(np.int64).min])),
        ("classes", np.array([0, 2])),
        ("classes", np.array([0, -1])),
        ("counts", np.array([1, -1])),
        ("counts", np.array([2, 1])),
        ("counts", np.array([1.0, 1.0])),
        ("counts", np.array([1])),
    ],
)
def test_bins_of_a_file_that_no_records_leave_are_refused(name: str, array: Any) -> None:
    good = {"sizes": np.array([2]), "cells": np.array([0, 5]), "classes": np.array([0, 1]), "counts": np.array([1, 1])}
    n = np.ones((2, 1))
    assert same(Bins.restored(good, n), Bins.restored(good, n))
    with pytest.raises(BayleafError, match="Found"):
        Bins.restored(good | {name: array}, n)


def test_classes_find_their_places() -> None:
    seen = Bins.zero(2, 1).learned(np.array([[1.0], [3.0], [3.0]]), np.array([0, 0, 1]))
    for places, k in ([1, 0], 2), ([0, 2], 3):
        found = seen.regrouped(np.array(places), k)
        again = Bins.zero(k, 1).learned(np.array([[1.0], [3.0], [3.0]]), np.array(places)[[0, 0, 1]])
        assert same(found, again)
        assert found.k == k


@pytest.mark.parametrize(("k", "d"), [(2**20 + 1, 1), (1, 2**21 + 1)])
def test_more_than_keys_have_room_for_is_refused(k: int, d: int) -> None:
    with pytest.raises(BayleafError, match="expected at most 1048576 and 2097152"):
        Bins.zero(k, d)


def test_whole_numbers_as_they_occur_have_a_cell_each() -> None:
    years = np.arange(-2047.0, 2048.0)
    assert len(np.unique(cells(years))) == len(years)
