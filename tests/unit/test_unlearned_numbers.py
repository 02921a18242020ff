"""Numbers taken back: all that were learned can be, and no others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import bayleaf
from bayleaf import GaussianNB, MixedNB, NegativeCountError


@pytest.mark.parametrize("seed", range(20))
def test_learned_rows_can_be_unlearned_one_by_one_down_to_none(seed: int) -> None:
    rows = np.random.default_rng(seed).normal(size=(30, 2))
    nb = GaussianNB().fit(rows, np.zeros(30))
    for row in np.random.default_rng(seed).permutation(30):
        nb.unlearn(rows[row : row + 1], [0])
    assert nb.class_count_.tolist() == [0]
    assert nb.partial_fit(rows, np.zeros(30)).theta_ == pytest.approx(rows.mean(axis=0)[None])


def test_a_number_that_cannot_have_been_learned_is_not_unlearned() -> None:
    rows, labels = [[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [7.0, 1.0], [8.0, 2.0]], [0, 0, 0, 1, 1]
    nb = GaussianNB().fit(rows, labels)
    before = nb.theta_.copy(), nb.var_.copy()
    for strange, column in (([999.0, 5.0], 0), ([2.0, 6.0], 1)):
        with pytest.raises(NegativeCountError, match=rf"class number 0, column {column}"):
            nb.unlearn([strange], [0])
    with pytest.raises(NegativeCountError):
        nb - GaussianNB().fit([[999.0, 5.0], [7.0, 1.0]], [0, 1])
    np.testing.assert_array_equal((nb.theta_, nb.var_), before)


@pytest.mark.parametrize("others", [[[5.5], [6.5]], [[5.0], [8.0]], [[5.0], [7.01]]])
def test_where_none_are_left_it_must_have_been_the_rows_that_were_learned(others: list[list[float]]) -> None:
    nb = GaussianNB().fit([[5.0], [7.0], [11.0]], [0, 0, 1])
    with pytest.raises(NegativeCountError, match="class number 0, column 0"):
        nb.unlearn(others, [0, 0])
    with pytest.raises(NegativeCountError, match="class number 1, column 0"):
        nb.unlearn([[11.5]], [1])
    assert nb.unlearn([[7.0], [5.0]], [0, 0]).class_count_.tolist() == [0, 1]


@pytest.mark.parametrize("outlier", [1e3, -1e5, 1e7])
@pytest.mark.parametrize("base", [0.0, 5.0, 1.7e9])
@pytest.mark.parametrize("seed", range(5))
def test_learned_rows_can_be_unlearned_after_an_outlier(seed: int, base: float, outlier: float) -> None:
    """An outlier that goes leaves its rounding error behind, more than the spread of the rows that are left."""
    rng = np.random.default_rng(seed)
    rows = np.c_[rng.normal(base, size=30), np.full(30, base), rng.integers(0, 3, 30) + base]
    rows[rng.integers(30)] = base + outlier
    nb = GaussianNB().fit(rows, np.zeros(30))
    for row in [int(np.abs(rows[:, 0] - base).argmax()), *rng.permutation(30)]:
        if nb.class_count_[0] == 30 or abs(rows[row, 0] - base) < 100:
            nb.unlearn(rows[row : row + 1], [0])
    assert nb.class_count_.tolist() == [0]


def test_nothing_is_left_of_values_that_were_all_unlearned() -> None:
    nb = GaussianNB().fit([[5.0], [7.0], [11.0]], [0, 0, 1]).unlearn([[11.0]], [1])
    assert 11.0 not in nb._model.tallies[0].pivot
    X, _ = nb.unlearn([[5.0], [7.0]], [0, 0]).sample(3, random_state=0)
    assert np.isnan(X).all(), "nothing is known, as of a column that was always missing"
    assert not any(array.any() for array in nb._model.tallies[0].arrays().values())


def test_a_number_that_cannot_have_been_learned_is_not_left_out() -> None:
    X, y = [[0.0, 1.0], [1.0, np.nan], [2.0, 5.0], [100.0, 5.0], [101.0, 6.0]], [0, 0, 0, 1, 1]
    nb = GaussianNB().fit(X, y)
    nb.loo_predict_log_proba(X, y)
    for row, label in (([100.0, 1.0], 0), ([1.0, 1e9], 1), ([1e200, 5.0], 1)):
        with pytest.raises(NegativeCountError, match="Row 1 cannot be left out"):
            nb.loo_predict_log_proba([X[label * 3], row], [label, label])
    alone = GaussianNB().fit([[3.0, np.nan]], [0])
    for row in ([400.0, np.nan], [3.0, 1.0]):
        with pytest.raises(NegativeCountError, match="Row 0 cannot be left out"):
            alone.loo_predict_log_proba([row], [0])


@pytest.mark.parametrize("how", ["at once", "one by one", "difference"])
@pytest.mark.parametrize("constant", [0.0, 1013.25])
def test_a_column_that_is_constant_by_now_says_nothing(constant: float, how: str) -> None:
    """A variance of 1e-17 that rounding leaves decides everything: accuracy 0.5 instead of 0.84."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = np.arange(100) % 2
        X = np.c_[rng.normal(size=100) + 2 * y, np.full(100, constant)]
        X[:20, 1] += rng.normal(size=20)
        left = MixedNB().fit(X, y)
        if how == "difference":
            left = left - MixedNB().fit(X[:20], y[:20])
        for part in {"at once": [slice(20)], "one by one": [slice(i, i + 1) for i in range(20)]}.get(how, []):
            left.unlearn(X[part], y[part])
        never = MixedNB().fit(X[20:], y[20:])
        np.testing.assert_allclose(left.predict_proba(X), never.predict_proba(X), rtol=1e-9)
        assert not left._model.tallies[0].variance[:, 1].any()


def test_an_outlier_that_has_left_the_window_is_forgotten() -> None:
    """Its square of 1e18 had left a variance of 3e-9 behind, instead of 0.88."""
    rng = np.random.default_rng(0)
    y = np.arange(2000) % 2
    X = rng.normal(size=(2000, 1)) + 3 * y[:, None]
    X[100] = 999_999_999.0
    nb = GaussianNB().fit(X[:500], y[:500])
    for i in range(500, 2000, 50):
        came, went = slice(i, i + 50), slice(i - 500, i - 450)
        nb.partial_fit(X[came], y[came]).unlearn(X[went], y[went])
    np.testing.assert_allclose(nb.var_, GaussianNB().fit(X[1500:], y[1500:]).var_, rtol=1e-9)


def test_low_parts_are_kept_in_files_and_only_where_there_are_some(tmp_path: Path) -> None:
    X, y = np.array([[0.1], [1e6], [0.3], [0.7]]), [0, 0, 0, 0]
    for values, kept in ((np.rint(X), False), (X, True)):
        GaussianNB().fit(values, y).save(tmp_path / "model")
        nb = bayleaf.load(tmp_path / "model")
        assert ("lost" in nb._model.tallies[0].arrays()) == kept
        np.testing.assert_allclose(nb.unlearn(values[1:2], [0]).var_[0], values[[0, 2, 3]].var(), rtol=1e-9)
