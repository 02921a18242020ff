"""CategoryEncoder: values of any kind to category codes, column by column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Ints

MISSING = -1


@dataclass(frozen=True)
class CategoryEncoder:
    """The categories of each column, sorted, so that their codes do not depend on the order in which they came.

    Examples
    --------
    >>> encoder = CategoryEncoder.of([["red", "green", None]])
    >>> encoder.categories
    (('green', 'red'),)
    >>> encoder.codes([["red", "blue", None]]).ravel().tolist()
    [1, 2, -1]
    """

    categories: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, columns: Sequence[Iterable[Any]]) -> CategoryEncoder:
        """The categories that occur."""
        return cls(tuple(_sorted(plain(value) for value in column) for column in columns))

    def united(self, other: CategoryEncoder) -> CategoryEncoder:
        """The categories of both."""
        pairs = zip(self.categories, other.categories, strict=True)
        return CategoryEncoder(tuple(mine if mine == theirs else _sorted(mine + theirs) for mine, theirs in pairs))

    def codes(self, columns: Sequence[Iterable[Any]]) -> Array:
        """Codes (n, d): -1 for a missing value, the number of categories for an unknown one."""
        encoded = []
        for known, column in zip(self.categories, columns, strict=True):
            table = {value: code for code, value in enumerate(known)}
            unknown = len(known)
            plains = (plain(value) for value in column)
            encoded.append([MISSING if value is None else table.get(value, unknown) for value in plains])
        return np.array(encoded, dtype=np.int32).T.copy()

    def unknown(self, codes: Array) -> tuple[int, int] | None:
        """Row and column of the first unknown value."""
        strange = np.argwhere(codes >= self.sizes)
        return None if not len(strange) else (int(strange[0, 0]), int(strange[0, 1]))

    @property
    def sizes(self) -> Ints:
        """Number of categories per column."""
        return np.array([len(known) for known in self.categories], dtype=np.int64)

    def places(self, larger: CategoryEncoder) -> list[Ints]:
        """Per column, the codes that its categories have in a larger encoder."""
        places: list[Ints] = []
        for mine, theirs in zip(self.categories, larger.categories, strict=True):
            table = {value: code for code, value in enumerate(theirs)}
            places.append(np.array([table[value] for value in mine], dtype=np.int64))
        return places

    def values(self, codes: Array) -> Array:
        """The categories that codes stand for, as objects."""
        decoded = np.empty(codes.shape, dtype=object)
        for j, known in enumerate(self.categories):
            decoded[:, j] = [known[code] for code in codes[:, j]]
        return decoded


def plain(value: Any) -> Any:
    """A Python value; None for what is missing (None, NaN, NaT, NA)."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, float) and value != value:
        return None
    return value


def _sorted(values: Iterable[Any]) -> tuple[Any, ...]:
    kept = set()
    for value in values:
        try:
            kept.add(value)
        except TypeError:
            raise TypeError(f"a category argument must be a string or a number, found {value!r}") from None
    kept.discard(None)
    try:
        return tuple(sorted(kept))
    except TypeError:  # kinds that cannot be compared: by kind first
        return tuple(sorted(kept, key=lambda value: (type(value).__name__, str(value))))
