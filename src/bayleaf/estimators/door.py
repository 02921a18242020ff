"""The door: what people pass in as X and as weights becomes rows and weights, or is refused in words."""

from __future__ import annotations

import re
import sys
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, validate_data

from bayleaf.encoders.categories import plain
from bayleaf.encoders.table import as_array, has_dates, narrowed, tabular, unmasked
from bayleaf.errors import BadValueError, BayleafError
from bayleaf.rows import NATIVE

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

    from bayleaf.arrays import Floats

WORDS = (
    "Found {found} in X, expected numbers for {name}. For such a table take RecordClassifier or MixedNB, for "
    "categories alone CategoricalNB, for texts TextClassifier"
)
DATES = (
    "Found dates or durations in X, expected numbers for {name}. Convert them, for example to days since a date, or "
    "leave them out"
)
OBJECTS = re.compile(r"^float\(\) argument .*\b(date|datetime|time|timedelta|Timestamp|Timedelta|Period|Interval)'$")
SPARSE = (sparse.csr_array, sparse.csr_matrix)
HEAVIEST = 1e120  # times the largest count that the kernels take, 1e150, this still adds up below 1e308


def values(estimator: BaseEstimator, X: Any, *, reset: bool, accept_sparse: bool) -> Any:
    """X as a 2-d array or CSR matrix of numbers, not copied where that can be avoided; NaN marks missing values."""
    if not reset and passes(estimator, X, accept_sparse):
        return X
    X = _gaps_as_nan(narrowed(tabular(X)))
    if has_dates(X):
        raise BadValueError(DATES.format(name=type(estimator).__name__))
    kinds = "csr" if accept_sparse else False
    if getattr(getattr(X, "dtype", None), "kind", "") == "T":  # which scikit-learn does not know for text
        raise BadValueError(WORDS.format(found="an array of text", name=type(estimator).__name__))
    try:
        checked = validate_data(estimator, X, reset=reset, accept_sparse=kinds, ensure_all_finite=False)
        if checked.dtype.kind in "mM":
            raise BadValueError(DATES.format(name=type(estimator).__name__))
        return checked.astype(np.float64) if checked.dtype == object else checked  # pandas' categories
    except TypeError as fault:
        kind = OBJECTS.search(str(fault))
        if kind is None:
            raise
        words = WORDS.format(found="intervals", name="{name}") if kind[1] == "Interval" else DATES
        raise BadValueError(words.format(name=type(estimator).__name__)) from None
    except ValueError as fault:
        if _is_texts(X):
            raise BadValueError(WORDS.format(found="a list of texts", name=type(estimator).__name__)) from None
        uncast = str(fault).startswith("Cannot cast")  # pandas' word for its categories
        if "string" not in str(fault) and not uncast:
            raise
        found = "categories" if uncast else "an array of text"
        found = str(fault).rpartition("to float: ")[2] if "to float: " in str(fault) else found
        raise BadValueError(WORDS.format(found=found, name=type(estimator).__name__)) from None


def passes(estimator: BaseEstimator, X: Any, accept_sparse: bool) -> bool:
    """Whether a batch is of a kind and width already known: scikit-learn's checks cost more than learning a row."""
    if not _plain(X, accept_sparse) or hasattr(estimator, "feature_names_in_"):
        return False
    n, d = X.shape
    return bool(n > 0 and d == estimator.n_features_in_)


def _is_texts(X: Any) -> bool:
    """Whether these are texts and no table: scikit-learn would have them reshaped."""
    array = as_array(X)
    return array.ndim == 1 and array.size > 0 and isinstance(array[0], str)


def _plain(X: Any, accept_sparse: bool) -> bool:
    kind = type(X)
    if kind is np.ndarray:
        return X.ndim == 2 and X.dtype in NATIVE
    return accept_sparse and kind in SPARSE and X.dtype in NATIVE


def _gaps_as_nan(X: Any) -> Any:
    """None and pandas' NA among objects, and what is masked, become NaN."""
    X = unmasked(X)
    if isinstance(X, list | tuple) and (array := as_array(X)).ndim == 2 and array.dtype == object:
        X = X if any(isinstance(cell, str | bytes) for cell in array.flat) else array  # text is refused as such
    if hasattr(X, "isetitem"):  # pandas
        X = X.copy(deep=False)
        for place in [i for i, kind in enumerate(X.dtypes) if kind == np.dtype(object)]:
            X.isetitem(place, _gaps_as_nan(X.iloc[:, place].to_numpy()))
    if isinstance(X, np.ndarray) and X.dtype == object:
        with np.errstate(invalid="ignore"):  # a float32 that is NaN raises the flag on its way to Python
            gaps = np.frompyfunc(lambda cell: plain(cell) is None, 1, 1)(X).astype(bool)
        if gaps.any():
            X = X.copy()
            X[gaps] = np.nan
    return X


def weights(sample_weight: Any, X: Any, some: bool = True) -> Floats | None:
    """Weights as float64; None when all rows weigh 1. Unless `some` must count, all may be 0."""
    if sample_weight is None:
        return None
    if np.ma.is_masked(sample_weight):
        raise BayleafError(
            "Found masked sample weights; expected one for each row. Fill them, with 0 to leave rows out"
        )
    _refuse_weights(sample_weight)
    checked: Floats = _check_sample_weight(
        sample_weight, X, dtype=np.float64, ensure_non_negative=True, allow_all_zero_weights=not some
    )
    if checked.max(initial=0.0) > HEAVIEST:
        raise BayleafError(
            f"Found a sample weight of {checked.max():g}; expected at most {HEAVIEST:g}. Rescale them all"
        )
    return np.ascontiguousarray(checked)


def _refuse_weights(given: Any) -> None:
    """Refuse weights that are no numbers or below zero, by their place; their shape is left to scikit-learn."""
    try:
        found = np.atleast_1d(np.asarray(given, dtype=np.float64))
    except (TypeError, ValueError):
        raise BayleafError(f"Found `sample_weight` {str(given)[:80]}; expected a number for each row") from None
    words = "expected a number for each row, 0 to leave one out"
    for kind, wrong in (("NaN", np.isnan(found)), ("infinity", np.isinf(found))):
        if wrong.any():
            raise BayleafError(f"Input sample_weight contains {kind}: row {int(np.argwhere(wrong)[0][0])}; {words}")
    if (found < 0).any():
        row = int(np.argwhere(found < 0)[0][0])
        raise BayleafError(
            f"Negative values in data passed to `sample_weight`: found {found[row].min():g} in row {row}; expected "
            "zero or more. To take rows away call unlearn"
        )


def draws(n_samples: Any, random_state: Any) -> tuple[int, np.random.Generator]:
    """How many rows are asked for, and what they are drawn with."""
    if not isinstance(n_samples, Integral) or n_samples < 1:
        raise BayleafError(f"n_samples must be a whole number of at least 1; found {n_samples!r}")
    seed = check_random_state(random_state).randint(0, 2**31 - 1, size=4)
    return int(n_samples), np.random.default_rng(seed)


def at_most(count: Any) -> int:
    """How many things are to be listed."""
    if not isinstance(count, Integral) or count < 0:
        raise BayleafError(f"Found count={count!r}, expected how many to list: a whole number from 0 on")
    return min(int(count), sys.maxsize)
