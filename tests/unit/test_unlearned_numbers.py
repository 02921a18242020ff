"""Numbers taken back: all that were learned can be, and no others."""

from __future__ import annotations

import numpy as np
import pytest

from bayleaf import GaussianNB, NegativeCountError


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
