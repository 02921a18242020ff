"""The estimators under test and small data for each of them. Adding a family is one line in CASES."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import bayleaf

CODES = 3  # categories are 0, 1, 2
MIXED = {"gaussian": [0], "categorical": [1], "poisson": [2], "bernoulli": [3], "multinomial": [4, 5]}
CELLS = {  # every value is a small multiple of 1/8, so sums of them are exact
    "real": st.integers(-400, 400).map(lambda i: i / 8),
    "count": st.integers(0, 5).map(float),
    "bit": st.integers(0, 1).map(float),
    "code": st.integers(0, CODES - 1).map(float),
    "pair": st.sampled_from([0.0, CODES - 1.0]),  # categories that are known from the first rows on
}
EDGES = {
    "real": (-64, 32),
    "count": (6, 1),
    "bit": (1, 1),
    "code": (CODES - 1, CODES - 1),
    "pair": (CODES - 1, CODES - 1),
}


@dataclass(frozen=True)
class Case:
    """One estimator: its class, what its columns hold and what may be expected of it."""

    name: str
    cell: str  # "real", "count", "bit", "code" or "mixed"
    family: str  # name in the oracle
    params: Mapping[str, Any] = field(default_factory=dict)
    menu: bool = False  # has the smoothing menu
    sparse: bool = False
    linear: bool = False  # has coef_ and intercept_
    marginal: bool = True  # a missing value equals leaving the column out (a multinomial reads it as zero)
    exact: bool = True  # tallies are integer counts: compared with ==
    peer: str | None = None  # the class of this name in sklearn.naive_bayes

    def make(self, **params: Any) -> Any:
        return getattr(bayleaf, self.name)(**{**self.params, **params})

    def kinds(self, width: int) -> list[str]:
        return ["real", "pair", "count", "bit", "count", "count"] if self.cell == "mixed" else [self.cell] * width

    def random(self, n: int, width: int = 4, seed: int = 0, missing: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """n seeded rows of two to three classes, the classes differing in every column."""
        rng = np.random.default_rng(seed)
        y = np.r_[np.arange(3), rng.integers(0, 3, n - 3)]
        columns = {
            "real": lambda: rng.normal(y, 1.0),
            "count": lambda: rng.poisson(1.0 + y).astype(float),
            "bit": lambda: (rng.random(n) < 0.2 + 0.3 * y).astype(float),
            "code": lambda: np.where(rng.random(n) < 0.5, y, rng.integers(0, CODES, n)).astype(float),
        }
        columns["pair"] = columns["code"]
        X = np.column_stack([columns[kind]() for kind in self.kinds(width)])
        if missing:
            X[rng.random(X.shape) < missing] = np.nan
            X[:3] = np.nan_to_num(X[:3])
        return X, y


CASES = [
    Case("GaussianNB", "real", "gaussian", {"var_scope": "feature"}, exact=False, peer="GaussianNB"),
    Case(
        "MultinomialNB",
        "count",
        "multinomial",
        menu=True,
        sparse=True,
        linear=True,
        marginal=False,
        peer="MultinomialNB",
    ),
    Case(
        "ComplementNB", "count", "complement", menu=True, sparse=True, linear=True, marginal=False, peer="ComplementNB"
    ),
    Case("BernoulliNB", "bit", "bernoulli", menu=True, sparse=True, linear=True, peer="BernoulliNB"),
    Case("CategoricalNB", "code", "categorical", {"min_categories": CODES}, menu=True, peer="CategoricalNB"),
    Case("PoissonNB", "count", "poisson", linear=True, sparse=True),
    Case("MixedNB", "mixed", "mixed", {"families": MIXED}, exact=False, marginal=False),
]
BY_NAME = {case.name: case for case in CASES}
MENU = ["lidstone", "background", "jelinek-mercer", "absolute"]


def each(**wanted: bool) -> pytest.MarkDecorator:
    """Parametrise over the cases that have the wanted flags: @each(sparse=True)."""
    chosen = [c for c in CASES if all(getattr(c, flag) == value for flag, value in wanted.items())]
    return pytest.mark.parametrize("case", chosen, ids=lambda c: c.name)


class Data(NamedTuple):
    X: np.ndarray
    y: np.ndarray
    w: np.ndarray


@st.composite
def data(draw: st.DrawFn, case: Case, least: int = 4, most: int = 12, missing: bool = False) -> Data:
    """Rows with two or three classes, all present; no column is constant, not even without one of its rows."""
    width, k = draw(st.integers(1, 4)), draw(st.integers(2, 3))
    n = draw(st.integers(max(least, k + 1), most))
    columns = [draw(hnp.arrays(float, n, elements=CELLS[kind])) for kind in case.kinds(width)]
    X = np.column_stack(columns)
    for f, kind in enumerate(case.kinds(width)):
        X[:2, f], X[-1, f] = EDGES[kind], 0
        if kind == "pair":
            X[2, f] = 0
    y = np.r_[np.arange(k), draw(hnp.arrays(int, n - k, elements=st.integers(0, k - 1)))]
    w = draw(hnp.arrays(float, n, elements=st.integers(1, 3).map(float)))
    if missing:
        holes = draw(hnp.arrays(bool, X.shape, elements=st.booleans()))
        holes[:3] = holes[-1] = False  # each class has seen each column, and each category twice
        X[holes] = np.nan
    return Data(X, y, w)


def state(nb: Any) -> list[np.ndarray]:
    """Copies of all numbers an estimator has tallied, and its labels."""
    arrays = [tally.arrays() for tally in nb._model.tallies]
    return [*(np.array(a[name]) for a in arrays for name in sorted(a)), np.array(nb.classes_)]


def same(a: list[np.ndarray], b: list[np.ndarray]) -> bool:
    """Bit-identical."""
    return len(a) == len(b) and all(
        x.shape == y.shape and np.array_equal(x, y, equal_nan=False) for x, y in zip(a, b, strict=True)
    )


def assert_same_model(a: Any, b: Any, X: np.ndarray, exact: bool) -> None:
    """Two fitted estimators know the same: equal tallies and scores for counts, 1e-12 relative for moments."""
    if exact:
        assert same(state(a), state(b))
        np.testing.assert_array_equal(a.predict_joint_log_proba(X), b.predict_joint_log_proba(X))
    else:
        np.testing.assert_allclose(a.predict_joint_log_proba(X), b.predict_joint_log_proba(X), rtol=1e-9, atol=1e-9)
        for name in ("theta_", "var_", "class_count_"):
            if hasattr(a, name):
                np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-12, atol=1e-12)
