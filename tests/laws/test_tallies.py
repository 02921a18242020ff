"""Counts and Moments are additive groups: associative, commutative, with zero and inverse, scaled by numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bayleaf import Counts, Moments
from bayleaf.rows import Rows

K, D = 2, 3
whole = st.integers(-(2**40), 2**40).map(float)


@st.composite
def counts(draw: st.DrawFn) -> Counts:
    cells = [draw(hnp.arrays(float, shape, elements=whole)) for shape in (K, (K, D), (K, D))]
    return Counts(weight=cells[0], table=cells[1], absent=cells[2])


@st.composite
def batch(draw: st.DrawFn, least: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Rows of eighths, so that sums are exact, and class numbers."""
    n = draw(st.integers(least, 8))
    X = draw(hnp.arrays(float, (n, D), elements=st.integers(-800, 800).map(lambda i: i / 8)))
    return X, np.r_[np.arange(K), draw(hnp.arrays(np.int64, n - K, elements=st.integers(0, K - 1)))]


def moments(X: np.ndarray, codes: np.ndarray) -> Moments:
    tally = Moments.zero(K, D)
    tally.learn(Rows.of(X), codes)
    return tally


def value(x: object) -> np.ndarray:
    return np.asarray(x() if callable(x) else x)


def close(a: Moments, b: Moments) -> None:
    np.testing.assert_array_equal(a.weight, b.weight)
    np.testing.assert_array_equal(a.n, b.n)
    np.testing.assert_allclose(value(a.mean), value(b.mean), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(value(a.variance), value(b.variance), rtol=1e-12, atol=1e-9)


@given(counts(), counts(), counts(), st.integers(-8, 8))
def test_counts_are_a_group(a: Counts, b: Counts, c: Counts, s: int) -> None:
    zero = Counts.zero(K, D)
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert (a - b) + b == a
    assert (a - a).arrays()["table"].tolist() == zero.arrays()["table"].tolist()
    assert (a + b) * s == a * s + b * s
    assert a * 2 == a + a
    assert a * 1 == a


@given(counts())
def test_counts_equality_sees_every_cell(a: Counts) -> None:
    for name in ("weight", "table", "absent"):
        arrays = {k: np.array(v) for k, v in a.arrays().items()}
        arrays[name].flat[-1] += 1
        assert Counts(**arrays) != a


@given(counts(), counts())
def test_counts_operators_leave_their_operands_alone(a: Counts, b: Counts) -> None:
    before = Counts(**{k: np.array(v) for k, v in a.arrays().items()})
    assert before == a
    _ = (a + b, a - b, a * 3)
    assert a == before


@given(batch(), batch(), batch())
def test_moments_are_a_group(one: tuple, two: tuple, three: tuple) -> None:
    a, b, c = (moments(*x) for x in (one, two, three))
    close((a + b) + c, a + (b + c))
    close(a + b, b + a)
    close((a + b) - b, a)
    close(a + Moments.zero(K, D), a)
    assert not (a - a).n.any()
    assert not (a - a).weight.any()


@given(batch(), batch())
def test_moments_of_a_sum_are_those_of_the_rows_together(one: tuple, two: tuple) -> None:
    X, codes = np.vstack([one[0], two[0]]), np.r_[one[1], two[1]]
    both = moments(*one) + moments(*two)
    want = [X[codes == c] for c in range(K)]
    np.testing.assert_allclose(value(both.mean), [x.mean(axis=0) for x in want], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(value(both.variance), [x.var(axis=0) for x in want], rtol=1e-12, atol=1e-9)


@given(batch(), st.integers(1, 5))
def test_moments_scaled_keep_mean_and_variance(one: tuple, s: int) -> None:
    a = moments(*one)
    np.testing.assert_array_equal((a * s).n, a.n * s)
    np.testing.assert_allclose(value((a * s).mean), value(a.mean), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(value((a * s).variance), value(a.variance), rtol=1e-12, atol=1e-9)


@given(batch(), hnp.arrays(float, (K, D), elements=st.integers(-100, 100).map(float)))
def test_a_pivot_is_only_a_point_of_view(one: tuple, pivot: np.ndarray) -> None:
    a = moments(*one)
    moved = Moments(**{k: np.array(v) for k, v in a.arrays().items()})
    assert moved == a
    moved = moved.recentre(pivot)
    np.testing.assert_array_equal(moved.pivot, pivot)
    close(moved, a)


@given(batch(), batch())
def test_learning_with_a_negative_sign_is_subtracting(one: tuple, two: tuple) -> None:
    """Counts of non-negative rows: bit-identical."""
    (X, a), (Z, b) = one, two
    X, Z = np.abs(X), np.abs(Z)
    tally = Counts.zero(K, D)
    tally.learn(Rows.of(X), a)
    once = Counts(**{k: np.array(v) for k, v in tally.arrays().items()})
    tally.learn(Rows.of(Z), b)
    assert tally != once
    tally.learn(Rows.of(Z), b, sign=-1.0)
    assert tally == once
