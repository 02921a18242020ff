"""Labels: the names of classes, and the number of each row's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.encoders.categories import plain
from bayleaf.errors import BayleafError

if TYPE_CHECKING:
    from bayleaf.arrays import Floats, Ints

LEAST = float(np.log(np.finfo(np.float64).eps))  # a truth of probability 0 costs 36, as in scikit-learn, not infinity


def numbered(labels: Iterable[Any], y: Iterable[Any]) -> tuple[tuple[Any, ...], Ints]:
    """All names, the known `labels` first, and the number of each of y; names that y alone has come last, sorted.

    Examples
    --------
    >>> from bayleaf.evaluate.labels import numbered
    >>> numbered(["ham", "spam"], ["spam", "eggs"])
    (('ham', 'spam', 'eggs'), array([1, 2]))
    """
    known, truth = _values(labels), _values(y)
    if len(set(known)) < len(known):
        twice = Counter(known).most_common(1)[0][0]
        raise BayleafError(
            f"Found the label {twice!r} twice among the known ones; expected each once: pass classes_, then the truth"
        )
    if None in truth:
        raise BayleafError("Found rows without a label; expected one for each. Leave those rows out")
    names = (*known, *sorted(set(truth) - set(known), key=str))
    place = {label: number for number, label in enumerate(names)}
    return names, np.array([place[label] for label in truth], dtype=np.int64)


def log_of_truth(logs: Floats, codes: Ints) -> Floats:
    """The log-probability that each row's own label was given; -inf for a label without a column."""
    k = logs.shape[1]
    own: Floats = logs[np.arange(len(codes)), np.minimum(codes, k - 1)]
    return np.where(codes < k, own, -np.inf)


def said(label: Any) -> Any:
    """A label as JSON can say it: a date is its text.

    >>> import datetime
    >>> said(2), said(datetime.date(2026, 11, 19))
    (2, '2026-11-19')
    """
    return label if isinstance(label, str | int | float | None) else str(label)


def _values(labels: Iterable[Any]) -> tuple[Any, ...]:
    """As Python's own values, which JSON can say; None where one is missing."""
    if hasattr(labels, "columns") or getattr(labels, "ndim", 1) != 1:
        shape = getattr(labels, "shape", "of columns")
        raise BayleafError(f"Found labels in a table {shape}; expected one column. Pass that, or y.ravel() of an array")
    listed = getattr(labels, "to_pylist", getattr(labels, "tolist", None))  # Arrow's own values equal no others
    values = tuple(plain(label) for label in (labels if listed is None else listed()))
    strange = next((value for value in values if not isinstance(value, Hashable)), None)
    if strange is not None:
        raise BayleafError(f"Found the label {strange!r}; expected one value for each row. Pass one column of labels")
    return values
