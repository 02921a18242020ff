"""What was seen is a sum: order, batches and merging do not matter, and unlearning undoes learning."""

from __future__ import annotations

import functools
import operator

import numpy as np
import pytest
from cases import Case, assert_same_model, data, each, same, state
from hypothesis import given
from hypothesis import strategies as st

import bayleaf


@each()
@given(st.data())
def test_the_order_of_rows_does_not_matter(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case))
    order = draw.draw(st.permutations(range(len(y))))
    ours, shuffled = case.make().fit(X, y, w), case.make().fit(X[order], y[order], w[order])
    assert_same_model(ours, shuffled, X, case.exact)


@each()
@given(st.data())
def test_batches_equal_one_fit(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case))
    cuts = sorted(draw.draw(st.lists(st.integers(1, len(y) - 1), max_size=3)))
    parts = [p for p in np.split(np.arange(len(y)), cuts) if len(p)]
    nb = case.make()
    for part in draw.draw(st.permutations(parts)):
        nb.partial_fit(X[part], y[part], classes=np.unique(y), sample_weight=w[part])
    assert_same_model(nb, case.make().fit(X, y, w), X, case.exact)


@each()
@given(st.data())
def test_row_by_row_equals_one_fit(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case))
    nb = case.make()
    for i in range(len(y)):
        nb.partial_fit(X[i : i + 1], y[i : i + 1], classes=np.unique(y), sample_weight=w[i : i + 1])
    assert_same_model(nb, case.make().fit(X, y, w), X, case.exact)


@each()
@given(st.data())
def test_parts_merged_in_any_order_equal_one_fit(case: Case, draw: st.DataObject) -> None:
    """Each part knows only the labels it has seen."""
    X, y, w = draw.draw(data(case))
    where = draw.draw(st.lists(st.integers(0, 2), min_size=len(y), max_size=len(y)))
    parts = [np.flatnonzero(np.array(where) == p) for p in range(3)]
    models = [case.make().fit(X[p], y[p], w[p]) for p in parts if len(p)]
    before = [state(m) for m in models]
    merged = functools.reduce(operator.add, draw.draw(st.permutations(models)))
    assert_same_model(merged, case.make().fit(X, y, w), X, case.exact)
    assert all(same(state(m), b) for m, b in zip(models, before, strict=True)), "merging changed one of its operands"


@each()
@given(st.data())
def test_unlearning_undoes_learning(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case, least=6))
    base, extra = slice(0, len(y) - 2), slice(len(y) - 2, None)
    nb = case.make().partial_fit(X[base], y[base], classes=np.unique(y), sample_weight=w[base])
    before = state(nb)
    nb.partial_fit(X[extra], y[extra], sample_weight=w[extra])
    assert not same(before, state(nb))
    assert nb.unlearn(X[extra], y[extra], w[extra]) is nb
    if case.exact:
        assert same(before, state(nb))
    alone = case.make().partial_fit(X[base], y[base], classes=np.unique(y), sample_weight=w[base])
    assert_same_model(nb, alone, X, case.exact)


@each()
@given(st.data())
def test_subtraction_is_the_inverse_of_addition(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case, least=6))
    half = len(y) // 2
    whole = case.make().fit(X, y, w)
    part = case.make().partial_fit(X[half:], y[half:], classes=np.unique(y), sample_weight=w[half:])
    rest = case.make().partial_fit(X[:half], y[:half], classes=np.unique(y), sample_weight=w[:half])
    assert_same_model(whole - part, rest, X[:half], case.exact)
    with pytest.raises(bayleaf.NegativeCountError):
        part - whole


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6, 1e9])
def test_gaussian_keeps_its_digits_when_merged_and_unlearned(offset: float) -> None:
    """100 parts: variance to 1e-12. Unlearning 99 % of 1e5 rows: 1e-9, even at mean 1e9."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(100_000, 2)) + offset, np.arange(100_000) % 2
    parts = [slice(i, i + 1000) for i in range(0, 100_000, 1000)]
    models = [bayleaf.GaussianNB(var_smoothing=0.0).fit(X[part], y[part]) for part in parts]
    merged = functools.reduce(operator.add, models)
    exact = X - offset  # exact for these magnitudes
    want = np.array([exact[y == c].astype(np.longdouble).var(axis=0) for c in (0, 1)]).astype(float)
    np.testing.assert_allclose(merged.var_, want, rtol=1e-12)

    left = merged.unlearn(X[1000:], y[1000:])
    few, labels = exact[:1000].astype(np.longdouble), y[:1000]
    want = np.array([few[labels == c].var(axis=0) for c in (0, 1)]).astype(float)
    np.testing.assert_allclose(left.var_, want, rtol=1e-9)
    means = [few[labels == c].mean(axis=0) + offset for c in (0, 1)]
    np.testing.assert_allclose(left.theta_, np.array(means, dtype=float), rtol=1e-12, atol=1e-12)
    assert left.class_count_.tolist() == [500, 500]
