"""Counts: for each class and column the weighted sum of the values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayleaf._core import Batch
from bayleaf.errors import MismatchError
from bayleaf.tally import sound
from bayleaf.tally.residue import less, refuse_missing, remainder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.rows import Rows


class Counts:
    """An additive group of class x column sums; integer counts are exact up to 2**53.

    Parameters
    ----------
    weight : array of shape (k,)
        Weight of the rows seen per class.
    table : array of shape (k, d)
        Sum of the values per class and column.
    absent : array of shape (k, d), optional
        Weight of the rows in which the column was missing; left out while none was.

    Examples
    --------
    >>> import numpy as np
    >>> from bayleaf import Counts
    >>> from bayleaf.rows import Rows
    >>> seen = Counts.zero(2, 3)
    >>> seen.learn(Rows.of(np.array([[1.0, 0, 2], [0, 4, 0]])), np.array([0, 1]))
    >>> seen.table
    array([[1., 0., 2.],
           [0., 4., 0.]])
    >>> (seen + seen - seen) == seen
    True
    """

    __slots__ = ("absent", "table", "weight")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, weight: Floats, table: Floats, absent: Floats | None = None) -> None:
        self.weight, self.table, self.absent = weight, table, absent

    @classmethod
    def zero(cls, k: int, d: int) -> Self:
        """Nothing seen yet of `k` classes and `d` columns."""
        return cls(np.zeros(k), np.zeros((k, d)))

    def learn(self, rows: Rows, codes: Ints, weights: Floats | None = None, sign: float = 1.0) -> None:
        """Add `sign` times the rows, in place; a refused batch changes nothing."""
        if rows.run(Batch.count, codes, weights, sign, self.weight, self.table):
            if self.absent is None:
                self.absent = np.zeros_like(self.table)
            rows.run(Batch.count_absent, codes, weights, sign, self.absent)

    def refuse_unlearned(self, rows: Rows, codes: Ints, weights: Floats) -> None:
        """Refuse rows that cannot have been learned, because some count is smaller than theirs."""
        row, column, value = rows.entries()
        held = self.table[codes[row], column]
        refuse_missing(row, held - weights[row] * value, held)
        refuse_missing(np.arange(len(codes)), self.weight[codes] - weights, self.weight[codes])

    @property
    def observed(self) -> Floats:
        """Weight of the rows per class in which each column was not missing, (k, d) or (k, 1)."""
        weight = self.weight[:, None]
        return weight if self.absent is None else less(weight, self.absent)

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.table.shape[1])

    def over_columns(self, values: Floats) -> Floats:
        """The sum of (d, k) `values` over the columns, (k,)."""
        total: Floats = values.sum(axis=0)
        return total

    def copy(self) -> Self:
        """The same tally in arrays of its own."""
        return self * 1.0

    def __add__(self, other: Self) -> Self:
        return self._combine(other, 1.0)

    def __sub__(self, other: Self) -> Self:
        return self._combine(other, -1.0)

    def _combine(self, other: Self, sign: float) -> Self:
        if not isinstance(other, Counts):
            return NotImplemented
        if self.table.shape != other.table.shape:
            raise MismatchError(
                f"Cannot add counts of shape {other.table.shape} to counts of shape {self.table.shape}; expected the "
                "same classes and columns. Encode both with the same columns"
            )
        absent = None if self.absent is None else self.absent.copy()
        if other.absent is not None:
            absent = sign * other.absent if absent is None else absent + sign * other.absent
        return type(self)(self.weight + sign * other.weight, self.table + sign * other.table, absent)

    def __mul__(self, scale: float) -> Self:
        absent = None if self.absent is None else self.absent * scale
        return type(self)(self.weight * scale, self.table * scale, absent)

    def __rmul__(self, scale: float) -> Self:
        return self * scale

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        mine, theirs = self.absent, other.absent
        return (
            np.array_equal(self.weight, other.weight)
            and np.array_equal(self.table, other.table)
            and np.array_equal(0 * self.table if mine is None else mine, 0 * self.table if theirs is None else theirs)
        )

    def after_removal(self, before: Self, names: Sequence[Any] | Array | None = None) -> Self:
        """This tally as what is left of `before`; refuses counts below zero, by the names of the columns."""
        absent = self.absent
        if absent is not None:
            start = np.zeros_like(absent) if before.absent is None else before.absent
            absent = remainder(start, absent, "missing values", names)
        weight = remainder(before.weight, self.weight, "rows")
        return type(self)(weight, remainder(before.table, self.table, "of a count", names), absent)

    def regrouped(self, places: Ints, k: int) -> Self:
        """The same tally with its classes at other `places` among `k`."""
        grown = type(self).zero(k, self.table.shape[1])
        grown.weight[places], grown.table[places] = self.weight, self.table
        if self.absent is not None:
            grown.absent = np.zeros_like(grown.table)
            grown.absent[places] = self.absent
        return grown

    def arrays(self) -> dict[str, Array]:
        """The arrays by name."""
        named = {"weight": self.weight, "table": self.table}
        return named if self.absent is None else {**named, "absent": self.absent}

    @classmethod
    def restored(cls, arrays: Mapping[str, Array], k: int, d: int) -> Self:
        """The tally of `k` classes and `d` columns in a file; refuses what no rows can have left."""
        sound.refuse_others(arrays, ("weight", "table"), ("absent",))
        absent = sound.counts(arrays, "absent", (k, d)) if "absent" in arrays else None
        return cls(sound.counts(arrays, "weight", (k,)), sound.counts(arrays, "table", (k, d)), absent)
