"""Every estimator, smoothing and prior against plain Python in exact fractions."""

from __future__ import annotations

from typing import Any

import numpy as np
import oracle
import pytest
from cases import BY_NAME, MENU, MIXED, Case, data, each
from hypothesis import assume, given
from hypothesis import strategies as st


def plain(X: np.ndarray) -> list[list[float | None]]:
    return [[None if np.isnan(x) else float(x) for x in row] for row in X]


def expected(family: str, X: np.ndarray, y: np.ndarray, w: np.ndarray, **settings: Any) -> np.ndarray:
    rows = plain(X)
    return np.array([oracle.joint(family, rows, y.tolist(), r, weights=w.tolist(), **settings) for r in rows])


def agree(got: np.ndarray, want: np.ndarray) -> None:
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)


@each(menu=True)
@pytest.mark.parametrize("smoothing", MENU)
@given(st.data())
def test_smoothed_counts(case: Case, smoothing: str, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case, missing=True))
    alpha = draw.draw(st.sampled_from([0.125, 0.5, 1.0]))
    assume(case.cell != "count" or all(np.nansum(X[y == c]) > 0 for c in y))  # no class without a word
    assume(case.name != "ComplementNB" or all(np.nansum(X[y != c]) > 0 for c in y))
    extra = {"n_categories": 3} if case.name == "CategoricalNB" else {}
    want = expected(case.family, X, y, w, smoothing=smoothing, alpha=alpha, **extra)
    agree(case.make(smoothing=smoothing, alpha=alpha).fit(X, y, w).predict_joint_log_proba(X), want)


@each(menu=True)
@given(st.data())
def test_maximum_likelihood(case: Case, draw: st.DataObject) -> None:
    """alpha = 0: impossible is -inf, in the same places."""
    X, y, w = draw.draw(data(case))
    assume(case.name not in ("ComplementNB", "MultinomialNB") or all(X[y == c].sum() > 0 for c in y))
    assume(case.name != "ComplementNB" or (X[y != 0].any(axis=0) & X[y != 1].any(axis=0)).all())
    assume(case.name != "ComplementNB" or len(set(y)) < 3 or X[y != 2].any(axis=0).all())
    want = expected(case.family, X, y, w, alpha=0)
    agree(case.make(alpha=0.0).fit(X, y, w).predict_joint_log_proba(X), want)


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB"])
@pytest.mark.parametrize("m", [1, 2])
@given(st.data())
def test_denominator(name: str, m: int, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(BY_NAME[name]))
    want = expected(BY_NAME[name].family, X, y, w, alpha=0.5, denominator=m)
    agree(BY_NAME[name].make(alpha=0.5, denominator=m).fit(X, y, w).predict_joint_log_proba(X), want)


@given(st.data())
def test_binary_multinomial(draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(BY_NAME["MultinomialNB"], missing=True))
    want = expected("multinomial", X, y, w, binary=True)
    agree(BY_NAME["MultinomialNB"].make(binary=True).fit(X, y, w).predict_joint_log_proba(X), want)


@given(st.data())
def test_normalised_complement(draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(BY_NAME["ComplementNB"]))
    assume(X.shape[1] > 1)
    want = expected("complement", X, y, w, norm=True)
    agree(BY_NAME["ComplementNB"].make(norm=True).fit(X, y, w).predict_joint_log_proba(X), want)


@pytest.mark.parametrize("scope", ["feature", "max"])
@given(st.data())
def test_gaussian(scope: str, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(BY_NAME["GaussianNB"], missing=True))
    smoothing = draw.draw(st.sampled_from([1e-9, 1e-3, 0.5]))
    want = expected("gaussian", X, y, w, var_scope=scope, var_smoothing=smoothing)
    nb = BY_NAME["GaussianNB"].make(var_scope=scope, var_smoothing=smoothing).fit(X, y, w)
    agree(nb.predict_joint_log_proba(X), want)


@given(st.data())
def test_poisson(draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(BY_NAME["PoissonNB"], missing=True))
    alpha = draw.draw(st.sampled_from([0.0, 0.5, 1.0, 3.0]))
    want = expected("poisson", X, y, w, alpha=alpha)
    agree(BY_NAME["PoissonNB"].make(alpha=alpha).fit(X, y, w).predict_joint_log_proba(X), want)


@given(st.data())
def test_mixed_is_the_sum_of_its_families(draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(BY_NAME["MixedNB"], missing=True))
    blank = np.log([w[y == c].sum() / w.sum() for c in np.unique(y)])
    ranks = X.copy()  # the categories of a mixed table are the values that occur, not all codes up to the largest
    for f in MIXED["categorical"]:
        there = ~np.isnan(X[:, f])
        ranks[there, f] = np.unique(X[there, f], return_inverse=True)[1]
    parts = [expected(f, ranks[:, cols], y, w) - blank for f, cols in MIXED.items()]
    agree(BY_NAME["MixedNB"].make().fit(X, y, w).predict_joint_log_proba(X), sum(parts) + blank)


@each()
@given(st.data())
def test_given_priors(case: Case, draw: st.DataObject) -> None:
    """The prior moves the score by log(given) - log(share), and nothing else."""
    X, y, w = draw.draw(data(case))
    k = len(np.unique(y))
    given_prior = np.array([0.125, 0.875, 0.0][:k] if k == 2 else [0.125, 0.25, 0.625])
    name = "priors" if case.name == "GaussianNB" else "class_prior"
    shares = [w[y == c].sum() / w.sum() for c in range(k)]
    base = np.zeros(k) if case.name == "ComplementNB" else np.log(shares)
    plainly = case.make().fit(X, y, w).predict_joint_log_proba(X)
    agree(
        case.make(**{name: given_prior}).fit(X, y, w).predict_joint_log_proba(X), plainly - base + np.log(given_prior)
    )


@each()
def test_uniform_priors(case: Case) -> None:
    X, y = case.random(40)
    uniform = {"priors": "uniform"} if case.name == "GaussianNB" else {"fit_prior": False}
    name = "priors" if case.name == "GaussianNB" else "class_prior"
    a, b = case.make(**uniform).fit(X, y), case.make(**{name: np.ones(3) / 3}).fit(X, y)
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), rtol=1e-12)
