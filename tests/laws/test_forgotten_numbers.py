"""Numbers that were unlearned leave nothing behind, however large they were: neither a spread nor less of one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayleaf import Moments
from bayleaf.rows import Rows

numbers = st.one_of(st.floats(-100, 100, allow_subnormal=False), st.integers(-3, 3).map(float))
outliers = st.one_of(numbers, st.sampled_from([1e3, 1e5, 1e7, 1e9]).flatmap(lambda size: st.floats(-size, size)))
constants = st.one_of(st.sampled_from([0.0, 0.1, 1013.25, 1e9 + 0.1, -1e-9]), numbers)
K = 2


@st.composite
def histories(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[np.ndarray]]:
    """Rows of three columns, their classes, which of them stay, and the batches in which the others go.

    Those that stay are alike in the last column.
    """
    n = draw(st.integers(6, 40))
    stays = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    codes = np.array(draw(st.lists(st.integers(0, K - 1), min_size=n, max_size=n)))
    X = np.array([[draw(numbers if stay else outliers) for _ in range(3)] for stay in stays])
    X[stays, 2] = draw(constants)
    going = np.array(draw(st.permutations(np.flatnonzero(~stays).tolist())), dtype=int)
    return X, codes, stays, np.split(going, sorted(draw(st.lists(st.integers(0, len(going)), max_size=4))))


def learned(X: np.ndarray, codes: np.ndarray) -> Moments:
    tally = Moments.zero(K, X.shape[1])
    tally.learn(Rows.of(X), codes)
    return tally


def spread(X: np.ndarray, codes: np.ndarray) -> np.ndarray:
    own = [X[codes == c] for c in range(K)]
    return np.array([rows.var(axis=0) if len(rows) else np.zeros(X.shape[1]) for rows in own])


def refuse_another(found: Moments, X: np.ndarray, codes: np.ndarray, stays: np.ndarray) -> None:
    """The variance is that of the rows that stayed, up to what an outlier may cost; of equal ones it is 0."""
    want = spread(X[stays], codes[stays])
    cost = 1e-29 * len(X) ** 2 * max(1.0, np.abs(X).max()) ** 2
    np.testing.assert_allclose(found.variance, want, rtol=1e-6, atol=cost)
    assert not found.variance[:, 2].any()
    for c in range(K):
        if (stays & (codes == c)).any():
            np.testing.assert_allclose(found.mean[c, 2], X[stays][0, 2], rtol=1e-15, atol=1e-15)


@given(histories())
def test_unlearned_rows_leave_the_variance_of_the_others(history: tuple) -> None:
    X, codes, stays, batches = history
    tally = learned(X, codes)
    for part in batches:
        before = tally.copy()
        tally.learn(Rows.of(X[part]), codes[part], sign=-1.0)
        tally = tally.after_removal(before)
    refuse_another(tally, X, codes, stays)


@given(histories())
def test_a_difference_is_the_variance_of_the_others(history: tuple) -> None:
    """The part that is taken away has pivots of its own."""
    X, codes, stays, _ = history
    whole = learned(X, codes)
    refuse_another((whole - learned(X[~stays], codes[~stays])).after_removal(whole), X, codes, stays)


@given(histories())
def test_what_goes_and_comes_again_was_never_away(history: tuple) -> None:
    X, codes, stays, batches = history
    tally = learned(X, codes)
    for part in batches:
        for sign in (-1.0, 1.0):
            tally.learn(Rows.of(X[part]), codes[part], sign=sign)
    for part in batches:
        before = tally.copy()
        tally.learn(Rows.of(X[part]), codes[part], sign=-1.0)
        tally = tally.after_removal(before)
    refuse_another(tally, X, codes, stays)
