"""A missing value is marginalised: its summand is left out, in training and in prediction."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from cases import BY_NAME, MENU, Case, data, each
from hypothesis import assume, given
from hypothesis import strategies as st

from bayleaf import GaussianNB


@each(marginal=True)
@given(st.data())
def test_missing_in_prediction_is_a_model_without_the_column(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case, missing=True))
    assume(X.shape[1] > 1)
    f = draw.draw(st.integers(0, X.shape[1] - 1))
    hole = X.copy()
    hole[:, f] = np.nan
    rest = np.delete(X, f, axis=1)
    got = case.make().fit(X, y, w).predict_joint_log_proba(hole)
    want = case.make().fit(rest, y, w).predict_joint_log_proba(rest)
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)


@each(marginal=True)
@given(st.data())
def test_missing_in_training_leaves_the_other_columns_alone(case: Case, draw: st.DataObject) -> None:
    """A row with a hole teaches its other columns, and the column with the hole is taught by the other rows."""
    X, y, w = draw.draw(data(case))
    assume(X.shape[1] > 1)
    hole = X.copy()
    hole[2:-1, 0] = np.nan
    keep = ~np.isnan(hole[:, 0])
    assume(set(y[keep]) == set(y))
    nb = case.make().fit(hole, y, w)
    only = np.full_like(X, np.nan)
    only[:, 0] = X[:, 0]
    column = case.make().fit(X[keep][:, :1], y[keep], w[keep])
    rest = case.make().fit(X[:, 1:], y, w)
    blank = np.full((1, 1), np.nan)
    got = nb.predict_joint_log_proba(only) - nb.predict_joint_log_proba(np.full((1, X.shape[1]), np.nan))
    want = column.predict_joint_log_proba(X[:, :1]) - column.predict_joint_log_proba(blank)
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)
    without = np.hstack([np.full((len(y), 1), np.nan), X[:, 1:]])
    np.testing.assert_allclose(
        nb.predict_joint_log_proba(without), rest.predict_joint_log_proba(X[:, 1:]), rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("smoothing", MENU)
@each(marginal=False, menu=True)
@given(st.data())
def test_for_a_multinomial_missing_is_a_zero_count(case: Case, smoothing: str, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case, missing=True))
    a, b = (case.make(smoothing=smoothing, alpha=0.5).fit(x, y, w) for x in (X, np.nan_to_num(X)))
    np.testing.assert_array_equal(a.predict_joint_log_proba(X), b.predict_joint_log_proba(np.nan_to_num(X)))


@each()
@given(st.data())
def test_a_row_of_nothing_gets_the_prior(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case))
    nb = case.make().fit(X, y, w)
    nothing = np.full((1, X.shape[1]), np.nan)
    if case.name == "ComplementNB":  # no prior in its score: a tie, which the more frequent class wins
        np.testing.assert_allclose(nb.predict_proba(nothing)[0], 1 / len(nb.classes_))
        assert nb.class_count_[list(nb.classes_).index(nb.predict(nothing)[0])] == nb.class_count_.max()
    else:
        np.testing.assert_allclose(nb.predict_proba(nothing)[0], nb.class_count_ / nb.class_count_.sum(), rtol=1e-12)


@each(sparse=True)
@given(st.data())
def test_sparse_holes_equal_dense_holes(case: Case, draw: st.DataObject) -> None:
    """A stored NaN is missing; what is not stored is zero."""
    X, y, w = draw.draw(data(case, missing=True))
    dense, sparse = case.make().fit(X, y, w), case.make().fit(sp.csr_array(X), y, w)
    want = dense.predict_joint_log_proba(X)
    np.testing.assert_allclose(sparse.predict_joint_log_proba(sp.csr_array(X)), want, rtol=1e-12, atol=1e-12)


@each()
@given(st.data())
def test_holes_are_unlearned_as_they_were_learned(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case, least=6, missing=True))
    nb = case.make().fit(X, y, w)
    want = nb.predict_joint_log_proba(X)
    back = nb.partial_fit(X[2:4], y[2:4], sample_weight=w[2:4]).unlearn(X[2:4], y[2:4], w[2:4])
    np.testing.assert_allclose(back.predict_joint_log_proba(X), want, rtol=1e-9, atol=1e-9)


@given(st.data())
def test_gaussian_attributes_are_those_of_the_scores(draw: st.DataObject) -> None:
    """log P(c) + Σ log N(x[j]; theta_[c, j], var_[c, j]), also where a class has no value in a column."""
    X, y, w = draw.draw(data(BY_NAME["GaussianNB"], missing=True))
    X[y == draw.draw(st.integers(0, y.max())), draw.draw(st.integers(0, X.shape[1] - 1))] = np.nan
    assume(all(len(np.unique(column[~np.isnan(column)])) > 1 for column in X.T))
    nb = GaussianNB(var_scope=draw.draw(st.sampled_from(["feature", "max"])), var_smoothing=0.25).fit(X, y, w)
    terms = -0.5 * (np.log(2 * np.pi * nb.var_) + (X[:, None, :] - nb.theta_) ** 2 / nb.var_)
    want = np.log(nb.class_prior_) + np.nansum(terms, axis=2)
    np.testing.assert_allclose(nb.predict_joint_log_proba(X), want, rtol=1e-9, atol=1e-9)
