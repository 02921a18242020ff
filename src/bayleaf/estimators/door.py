"""The door: what people pass in becomes rows, class numbers and weights, or is refused in words."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, column_or_1d, validate_data

from bayleaf.encoders.categories import plain
from bayleaf.encoders.table import as_array, has_dates, narrowed, tabular, unmasked
from bayleaf.errors import BadValueError, BayleafError
from bayleaf.rows import NATIVE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sklearn.base import BaseEstimator

    from bayleaf.arrays import Array, Floats, Ints

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
WIDE = 1 << 20  # integer labels that lie within this range are numbered by a table instead of by sorting


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


def labels(estimator: BaseEstimator, y: Any) -> Array:
    """y as a 1-d array of class labels."""
    if y is None:
        raise BayleafError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None."
        )
    given: Array = _in_characters(np.asarray(column_or_1d(_unboxed(y), warn=True)))
    _refuse_cut(y if isinstance(y, list | tuple) else given if given.dtype.kind == "O" else ())
    if np.ma.is_masked(y):
        raise BayleafError("Input y contains a masked value. Every row needs a label; leave such rows out.")
    if given.dtype.kind == "f" and not np.isfinite(given).all():
        raise BayleafError("Input y contains NaN or infinity. Every row needs a label; leave such rows out.")
    if given.dtype.kind in "mM" and np.isnat(given).any():
        raise BayleafError("Input y contains NaT. Every row needs a label; leave such rows out.")
    if given.dtype.kind == "f" and (fractions := given != np.rint(given)).any():
        raise BayleafError(
            f"Unknown label type: continuous. Found {float(given[fractions.argmax()])!r} in y, expected text, whole "
            "numbers or truth values. Convert them to str if each is the name of a class, or into a few classes"
        )
    if given.dtype.kind == "O":
        _refuse_objects(given)
    if given.dtype.kind in "cO":
        check_classification_targets(given)
    return given


def listed(classes: Any) -> Any:
    """The labels that may come, as they are; refuses what is no list of some."""
    shape = np.shape(classes)
    if len(shape) != 1:
        found = f"an array of shape {shape}" if shape else f"a {type(classes).__name__}"
        raise BayleafError(f"Found {found} as `classes`; expected a list of all labels that may come")
    if shape == (0,):
        raise BayleafError("Found no labels in `classes`; expected a list of all that may come")
    return classes


def _unboxed(y: Any) -> Any:
    """Whole numbers and truth values of pandas' own types, which would become floats, and NumPy's text, as arrays.

    So does a list that has more than text in it: NumPy would write the rest as text, and call a missing label "nan".
    """
    if isinstance(y, list | tuple):
        kinds = set(map(type, y))
        worded = {issubclass(kind, str) for kind in kinds}
        if len(worded) > 1:
            return np.array(y, dtype=object)
        # Of a kind of str, as members of an Enum, NumPy asks what it prints, and cuts that to the length of the value.
        return [str.__str__(label) for label in y] if True in worded and kinds - {str, np.str_} else y
    kind = getattr(y, "dtype", None)
    inside = getattr(kind, "numpy_dtype", None)
    if inside is not None and inside.kind in "biu" and not y.isna().any():
        return y.to_numpy(dtype=inside)
    return y.astype(object) if isinstance(y, np.ndarray) and y.dtype.kind == "T" else y


def _in_characters(y: Array) -> Array:
    """Objects of a kind of str, as members of an Enum, as the text they hold, which is what a list gives."""
    if y.dtype.kind != "O" or not any(issubclass(kind, str) and kind is not str for kind in set(map(type, y))):
        return y
    return np.array([str.__str__(label) if isinstance(label, str) else label for label in y], dtype=object)


def _refuse_cut(y: Iterable[Any]) -> None:
    """Refuse text that NumPy would cut: it fills texts up with zero characters, so that those at an end are lost."""
    with suppress(TypeError):  # what cannot be told apart is no text
        y = set(y)  # a few labels, and not each of a million
    cut = next((label for label in y if isinstance(label, str | bytes) and label[-1:] in ("\0", b"\0")), None)
    if cut is not None:
        raise BayleafError(
            f"Found the label {str(cut)[:80]!r} in y, which ends in a zero character; expected none there: NumPy drops "
            "it, and cannot tell the label from the one without. Replace it"
        )


def _refuse_objects(y: Array) -> None:
    if any(plain(label) is None for label in y):
        raise BayleafError("Input y contains a missing value. Every row needs a label; leave such rows out.")
    kinds = sorted({type(label).__name__ for label in y if type(label) is not np.str_})
    if len(kinds) > 1:
        raise BayleafError(f"Input y mixes labels of {' and '.join(kinds)}; expected one kind. Convert them to str")
    if not all(isinstance(label, str | bytes) for label in y):
        raise BayleafError(
            f"Unknown label type: found objects of {kinds[0]} in y; expected text or an array of numbers or truth "
            "values. Convert them, for example by y.astype(str) or y.astype(int)"
        )


def number(y: Array) -> tuple[Array, Ints]:
    """The sorted labels that occur, and the number of each row's label among them."""
    if y.dtype.kind in "iu" and len(y):
        low, high = int(y.min()), int(y.max())
        if high - low < WIDE and high <= np.iinfo(np.int64).max:
            shifted = y.astype(np.int64, copy=False) - low if low else y.astype(np.int64, copy=False)
            there = np.bincount(shifted, minlength=high - low + 1) > 0
            found = (np.flatnonzero(there) + low).astype(y.dtype)
            return found, shifted if there.all() else (np.cumsum(there) - 1)[shifted]
    found, codes = np.unique(y, return_inverse=True)
    return found, codes.astype(np.int64, copy=False)


def codes_of(y: Array, known: Array) -> tuple[Ints, Array]:
    """The class number of each row, and where the label is not known."""
    try:
        codes = known.searchsorted(y)
    except TypeError:
        return np.zeros(len(y), dtype=np.int64), np.ones(len(y), dtype=bool)
    return codes, np.asarray(known.take(codes, mode="clip") != y)


def known_codes(y: Array, known: Array) -> Ints:
    """The class number of each row; refuses labels that are not known."""
    codes, strange = codes_of(y, known)
    if strange.any():
        raise BayleafError(f"Found the labels {np.unique(y[strange])}, expected some of {known}")
    return codes


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


def same_length(n: int, y: Array) -> None:
    """Refuse labels that do not match the rows in number."""
    if len(y) != n:
        raise BayleafError(
            f"Found input variables with inconsistent numbers of samples: [{n}, {len(y)}]. Pass one label per row."
        )
