"""Batches: texts, labels and groups, a few thousand at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayleaf.encoders.documents import batches as slices
from bayleaf.encoders.text import TextEncoder
from bayleaf.errors import BayleafError
from bayleaf.estimators.door import labels

if TYPE_CHECKING:
    from bayleaf.arrays import Array
    from bayleaf.tally.keyed import Fields

SIZE = 16_384  # documents


class Batch(NamedTuple):
    """Some documents."""

    fields: Fields
    labels: Array
    groups: list[Any] | None


def batches(source: Any, encoder: TextEncoder, X: Any, y: Any, groups: Any = None) -> Iterator[Batch]:
    """The documents in parts; what is in memory is checked for its length first, an iterator as it comes."""
    if y is None:
        labels(source, y)
    if all(hasattr(part, "__len__") for part in (X, y)) and not isinstance(X, str):
        sizes = [_length(X), len(y), *([] if groups is None else [len(groups)])]
        if len(set(sizes)) > 1:
            raise BayleafError(f"Found input variables with inconsistent numbers of samples: {sizes}. Pass one each")
        y = labels(source, y)
    answers, names = iter(y), None if groups is None else iter(groups)
    for texts in _parts(X):
        fields = encoder.fields(texts)
        count = len(fields[1][0])
        given = list(islice(answers, count))
        some = None if names is None else list(islice(names, count))
        if len(given) != count or (some is not None and len(some) != count):
            raise BayleafError("Found more texts than labels or groups; pass one label (and group) per text")
        yield Batch(fields, labels(source, np.array(given)), some)
    if next(answers, None) is not None:
        raise BayleafError("Found more labels than texts; pass one label per text")


def is_record(X: Any) -> bool:
    """Whether X has named fields: a mapping or a data frame."""
    return isinstance(X, Mapping) or (hasattr(X, "columns") and hasattr(X, "__getitem__"))


def whole(encoder: TextEncoder, X: Any) -> Fields:
    """All documents at once."""
    if is_record(X):
        return encoder.fields({str(name): _list(X[name]) for name in _names(X)})
    return encoder.fields(X if isinstance(X, str) else _list(X))


def _parts(X: Any) -> Iterator[Any]:
    if not is_record(X):
        yield from slices(X if not isinstance(X, str) else whole(TextEncoder(), X), SIZE)
        return
    columns = {str(name): _list(X[name]) for name in _names(X)}
    for start in range(0, max((len(column) for column in columns.values()), default=0), SIZE):
        yield {name: column[start : start + SIZE] for name, column in columns.items()}


def _names(X: Any) -> Iterable[Any]:
    return X if isinstance(X, Mapping) else X.columns


def _length(X: Any) -> int:
    return max((len(X[name]) for name in _names(X)), default=0) if is_record(X) else len(X)


def _list(column: Iterable[str]) -> list[str]:
    return next(slices(column, whole=True), []) if not isinstance(column, Iterator) else list(column)
