"""Documents from whatever people keep them in: lists, iterators, arrays, Arrow and data frame columns."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

BATCH = 4096  # documents of an iterator that are in memory at once
READ = 1 << 27  # characters that one native call is given, of one to five seconds: Ctrl-C is heard between calls


def as_list(source: Iterable[Any]) -> list[Any]:
    """Return all documents as a list.

    >>> as_list(text for text in ("one", "two"))
    ['one', 'two']
    """
    held = _held(source)
    return list(source) if held is None else held


def batches(source: Iterable[Any], size: int = BATCH, whole: bool = False) -> Iterator[list[Any]]:
    """Yield lists of documents; with `whole`, something that is in memory anyway comes in as few as `slices` says.

    >>> list(batches((str(i) for i in range(5)), size=2))
    [['0', '1'], ['2', '3'], ['4']]
    """
    held = _held(source)
    if held is not None and whole:
        yield from (held[part] for part in slices([held]))
        return
    rest = iter(source if held is None else held)
    while batch := list(islice(rest, size)):
        yield batch


def slices(columns: Sequence[Sequence[Any]], most: int | None = None) -> list[slice]:
    """Slices of texts side by side of about `READ` characters each, and at most so many texts.

    >>> slices([["one", "two", "three"]], most=2)
    [slice(0, 2, None), slice(2, 3, None)]
    """
    count = len(columns[0]) if columns else 0
    most = max(count, 1) if most is None else most
    try:
        held = sum(sum(map(len, column)) for column in columns)
    except TypeError:  # no text, which whoever reads it refuses
        held = 0
    if held <= READ:
        return [slice(start, min(start + most, count)) for start in range(0, count, most)]
    ends = np.sum([np.cumsum(np.fromiter(map(len, column), np.int64, count)) for column in columns], axis=0)
    parts: list[slice] = []
    start = 0
    while start < count:
        room = READ + (int(ends[start - 1]) if start else 0)
        end = min(start + most, max(int(np.searchsorted(ends, room, side="right")), start + 1), count)
        parts.append(slice(start, end))
        start = end
    return parts


def unwrapped(source: Any) -> Any:
    """Return documents whose iteration gives Python's own str: a column of Arrow's gives scalars of Arrow's."""
    _refuse_table(source)
    return source.to_pylist() if hasattr(source, "to_pylist") else source


def _refuse_table(source: Any) -> None:
    """Refuse a data frame: iterated it would give the names of its columns, or rows, for texts."""
    if hasattr(source, "columns") and hasattr(source, "__getitem__"):
        names = list(getattr(source, "column_names", source.columns))
        remedy = f"pass that column, X[{names[0]!r}]" if names else "pass a column"
        raise ValueError(f"found a table with the columns {names}, expected one column of texts; {remedy}")


def _held(source: Any) -> list[Any] | None:
    """Return what is in memory as a list, else None: Arrow columns and series convert faster than they iterate."""
    if isinstance(source, list):
        return source
    _refuse_table(source)
    if isinstance(source, tuple):
        return list(source)
    if isinstance(source, np.ndarray):
        return source.tolist() if source.ndim == 1 else list(source)
    for name in ("to_pylist", "to_list", "tolist"):
        if callable(method := getattr(source, name, None)):
            return list(method())
    if hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__"):
        import pyarrow as pa  # noqa: PLC0415 - an optional reader for columns that know Arrow's protocol only

        return list(pa.chunked_array(source).to_pylist())
    return None
