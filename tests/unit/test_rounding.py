"""Sums of fractional weights leave residues of 1e-17, which must not be taken for rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bayleaf import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB, NegativeCountError, PoissonNB

WEIGHTS = [0.1, 0.2, 0.3, 0.7]  # 0.1 + 0.2 + 0.3 - 0.3 is more than 0.1 + 0.2


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 0, 1, 3], [1, 2, 0, 3]])
@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_column_that_is_always_there_is_never_absent(order: list[int], missing: int) -> None:
    X, w = np.ones((4, 1)), np.array(WEIGHTS)
    X[missing], X[3] = np.nan, 0.0
    nb = BernoulliNB(alpha=0).fit(X[order], np.array([0, 0, 0, 1])[order], w[order])
    np.testing.assert_array_equal(nb.predict_proba([[1.0], [0.0]]), [[1, 0], [0, 1]])


def test_probabilities_are_numbers_after_unlearning_fractions() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        w = rng.random(6)
        nb = BernoulliNB(alpha=0).fit(np.r_[np.ones((5, 1)), [[0.0]]], [0, 0, 0, 0, 0, 1], w)
        nb.unlearn([[1.0]], [0], w[2:3])
        np.testing.assert_array_equal(nb.predict_proba([[1.0], [0.0]]), [[1, 0], [0, 1]])


@pytest.mark.parametrize("estimator", [BernoulliNB, PoissonNB])
def test_a_part_without_a_value_is_left_by_a_difference(estimator: type) -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        w = rng.random(6)
        gaps = estimator().fit([[np.nan], [np.nan], [1.0]], [0, 0, 1], w[:3])
        rest = estimator().fit([[1.0], [np.nan], [0.0]], [0, 0, 1], w[3:])
        left = (gaps + rest) - rest
        np.testing.assert_allclose(left.predict_proba([[1.0]]), gaps.predict_proba([[1.0]]), rtol=1e-9)


@pytest.mark.parametrize(
    "nb",
    [
        BernoulliNB(alpha=0.5, smoothing="jelinek-mercer"),
        CategoricalNB(alpha=0.5, smoothing="jelinek-mercer", min_categories=2),
        MultinomialNB(alpha=0.5, smoothing="jelinek-mercer"),
        PoissonNB(alpha=0.0),
        GaussianNB(var_smoothing=0.1),
    ],
    ids=lambda nb: type(nb).__name__,
)
@pytest.mark.filterwarnings("ignore::bayleaf.ImpossibleRowsWarning")
def test_leaving_one_out_leaves_no_residue_of_it(nb: Any) -> None:
    """The first row is all that its class has of the second column."""
    rng = np.random.default_rng(1)
    X, y = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]), np.array([0, 0, 1, 1])
    if type(nb) is GaussianNB:
        X[1:2, 1] = np.nan
    for _ in range(50):
        w = rng.random(4)
        extra = rng.random(1)
        nb.fit(np.r_[X[:1], X], np.r_[y[:1], y], np.r_[extra, w]).unlearn(X[:1], y[:1], extra)
        got = nb.loo_predict_log_proba(X, y, w)[0]
        rest = nb.unlearn(X[:1], y[:1], w[:1]).predict_log_proba(X[:1])[0]
        np.testing.assert_allclose(got, rest, rtol=1e-9)


def test_a_class_without_a_value_takes_the_smoothed_variance_of_all() -> None:
    """Else the density of the other classes is compared with nothing: they would win or lose by the column's unit."""
    X, y = [[5.0, 0.0], [5.0, 100.0], [np.nan, 49.0], [np.nan, 51.0]], [0, 0, 1, 1]
    nb = GaussianNB().fit(X, y)
    alone = GaussianNB().fit(np.array(X)[:, 1:], y)
    for value in (4.0, 5.0, 6.0):
        np.testing.assert_allclose(nb.predict_proba([[value, 50.0]]), alone.predict_proba([[50.0]]), rtol=1e-9)


def test_a_class_without_a_value_draws_from_all() -> None:
    nb = GaussianNB().fit([[5.0], [7.0], [np.nan], [np.nan]], [0, 0, 1, 1])
    X, y = nb.sample(4000, random_state=0)
    np.testing.assert_allclose([X[y == 1].mean(), X[y == 1].std()], [6, 1], atol=0.1)


@pytest.mark.parametrize("scale", [1e-290, 1e-9, 1e9, 1e13, 1e14, 1e16, 1e17, 1e50, 1e100])
@pytest.mark.parametrize("estimator", [BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB, PoissonNB])
def test_rows_are_unlearned_whatever_the_unit_of_their_weights(estimator: type, scale: float) -> None:
    rng = np.random.default_rng(0)
    X, y, w = rng.poisson(2, (60, 4)), rng.integers(0, 3, 60), rng.random(60) * scale
    nb = estimator().fit(X, y, w)
    for part in (slice(30), slice(30, 45), slice(45, 60)):
        nb.unlearn(X[part], y[part], w[part])
    assert not nb.class_count_.any()


@pytest.mark.parametrize("estimator", [BernoulliNB, CategoricalNB, MultinomialNB, PoissonNB])
@pytest.mark.parametrize("values", [[0.0, 1.0, 2.0], [1.0, 1.0, 1.0]])
def test_light_rows_are_unlearned_after_heavy_ones(estimator: type, values: list[float]) -> None:
    X, w = np.array(values)[:, None], [645.4, 6.8, 0.011]
    nb = estimator().fit(X, ["a"] * 3, w)
    for row in range(3):
        nb.unlearn(X[[row]], ["a"], w[row : row + 1])
    assert nb.class_count_.tolist() == [0.0]


@pytest.mark.parametrize("estimator", [BernoulliNB, CategoricalNB, MultinomialNB, PoissonNB])
@pytest.mark.parametrize("weight", [1.0, 645.5])
def test_rows_that_were_never_learned_are_refused_among_heavy_ones(estimator: type, weight: float) -> None:
    """Whole weights leave no residue: one row too many is refused however much was there."""
    nb = estimator().fit([[1.0], [0.0]], [0, 1], [2.0**52 if weight == 1 else 645.4, 1.0])
    if weight == 1:
        nb.unlearn([[1.0]], [0], [2.0**52])
    with pytest.raises(NegativeCountError):
        nb.unlearn([[1.0]], [0], [weight])
