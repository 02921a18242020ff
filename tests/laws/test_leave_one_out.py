"""Leave-one-out scores equal those of a model refitted without the row."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from cases import BY_NAME, MENU, Case, Data, data, each
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import bayleaf
from bayleaf import rows
from bayleaf.families import cells

# Log scores of 1e10, as a class of equal values has them under the default floor, have no digits left after the comma.
WIDE = {"GaussianNB": {"var_smoothing": 1e-3}, "MixedNB": {"var_smoothing": 1e-3}}


def refitted(case: Case, found: Data, params: dict[str, Any], i: int) -> np.ndarray:
    """Log probabilities of row i under a model that has never seen it but knows all labels."""
    X, y, w = found
    rest = np.arange(len(y)) != i
    nb = case.make(**params).partial_fit(X[rest], y[rest], classes=np.unique(y), sample_weight=w[rest])
    return nb.predict_log_proba(X[i : i + 1])[0]


def check(case: Case, found: Data, **params: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bayleaf.ImpossibleRowsWarning)
        nb = case.make(**params).fit(*found)
        got = nb.loo_predict_log_proba(found.X, found.y, found.w)
        want = np.array([refitted(case, found, params, i) for i in range(len(found.y))])
    assert not np.isnan(got).any()
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)


@each()
@given(st.data())
def test_equals_refitting(case: Case, draw: st.DataObject) -> None:
    """With weights and missing values; some rows are the only one of their class."""
    found = draw.draw(data(case, least=5, missing=True))
    if case.name == "MixedNB":  # a category that only one row has is still known when that row is left out
        column = found.X[~np.isnan(found.X[:, 1]), 1]
        assume((np.unique(column, return_counts=True)[1] > 1).all())
    check(case, found, **WIDE.get(case.name, {}))


@each(menu=True)
@pytest.mark.parametrize("smoothing", MENU)
@settings(max_examples=15)
@given(st.data())
def test_equals_refitting_for_every_smoothing(case: Case, smoothing: str, draw: st.DataObject) -> None:
    check(case, draw.draw(data(case, least=5, missing=True)), smoothing=smoothing, alpha=0.25)


@each(menu=True)
@settings(max_examples=15)
@given(st.data())
def test_equals_refitting_without_smoothing(case: Case, draw: st.DataObject) -> None:
    check(case, draw.draw(data(case, least=5)), alpha=0.0)


@each()
@pytest.mark.parametrize("seed", range(3))
def test_equals_refitting_on_larger_data(case: Case, seed: int) -> None:
    X, y = case.random(60, seed=seed, missing=0.1)
    check(case, Data(X, y, np.random.default_rng(seed).random(60) + 0.5))


@each()
def test_a_batch_may_be_looked_at_in_parts_of_any_size(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = case.random(60, missing=0.1)
    nb = case.make().fit(X, y)
    whole = nb.loo_predict_log_proba(X, y)
    for module in (rows, cells):
        monkeypatch.setattr(module, "BLOCK", 50)
    np.testing.assert_array_equal(nb.loo_predict_log_proba(X, y), whole)


@each()
def test_the_only_row_of_a_class_leaves_that_class_empty(case: Case) -> None:
    """Without its only row the class has prior zero: it is impossible, and the others share the mass."""
    X, y = case.random(40)
    y = np.where(y == 2, 0, y)
    y[5] = 2
    found = Data(X, y, np.ones(40))
    got = case.make().fit(*found).loo_predict_log_proba(X, y)
    if case.name != "ComplementNB":  # whose score has no prior
        assert got[5, 2] == -np.inf
    np.testing.assert_allclose(np.exp(got).sum(axis=1), 1.0)
    check(case, found)


@each()
@pytest.mark.parametrize("prior", [[0.2, 0.3, 0.5], None])
def test_a_given_prior_stays_fixed(case: Case, prior: list[float] | None) -> None:
    name = "priors" if case.name == "GaussianNB" else "class_prior"
    X, y = case.random(30)
    check(case, Data(X, y, np.ones(30)), **{name: prior})


def test_normed_weights_are_normed_again_without_the_row() -> None:
    X, y = BY_NAME["ComplementNB"].random(30)
    check(BY_NAME["ComplementNB"], Data(X, y, np.ones(30)), norm=True)


@each()
def test_many_rows_are_left_out_as_few_are(case: Case) -> None:
    """600 rows of 200 columns and 3 classes are more than is looked at in one go; every seventh alone is not."""
    X, y = case.random(600, width=200)
    nb = case.make().fit(X, y)
    some = slice(None, None, 7)
    all_rows, few = nb.loo_predict_log_proba(X, y), nb.loo_predict_log_proba(X[some], y[some])
    np.testing.assert_allclose(all_rows[some], few, rtol=1e-9, atol=1e-9)


def test_gaussian_class_of_two_rows() -> None:
    """One row is left, with no spread of its own: the floor of the variance decides, to nine digits."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(12, 2)), np.r_[0, 0, np.ones(10, dtype=int)]
    check(BY_NAME["GaussianNB"], Data(X, y, np.ones(12)))


def test_gaussian_far_from_the_origin() -> None:
    """The scores do not depend on where zero is: 1e9 away they agree to what the data itself still says."""
    rng = np.random.default_rng(4)
    X, y = np.round(rng.normal(size=(40, 2)) * 1024) / 1024, np.arange(40) % 2
    near, far = (bayleaf.GaussianNB().fit(x, y).loo_predict_log_proba(x, y) for x in (X, X + 2.0**30))
    np.testing.assert_allclose(near, far, rtol=1e-9, atol=1e-9)


@each()
def test_does_not_change_the_model(case: Case) -> None:
    X, y = case.random(20)
    nb = case.make().fit(X, y)
    before = nb.predict_joint_log_proba(X)
    nb.loo_predict_log_proba(X, y)
    np.testing.assert_array_equal(nb.predict_joint_log_proba(X), before)


@each(exact=True)
def test_rows_that_were_never_learned_are_refused(case: Case) -> None:
    X, y = case.random(20)
    nb = case.make().fit(X[:10] * 0, y[:10])
    with pytest.raises(bayleaf.NegativeCountError):
        nb.loo_predict_log_proba(X, y)


def test_probabilities_add_up_however_far_all_classes_are() -> None:
    """Scores of -1e29, as classes of equal values have them: what is taken off for the sum is below their rounding."""
    X, y = [[0.0], [1.0], [1.0], [2.0], [2.0], [1.5]], [0, 1, 1, 2, 2, 0]
    nb = bayleaf.GaussianNB(var_smoothing=1e-30).fit(X, y)
    np.testing.assert_allclose(np.exp(nb.loo_predict_log_proba(X, y)).sum(axis=1), 1.0)
    np.testing.assert_allclose(np.exp(nb.loo_predict_log_proba(X, y))[5], [0.0, 0.5, 0.5])
