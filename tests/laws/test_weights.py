"""A weight is a number of copies."""

from __future__ import annotations

import numpy as np
import pytest
from cases import Case, assert_same_model, data, each, same, state
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import bayleaf


@each()
@given(st.data())
def test_weight_k_is_k_copies(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case))
    copies = np.repeat(np.arange(len(y)), w.astype(int))
    assert_same_model(case.make().fit(X, y, w), case.make().fit(X[copies], y[copies]), X, case.exact)


@each()
@given(st.data())
def test_weight_zero_is_absent(case: Case, draw: st.DataObject) -> None:
    """Even an outlier of weight zero has no influence, on epsilon_ neither."""
    X, y, w = draw.draw(data(case))
    ghost = X[:1] if case.cell in ("code", "bit", "mixed") else X[:1] + 1e6
    with_ghost = case.make().fit(np.vstack([X, ghost]), np.r_[y, 0], np.r_[w, 0.0])
    without = case.make().fit(X, y, w)
    assert_same_model(with_ghost, without, X, case.exact)
    if case.name == "GaussianNB":
        np.testing.assert_allclose(with_ghost.epsilon_, without.epsilon_, rtol=1e-12)


def test_a_crowd_of_weight_zero_far_away_is_absent() -> None:
    X, y = np.random.default_rng(0).normal(size=(20, 1)), np.arange(80) % 2
    crowd = np.vstack([X, np.full((60, 1), 1e12)])
    ours = bayleaf.GaussianNB().fit(crowd, y, np.r_[np.ones(20), np.zeros(60)])
    np.testing.assert_allclose(ours.var_, bayleaf.GaussianNB().fit(X, y[:20]).var_, rtol=1e-12)


@each()
def test_unit_weights_are_no_weights(case: Case) -> None:
    X, y = case.random(50)
    assert_same_model(case.make().fit(X, y), case.make().fit(X, y, np.ones(50)), X, exact=case.exact)


@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1.0, 1e12, 1e100])
def test_gaussian_weights_are_scale_free(scale: float) -> None:
    rng = np.random.default_rng(0)
    X, y, w = rng.normal(size=(40, 3)), np.arange(40) % 3, rng.random(40) + 0.1
    ours, scaled = bayleaf.GaussianNB().fit(X, y, w), bayleaf.GaussianNB().fit(X, y, w * scale)
    np.testing.assert_allclose(scaled.theta_, ours.theta_, rtol=1e-12)
    np.testing.assert_allclose(scaled.var_, ours.var_, rtol=1e-10)
    np.testing.assert_allclose(scaled.predict_proba(X), ours.predict_proba(X), rtol=1e-9)


@each()
def test_a_class_of_weight_zero_is_never_predicted(case: Case) -> None:
    if case.name == "ComplementNB":
        pytest.skip("its score has no prior")
    X, y = case.random(60)
    w = (y != 2).astype(float)
    nb = case.make().fit(X, y, w)
    assert 2 not in nb.predict(X)
    np.testing.assert_allclose(nb.predict_proba(X).sum(axis=1), 1.0)


@each()
@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_senseless_weights_are_refused(case: Case, bad: float) -> None:
    X, y = case.random(20)
    w = np.ones(20)
    w[7] = bad
    with pytest.raises(ValueError, match=r"(?i)weight"):
        case.make().fit(X, y, w)


@each()
def test_weights_that_are_all_zero_are_refused(case: Case) -> None:
    X, y = case.random(20)
    with pytest.raises(ValueError, match=r"(?i)weight"):
        case.make().fit(X, y, np.zeros(20))


@each()
@pytest.mark.parametrize("method", ["partial_fit", "unlearn"])
def test_rows_without_weight_change_nothing(case: Case, method: str) -> None:
    X, y = case.random(20)
    nb = case.make().fit(X, y)
    before = state(nb)
    getattr(nb, method)(X[:3], y[:3], sample_weight=np.zeros(3))
    assert same(state(nb), before)


@each()
@given(st.data())
def test_rows_of_fractional_weight_go_one_by_one(case: Case, draw: st.DataObject) -> None:
    """Tenths leave residues of rounding behind, which must not pass for rows that were never learned."""
    X, y, w = draw.draw(data(case))
    w = (w + 1) / 10
    ours = case.make().fit(X, y, w)
    for row in draw.draw(st.permutations(range(len(y)))):
        ours.unlearn(X[[row]], y[[row]], w[[row]])
    assert_same_model(ours.partial_fit(X, y, sample_weight=w), case.make().fit(X, y, w), X, exact=False)


@each(exact=True)
@given(st.data())
def test_rows_go_in_any_order_where_weights_span_decades(case: Case, draw: st.DataObject) -> None:
    """Of 1000 a residue of 1e-13 is left, which is more than 1e-12 of a row that weighs a tenth."""
    X, y, _ = draw.draw(data(case))
    w = draw.draw(hnp.arrays(float, len(y), elements=st.sampled_from([645.4, 6.8, 0.3, 0.11]), fill=st.nothing()))
    ours = case.make().fit(X, y, w)
    for row in draw.draw(st.permutations(range(len(y)))):
        ours.loo_predict_log_proba(X[[row]], y[[row]], w[[row]])
        ours.unlearn(X[[row]], y[[row]], w[[row]])
    assert not ours.class_count_.any()


@given(st.permutations(range(6)))
def test_what_is_left_of_large_values_is_rounding(order: list[int]) -> None:
    """64² leaves 2e-14 behind, which is more than all of the zeros that are there by then."""
    X, y, w = np.array([[-64.0], [32.0], [0.0], [0.125], [5.25], [0.0]]), np.array([0, 1, 0, 0, 0, 0]), np.full(6, 0.2)
    ours = bayleaf.GaussianNB().fit(X, y, w)
    for row in order:
        ours.unlearn(X[[row]], y[[row]], w[[row]])
    assert ours.class_count_.tolist() == [0.0, 0.0]


def test_a_residue_of_rounding_is_no_gaussian_row() -> None:
    """0.6 + 2 x 0.4 - 0.6 - 2 x 0.4 is 1e-16: a mean that the zeros which are left do not have."""
    X, w = np.array([[1.0], [2.0], [0.0], [0.0], [0.0]]), np.array([0.6, 0.4, 0.9, 0.4, 1.0])
    ours = bayleaf.GaussianNB().fit(X, [0, 0, 0, 0, 1], w)
    for row in range(4):
        ours.unlearn(X[[row]], [0], w[[row]])
    assert ours.class_count_.tolist() == [0.0, 1.0]
