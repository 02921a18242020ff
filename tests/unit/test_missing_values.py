"""NaN, None and pandas NA mean the same in every container."""

from __future__ import annotations

import warnings
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from cases import Case, each, same, state

from bayleaf import BernoulliNB, CategoricalNB, GaussianNB, MixedNB, MultinomialNB


def holed(case: Case) -> tuple[np.ndarray, np.ndarray]:
    return case.random(40, missing=0.2)


def as_none(X: np.ndarray) -> np.ndarray:
    out = X.astype(object)
    out[np.isnan(X)] = None
    return out


CONTAINERS = {
    "none": as_none,
    "list": lambda X: as_none(X).tolist(),
    "pandas-nan": lambda X: pd.DataFrame(X, columns=[f"f{i}" for i in range(X.shape[1])]),
    "pandas-na": lambda X: pd.DataFrame(X, columns=[f"f{i}" for i in range(X.shape[1])]).convert_dtypes(),
    "polars": lambda X: pl.DataFrame({f"f{i}": [None if np.isnan(v) else v for v in c] for i, c in enumerate(X.T)}),
    "pyarrow": lambda X: pa.table({f"f{i}": [None if np.isnan(v) else v for v in c] for i, c in enumerate(X.T)}),
}


@each()
@pytest.mark.parametrize("container", CONTAINERS)
def test_missing_is_missing_in_every_container(case: Case, container: str) -> None:
    if case.cell == "mixed" and container == "list":
        pytest.skip("a list has no columns")
    X, y = holed(case)
    other = CONTAINERS[container](X)
    a, b = case.make().fit(X, y), case.make().fit(other, y)
    assert same(state(a), state(b))
    np.testing.assert_array_equal(a.predict_joint_log_proba(X), b.predict_joint_log_proba(other))


@each()
def test_integer_columns_with_na(case: Case) -> None:
    """Int64 with pd.NA, as a database gives it."""
    if case.cell in ("real", "mixed"):
        pytest.skip("not whole numbers")
    X, y = holed(case)
    frame = pd.DataFrame(X, columns=list("abcd")).astype("Int64")
    want = case.make().fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(case.make().fit(frame, y).predict_proba(frame), want)


def test_strings_that_are_missing() -> None:
    frame = pd.DataFrame({"colour": ["red", None, "blue", "red", pd.NA, "blue"], "size": [1.0, 2, np.nan, 4, 5, 6]})
    y = [0, 0, 0, 1, 1, 1]
    nb = MixedNB().fit(frame, y)
    nothing = pd.DataFrame({"colour": pd.Series([None], dtype=object), "size": [np.nan]})
    np.testing.assert_allclose(nb.predict_proba(nothing), [[0.5, 0.5]], rtol=1e-12)
    red = nb.predict_proba(pd.DataFrame({"colour": ["red"], "size": [np.nan]}))
    np.testing.assert_allclose(red, [[0.5, 0.5]], rtol=1e-12)  # one red and one blue in each class


def test_a_hole_is_not_a_zero_for_bernoulli() -> None:
    X, y = np.array([[1.0], [np.nan], [0.0], [0.0]]), [0, 0, 1, 1]
    nb = BernoulliNB().fit(X, y)
    np.testing.assert_allclose(np.exp(nb.feature_log_prob_), [[2 / 3], [1 / 4]], rtol=1e-12)
    np.testing.assert_allclose(nb.predict_proba([[np.nan]]), [[0.5, 0.5]], rtol=1e-12)


def test_stored_nan_in_a_sparse_row() -> None:
    S = sp.csr_array(np.array([[1.0, np.nan, 0.0], [0.0, 2.0, 1.0]]))
    nb = MultinomialNB().fit(S, [0, 1])
    assert nb.feature_count_.tolist() == [[1, 0, 0], [0, 2, 1]]


def test_infinity_is_not_a_missing_value() -> None:
    nb = GaussianNB().fit([[0.0], [1.0]], [0, 1])
    calls: list[tuple[Any, ...]] = [(GaussianNB().fit, [[np.inf], [1.0]], [0, 1]), (nb.predict, [[-np.inf]])]
    for call, *args in calls:
        with pytest.raises(ValueError, match=r"(?i)inf"):
            call(*args)


def test_missing_labels_are_refused() -> None:
    with pytest.raises(ValueError, match=r"(?i)nan|missing"):
        GaussianNB().fit([[0.0], [1.0]], [0.0, np.nan])


@pytest.mark.parametrize("kind", [GaussianNB, BernoulliNB, MultinomialNB])
@pytest.mark.parametrize("gap", [pd.NA, None, pd.NaT, Decimal("NaN"), np.float32("nan")])
def test_gaps_in_lists_are_missing(kind: Any, gap: Any) -> None:
    X, y = [[1.0, np.nan], [0.0, 3.0], [2.0, 1.0]], [0, 1, 0]
    with warnings.catch_warnings():  # a float32 gave one of its own
        warnings.simplefilter("error")
        a, b = kind().fit(X, y), kind().fit(np.array([[1.0, gap], *X[1:]], dtype=object), y)
    assert same(state(a), state(b))
    b = kind().fit([[1.0, gap], *X[1:]], y)
    assert same(state(a), state(b))
    np.testing.assert_array_equal(a.predict_proba(X), b.predict_proba([(1.0, gap), *X[1:]]))


def test_a_decimal_that_is_no_number_is_no_category() -> None:
    """It compares with no other: the categories could not be sorted."""
    X, y = [["a", None], ["b", Decimal(2)], ["a", Decimal(1)]], [0, 1, 0]
    odd = [["a", Decimal("NaN")], *X[1:]]
    for kind in (CategoricalNB, MixedNB):
        families = {"families": {"categorical": [0, 1]}} if kind is MixedNB else {}
        a, b = kind(**families).fit(X, y), kind(**families).fit(odd, y)
        assert same(state(a), state(b))
        np.testing.assert_array_equal(a.predict_proba(X), b.predict_proba(odd))


@pytest.mark.parametrize("values", [["u", "u", None, "v"], [1, 1, None, 2]])
def test_nulls_in_columns_that_arrow_keeps_as_dictionaries(values: list[Any]) -> None:
    """pyarrow itself reads them as the last word of the dictionary."""
    y, kinds = [0, 1, 0, 1], [CategoricalNB] if "u" in values else [CategoricalNB, GaussianNB, BernoulliNB]
    plain = pa.table({"a": values, "b": [1, 0, 1, 0]})
    coded = plain.set_column(0, "a", plain["a"].dictionary_encode())
    for kind in kinds:
        a, b = kind().fit(plain, y), kind().fit(coded, y)
        assert same(state(a), state(b))
        np.testing.assert_array_equal(a.predict_proba(plain), b.predict_proba(coded))
