"""CategoryEncoder: values of any kind to category codes, column by column."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.missing import written

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Ints

FRACTIONS = (float, Decimal)
UNKNOWN = float(1 << 24)  # beyond the categories of every column


@dataclass(frozen=True)
class CategoryEncoder:
    """The categories of each column, sorted, so that their codes do not depend on the order in which they came.

    Examples
    --------
    >>> encoder = CategoryEncoder.of([["red", "green", None]])
    >>> encoder.categories
    (('green', 'red'),)
    >>> encoder.codes([["red", "blue", None]]).ravel().tolist()
    [1.0, 16777216.0, nan]
    """

    categories: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, columns: Sequence[Iterable[Any]]) -> CategoryEncoder:
        """The categories that occur."""
        return cls(tuple(_sorted(plain(value) for value in _distinct(column)) for column in columns))

    def united(self, other: CategoryEncoder) -> CategoryEncoder:
        """The categories of both."""
        columns = zip(self._tables, self.categories, other.categories, strict=True)
        whole = tuple(
            mine if known.keys() >= set(theirs) else _sorted(mine + theirs) for known, mine, theirs in columns
        )
        return self if whole == self.categories else CategoryEncoder(whole)

    def codes(self, columns: Sequence[Iterable[Any]]) -> Array:
        """Codes (n, d): NaN for a missing value, 2**24 for an unknown one."""
        encoded = []
        for table, column in zip(self._tables, columns, strict=True):
            cells = list(column)
            plains = ((value, plain(value)) for value in _distinct(cells))  # one that is there a thousand times, once
            found = {value: np.nan if bare is None else table.get(bare, UNKNOWN) for value, bare in plains}
            encoded.append([found[value] for value in cells])
        return np.array(encoded, dtype=np.float32).T.copy()  # whole numbers up to 2**24

    @cached_property
    def _tables(self) -> list[dict[Any, int]]:
        """Per column, the code of each category; kept, for making them takes longer than a row."""
        return [{value: code for code, value in enumerate(known)} for known in self.categories]

    def twins(self, column: int, values: Iterable[Any]) -> tuple[Any, Any] | None:
        """One of these values and a category, one of them text and the other none, that can be taken for each other.

        They are written alike, or it is the first value of its kind beside categories that are all of the other.
        """
        known = self._written[column]
        for value in values:
            other = known[not isinstance(value, str)]
            if other and not known[isinstance(value, str)]:
                return value, next(iter(other.values()))
            if other and (form := written(value)) in other:
                return value, other[form]
        return None

    @cached_property
    def _written(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Per column, the categories that are no text and those that are, as they are written."""
        columns: list[tuple[dict[str, Any], dict[str, Any]]] = []
        for known in self.categories:
            columns.append(({}, {}))
            for value in known:
                columns[-1][isinstance(value, str)][written(value)] = value
        return columns

    def __getstate__(self) -> dict[str, Any]:
        return {"categories": self.categories}  # the rest is made when it is asked for

    @property
    def sizes(self) -> Ints:
        """Number of categories per column."""
        return np.array([len(known) for known in self.categories], dtype=np.int64)

    def places(self, larger: CategoryEncoder) -> list[Ints]:
        """Per column, the codes that its categories have in a larger encoder."""
        places: list[Ints] = []
        for mine, table in zip(self.categories, larger._tables, strict=True):
            places.append(np.array([table[value] for value in mine], dtype=np.int64))
        return places

    def values(self, codes: Array) -> Array:
        """The categories that codes stand for, as objects."""
        decoded = np.empty(codes.shape, dtype=object)
        for j, known in enumerate(self.categories):
            decoded[:, j] = [known[int(code)] if code < len(known) else None for code in codes[:, j]]
        return decoded


def plain(value: Any) -> Any:
    """A Python value; None for what is missing (None, NaN, NaT, NA)."""
    if isinstance(value, np.generic):
        value = float(value) if isinstance(value, np.longdouble) else value.item()  # whose item is itself
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, FRACTIONS) and value != value:
        return None
    return value


def _distinct(values: Iterable[Any]) -> set[Any]:
    try:
        return set(values)
    except TypeError:
        strange = next(value for value in values if not isinstance(value, Hashable))
        raise TypeError(f"a category argument must be a string or a number, found {strange!r}") from None


def _sorted(values: Iterable[Any]) -> tuple[Any, ...]:
    kept = set(values)
    kept.discard(None)
    try:
        return tuple(sorted(kept))
    except TypeError:  # kinds that cannot be compared: by kind first
        return tuple(sorted(kept, key=lambda value: (type(value).__name__, str(value))))
