"""Batches: texts, labels and groups, tens of thousands at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from numbers import Number
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayleaf.encoders.documents import as_list, slices
from bayleaf.encoders.documents import batches as lists
from bayleaf.errors import BayleafError
from bayleaf.text.numbered import Numbered

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Ints
    from bayleaf.encoders.text import TextEncoder
    from bayleaf.tally.keyed import Fields

HELD = 65_536  # documents that are in memory anyway: the more at a time, the less often the counts go through the cache
SIZE = 32_768  # documents of an iterator, of which two batches are in memory at once,
ROOM = 1 << 25  # and characters of them, about
STEP = 1_024  # documents of an iterator that are drawn at once
END = object()


class Documents(NamedTuple):
    """Some documents."""

    fields: Fields
    labels: Numbered
    groups: list[Any] | None


def batches(estimator: Any, encoder: TextEncoder, X: Any, y: Any, groups: Any = None) -> Iterator[Documents]:
    """The documents in parts; what is in memory is checked as a whole first, an iterator as it comes."""
    _refuse_one(X)
    if is_held(X):
        fields, y, groups = whole(encoder, X), held_list(y), held_list(groups)
        sizes = [len(part) for part in (*fields[1][:1], y, groups) if part is not None]
        if len(set(sizes)) > 1:
            raise BayleafError(
                f"Found input variables with inconsistent numbers of samples: {sizes}. "
                "Pass one label (and group) per text"
            )
        parts = iter(in_slices(fields, HELD))
    else:
        parts = (encoder.fields(texts) for texts in _drawn(X))
    held = Numbered.of(estimator, y) if y is None or hasattr(y, "__len__") else None
    answers, names, seen = iter(y if held is None else ()), None if groups is None else iter(groups), 0
    for fields in parts:
        count = len(fields[1][0])
        given = Numbered.of(estimator, list(islice(answers, count))) if held is None else held[seen : seen + count]
        some = None if names is None else list(islice(names, count))
        if len(given) != count or (some is not None and len(some) != count):
            raise BayleafError("Found more texts than labels or groups; pass one label (and group) per text")
        seen += count
        yield Documents(fields, given, some)
    rests = (answers, names or iter(()), iter(() if held is None else held[seen:].tolist()))
    if any(next(rest, END) is not END for rest in rests):
        raise BayleafError("Found more labels or groups than texts; pass one label (and group) per text")


def _drawn(X: Iterable[Any]) -> Iterator[list[Any]]:
    """The documents of an iterator in parts of bounded size."""
    held: list[Any] = []
    size = 0
    for some in lists(X, STEP):
        held += some
        size += sum(len(text) for text in some if isinstance(text, str))
        if size >= ROOM or len(held) >= SIZE:
            yield held
            held, size = [], 0
    if held:
        yield held


def held_list(part: Any) -> Any:
    """Labels or groups with a length: an iterator becomes a list."""
    return part if part is None or hasattr(part, "__len__") else list(part)


def is_held(X: Any) -> bool:
    """Whether all documents are in memory anyway, and not drawn from an iterator."""
    return is_record(X) or hasattr(X, "__len__")


def is_record(X: Any) -> bool:
    """Whether X has named fields: a mapping or a data frame that is in memory."""
    return isinstance(X, Mapping) or (not _is_lazy(X) and hasattr(X, "columns") and hasattr(X, "__getitem__"))


def whole(encoder: TextEncoder, X: Any) -> Fields:
    """All documents at once; the fields by name, in whatever order they come."""
    if isinstance(X, list):  # the usual case: what else it could be takes a short text 2 µs of 30
        return encoder.fields(X)
    _refuse_one(X)
    if is_record(X):
        columns = {str(name): _field(X[name]) for name in _names(X)}
        return encoder.fields(dict(sorted(columns.items())))
    return encoder.fields(as_list(X))


def _field(column: Any) -> list[Any]:
    """The texts of a field; one text is refused, whose letters would be taken for texts."""
    _refuse_one(column)
    return as_list(column)


def _refuse_one(X: Any) -> None:
    """Refuse what is no collection of texts."""
    if isinstance(X, list):
        return
    if isinstance(X, str | bytes):
        raise ValueError(f"expected several texts, found one {type(X).__name__}; put it in a list")
    if _is_lazy(X):
        raise TypeError(f"Found {type(X).__name__}, expected texts in memory; call its collect() first")
    if isinstance(X, set | frozenset):
        raise TypeError(f"Found a {type(X).__name__}, expected texts in the order of their labels; pass a list")
    if X is None or isinstance(X, Number):
        raise TypeError(f"Found {type(X).__name__}, expected texts; pass a list, an iterator or a column of str")


def _is_lazy(X: Any) -> bool:
    """Whether X is a plan for a table, as polars and Spark have them: it has no rows yet."""
    return hasattr(X, "collect")


def in_slices(fields: Fields, most: int | None = None) -> Iterable[Fields]:
    """Documents in parts that a native call reads in a few seconds, of at most so many documents."""
    tags, columns = fields
    if columns and len(columns[0]) == 1:  # which cannot be cut; asking how long it is would take a tenth of its time
        return [fields]
    return ((tags, [column[part] for column in columns]) for part in slices(columns, most))


def _names(X: Any) -> Iterable[Any]:
    return X if isinstance(X, Mapping) else getattr(X, "column_names", X.columns)


def in_parts(
    fields: Fields, codes: Ints, groups: Array | None, most: int
) -> Iterator[tuple[Ints, tuple[Fields, Ints, Array | None]]]:
    """Documents in parts of at most about so many, whole groups each: rows, and their fields, codes and groups."""
    order = np.arange(len(codes)) if groups is None else np.argsort(groups, kind="stable")
    start = 0
    while start < len(order):
        end = min(start + most, len(order))
        while groups is not None and end < len(order) and groups[order[end]] == groups[order[end - 1]]:
            end += 1
        part = order[start:end]
        chosen = [[column[i] for i in part] for column in fields[1]]
        yield part, ((fields[0], chosen), codes[part], None if groups is None else groups[part])
        start = end
