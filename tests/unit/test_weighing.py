"""Smoothing and priors are chosen when the tally is weighed: changing them never counts again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import MENU, Case, each, same, state

from bayleaf import (
    BayleafError,
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    MixedNB,
    MultinomialNB,
    PoissonNB,
)
from bayleaf.families import Smoothing

X = np.array([[3.0, 0, 1], [1, 0, 0], [0, 2, 2], [0, 1, 4]])
Y = [0, 0, 1, 1]
COUNTS, TOTALS = np.array([[4, 0, 1], [0, 3, 6]]), np.array([[5], [9]])
SHARE = np.array([4, 3, 7]) / 14


@pytest.mark.parametrize(
    ("params", "theta"),
    [
        ({"alpha": 0.5}, (COUNTS + 0.5) / (TOTALS + 1.5)),
        ({"alpha": [0.5, 1, 2]}, (COUNTS + np.array([0.5, 1, 2])) / (TOTALS + 3.5)),
        ({"alpha": 0.5, "denominator": 2}, (COUNTS + 0.5) / (TOTALS + 1.0)),
        ({"alpha": 0.5, "denominator": 1}, (COUNTS + 0.5) / (TOTALS + 0.5)),
        ({"smoothing": "background", "alpha": 2.0}, (COUNTS + 2 * SHARE) / (TOTALS + 2)),
        ({"smoothing": "jelinek-mercer", "alpha": 0.25}, 0.75 * COUNTS / TOTALS + 0.25 * SHARE),
        ({"smoothing": "absolute", "alpha": 0.5}, np.maximum(COUNTS - 0.5, 0) / TOTALS + 0.5 * 2 / TOTALS * SHARE),
        ({"smoothing": "background", "alpha": 0.0}, COUNTS / TOTALS),
        ({"smoothing": "jelinek-mercer", "alpha": 0.0}, COUNTS / TOTALS),
        ({"smoothing": "absolute", "alpha": 0.0}, COUNTS / TOTALS),
        ({"alpha": 0.0}, COUNTS / TOTALS),
    ],
)
def test_the_menu_of_smoothings(params: dict[str, Any], theta: np.ndarray) -> None:
    np.testing.assert_allclose(np.exp(MultinomialNB(**params).fit(X, Y).feature_log_prob_), theta, rtol=1e-12)


@pytest.mark.parametrize("m", [1, 2, 5])
def test_bernoulli_denominator(m: int) -> None:
    """(n + eps) / (N + m eps)."""
    nb = BernoulliNB(alpha=0.5, denominator=m).fit(X, Y)
    seen = np.array([[2, 0, 1], [0, 2, 2]])
    np.testing.assert_allclose(np.exp(nb.feature_log_prob_), (seen + 0.5) / (2 + 0.5 * m), rtol=1e-12)


def test_bernoulli_alpha_per_feature() -> None:
    """(n + a[f]) / (N + 2 a[f])."""
    a = np.array([0.5, 1.0, 2.0])
    seen = np.array([[2, 0, 1], [0, 2, 2]])
    np.testing.assert_allclose(np.exp(BernoulliNB(alpha=a).fit(X, Y).feature_log_prob_), (seen + a) / (2 + 2 * a))


def test_poisson_rates() -> None:
    """(S + alpha r) / (N + alpha) with the pooled rate r = (S + 1/2) / N of the column."""
    pooled = (np.array([4, 3, 7]) + 0.5) / 4
    nb = PoissonNB(alpha=2.0).fit(X, Y)
    np.testing.assert_allclose(nb.theta_, (COUNTS + 2 * pooled) / (2 + 2), rtol=1e-12)
    np.testing.assert_allclose(nb.set_params(alpha=0.0).theta_, COUNTS / 2, rtol=1e-12)


@each(menu=True)
@pytest.mark.parametrize(
    "params",
    [
        {"alpha": 0.125},
        {"fit_prior": False},
        {"class_prior": [0.5, 0.25, 0.25]},
        *({"smoothing": s, "alpha": 0.5} for s in MENU),
    ],
    ids=str,
)
def test_set_params_weighs_again_without_counting(case: Case, params: dict[str, Any]) -> None:
    rows, y = case.random(40)
    nb = case.make().fit(rows, y)
    before = state(nb)
    nb.predict(rows)
    nb.set_params(**params)
    want = case.make(**params).fit(rows, y)
    np.testing.assert_array_equal(nb.predict_joint_log_proba(rows), want.predict_joint_log_proba(rows))
    assert same(before, state(nb))
    np.testing.assert_array_equal(nb.class_log_prior_, want.class_log_prior_)


@pytest.mark.parametrize(
    "params", [{"var_smoothing": 0.5}, {"var_scope": "max"}, {"priors": "uniform"}, {"priors": [0.5, 0.3, 0.2]}]
)
def test_gaussian_set_params(params: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    rows, y = rng.normal(size=(40, 3)), np.r_[np.arange(39) % 3, 0]
    nb = GaussianNB(var_scope="feature").fit(rows, y)
    nb.predict(rows)
    want = GaussianNB(**{"var_scope": "feature", **params}).fit(rows, y)
    np.testing.assert_array_equal(nb.set_params(**params).predict_proba(rows), want.predict_proba(rows))
    np.testing.assert_array_equal(nb.var_, want.var_)
    np.testing.assert_array_equal(nb.class_prior_, want.class_prior_)


def left_out(nb: Any, rows: Any, y: np.ndarray) -> tuple[dict[float, float], dict[float, int]]:
    """Log loss and number of errors of the rows, each without itself, for every alpha that "auto" tries."""
    if not isinstance(nb, ComplementNB):  # which has none unless one is given
        nb.class_prior = nb.class_count_ / nb.class_count_.sum()
    losses, errors = {}, {}
    for tried in Smoothing(nb.smoothing).grid():
        logs = nb.set_params(alpha=tried.strength).loo_predict_log_proba(rows, y)
        losses[tried.strength] = float(-np.maximum(logs[np.arange(len(y)), y], -745.0).sum())
        errors[tried.strength] = int((logs.argmax(axis=1) != y).sum())
    return losses, errors


@each(menu=True)
@pytest.mark.parametrize("smoothing", MENU)
def test_auto_alpha_has_the_least_loss_of_those_with_the_fewest_errors(case: Case, smoothing: str) -> None:
    """Left out one by one, the class prior being held fixed; errors count as equal within one standard error."""
    rows, y = case.random(60, width=5)
    nb = case.make(alpha="auto", smoothing=smoothing).fit(rows, y)
    chosen = float(nb.alpha_)
    assert chosen > 0
    assert smoothing in ("lidstone", "background") or chosen <= 1
    losses, errors = left_out(case.make(smoothing=smoothing).fit(rows, y), rows, y)
    fewest = min(errors.values())
    close = [alpha for alpha, wrong in errors.items() if wrong <= fewest + fewest**0.5]
    usual = 1.0 if smoothing in ("lidstone", "background") else 0.5
    costs = {alpha: losses[alpha] + np.log10(alpha / usual) ** 2 / 2 for alpha in close}  # within a decade of it
    assert costs[chosen] == pytest.approx(min(costs.values()), rel=1e-9)
    assert chosen in close
    fixed = case.make(alpha=chosen, smoothing=smoothing).fit(rows, y)
    np.testing.assert_allclose(nb.predict_proba(rows), fixed.predict_proba(rows), rtol=1e-9)


@pytest.mark.parametrize("nb", [MultinomialNB(), BernoulliNB(), CategoricalNB()], ids=lambda e: type(e).__name__)
@pytest.mark.parametrize(
    "params",
    [{"alpha": -1.0}, {"alpha": "best"}, {"smoothing": "good-turing"}, {"smoothing": "jelinek-mercer", "alpha": 1.5},
     {"smoothing": "absolute", "alpha": 2.0}, {"denominator": -1}, {"new_labels": "maybe"},
     {"smoothing": "background", "denominator": 2}],
    ids=str,
)  # fmt: skip
def test_senseless_settings_are_refused(nb: Any, params: dict[str, Any]) -> None:
    from sklearn.base import clone

    with pytest.raises(ValueError, match=r"|".join([*params, *map(str, params.values())])):
        clone(nb).set_params(**params).fit(X, Y)


def test_binary_counts_presence_only() -> None:
    a, b = MultinomialNB(binary=True).fit(X, Y), MultinomialNB().fit(X > 0, Y)
    np.testing.assert_array_equal(a.feature_count_, b.feature_count_)
    np.testing.assert_array_equal(a.predict_joint_log_proba(X), b.predict_joint_log_proba(X > 0))


def test_auto_alpha_does_not_pay_with_errors_for_a_better_log_loss() -> None:
    """Every word stands there 50 times, so the model is far too sure: log loss alone wants the classes all alike."""
    rng = np.random.default_rng(0)
    y = (rng.random(600) < 0.15).astype(int)
    topic = np.where(rng.random(600) < 0.05, 1 - y, y)
    X = np.repeat(rng.poisson(np.where(topic[:, None] == np.arange(10) % 2, 1.0, 0.3)), 50, axis=1)[:400]
    losses, errors = left_out(MultinomialNB().fit(X, y[:400]), X, y[:400])
    by_loss = min(losses, key=losses.__getitem__)
    chosen = MultinomialNB(alpha="auto").fit(X, y[:400]).alpha_
    fewest = min(errors.values())
    assert errors[by_loss] > 1.3 * fewest
    assert errors[chosen] <= fewest + fewest**0.5


@pytest.mark.parametrize(
    ("nb", "params"),
    [
        (GaussianNB(), {"var_smoothing": "x"}),
        (PoissonNB(), {"alpha": "x"}),
        (MultinomialNB(), {"alpha": "x"}),
        (MixedNB(), {"alpha": None}),
    ],
    ids=str,
)
def test_a_senseless_setting_after_fitting_is_refused_by_its_name(nb: Any, params: dict[str, Any]) -> None:
    nb.fit([[1, 0], [0, 1]], [0, 1]).set_params(**params)
    with pytest.raises(ValueError, match=f"The {next(iter(params))!r} parameter of {type(nb).__name__} must be"):
        nb.predict([[1, 0]])


@pytest.mark.parametrize("alpha", [[1.0, np.inf], [[1.0, 2.0]]])
def test_an_alpha_per_column_is_a_finite_number_for_each(alpha: Any) -> None:
    with pytest.raises(BayleafError, match=r"must be finite|Got the shape \(1, 2\) instead of 2"):
        MultinomialNB(alpha=alpha).fit([[1, 0], [0, 1]], [0, 1])


@pytest.mark.parametrize(
    ("nb", "changed", "words"),
    [
        (MultinomialNB(), {"smoothing": "background"}, "smoothing='background'"),
        (BernoulliNB(), {"denominator": 3.0}, "denominator=3.0"),
        (ComplementNB(), {"norm": True}, "norm=True"),
        (CategoricalNB(), {"unseen": "smooth"}, "unseen='smooth'"),
    ],
    ids=lambda one: type(one).__name__ if hasattr(one, "fit") else None,
)
def test_an_alpha_is_chosen_for_one_way_to_read_the_counts(
    nb: Any, changed: dict[str, Any], words: str, tmp_path: Path
) -> None:
    nb.set_params(alpha="auto").fit(X, Y)
    chosen, before = nb.alpha_, nb.get_params()
    nb.set_params(**changed)
    with pytest.raises(BayleafError, match=f'alpha="auto" was not chosen for {words}; fit again to choose it'):
        nb.predict(X)
    nb.set_params(alpha=1.0).save(tmp_path / "model")  # read anew by a given one
    assert type(nb).load(tmp_path / "model").predict(X).tolist() == nb.predict(X).tolist()
    with pytest.raises(BayleafError, match=words):
        type(nb).load(tmp_path / "model").set_params(alpha="auto").predict(X)
    assert nb.set_params(**before).alpha_ == chosen
    nb.set_params(**{name: "error" for name in before if name == "unseen"}, fit_prior=False).predict(X)


@pytest.mark.parametrize("nb", [MultinomialNB(), BernoulliNB(), CategoricalNB(), ComplementNB()], ids=str)
def test_alpha_is_not_chosen_of_the_few_rows_that_came_later(nb: Any) -> None:
    """Those before were learned with a number; a choice says that it is for all."""
    before = state(nb.fit(X, Y).set_params(alpha="auto"))
    with pytest.raises(BayleafError, match=r'alpha="auto" was not chosen for .* fit again to choose it'):
        nb.partial_fit(X[:1], Y[:1])
    assert same(state(nb), before)


def test_taking_a_model_away_leaves_the_choice_of_alpha_as_unlearning_does() -> None:
    """What was tried on the rows of the other was tried against a smaller model."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = rng.poisson(1.0 + 0.2 * y[:, None], (400, 20))
    whole, other = (MultinomialNB(alpha="auto").partial_fit(X[:300], y[:300], classes=[0, 1]) for _ in range(2))
    whole.partial_fit(X[300:], y[300:])
    chosen = whole.alpha_
    assert (whole - other).alpha_ == chosen
    assert whole.unlearn(X[:300], y[:300]).alpha_ == chosen


def test_the_choice_of_alpha_takes_as_many_weighted_rows_as_there_are() -> None:
    """Of more than 20,000 rows some are looked at, with their weights."""
    X, y = np.tile(np.eye(3), (7_000, 1)), np.tile([0, 1, 1], 7_000)
    assert MultinomialNB(alpha="auto").fit(X, y).alpha_ > 0
    for weight in (1e-4, 2.0):  # of 1e-4 the whole class weighs less than one row without a weight
        assert MultinomialNB(alpha="auto").fit(X, y, np.full(21_000, weight)).alpha_ > 0


@pytest.mark.parametrize("smoothing", MENU)
def test_one_column_tells_complements_nothing(smoothing: str) -> None:
    """Its share is 1 in each, or 1 + 4e-16, of which `norm` made a weight of -1."""
    for count in range(1, 40):
        nb = ComplementNB(norm=True, smoothing=smoothing, alpha=0.1).fit([[count], [17], [2]], [0, 1, 2])
        assert not nb.feature_log_prob_.any()
        np.testing.assert_array_equal(nb.predict_proba([[5]]), np.full((1, 3), 1 / 3))
