"""Labelling: what people pass in as y becomes labels and class numbers, or is refused in words."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from bayleaf.encoders.categories import plain
from bayleaf.errors import BayleafError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sklearn.base import BaseEstimator

    from bayleaf.arrays import Array, Ints

WIDE = 1 << 20  # integer labels that lie within this range are numbered by a table instead of by sorting


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


def same_length(n: int, y: Array) -> None:
    """Refuse labels that do not match the rows in number."""
    if len(y) != n:
        raise BayleafError(
            f"Found input variables with inconsistent numbers of samples: [{n}, {len(y)}]. Pass one label per row."
        )
