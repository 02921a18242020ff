"""Bins: how often each class had a number of each cell of a grid that is the same for all data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from bayleaf.errors import BayleafError, MismatchError, NegativeCountError
from bayleaf.tally import sound
from bayleaf.tally.narrow import narrow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bayleaf.arrays import Array, Floats, Ints

BITS = 10  # of the mantissa: a cell is 0.05 to 0.1 % of its numbers wide, and whole numbers below 2,048 have one each
INFINITE = 0x7FF << BITS  # the cell of infinity, which no record has; those beyond are of NaN
CELL, CLASS = 12 + BITS, 20  # bits of a cell and of a class in a key; what is left of 63 is the column
LABELS, COLUMNS = 1 << CLASS, 1 << 63 - CELL - CLASS
NAMES = ("sizes", "cells", "classes", "counts")  # of the arrays in a file


def cells(numbers: Floats) -> Ints:
    """The cell of each number, in the order of the numbers; missing ones come last.

    >>> cells(np.array([-2.0, -0.0, 1.0, 1.0005, 1.001, np.nan]))[:-1].tolist()
    [-1048576, 0, 1047552, 1047552, 1047553]
    """
    width: Ints = np.abs(numbers).view(np.int64) >> 52 - BITS
    return np.where(numbers < 0, -width, width)


def least(codes: Ints) -> Floats:
    """The number of each cell that is nearest to 0.

    >>> least(cells(np.array([-3.1, 0.0, 100.3]))).round(2).tolist()
    [-3.1, 0.0, 100.25]
    """
    numbers: Floats = (np.abs(codes) << 52 - BITS).view(np.float64)
    return np.where(codes < 0, -numbers, numbers)


def plainest(code: int) -> float:
    """The number of a cell that has the fewest digits: mostly the one that was counted there, if it had few.

    >>> [plainest(int(code)) for code in cells(np.array([-5.1, 0.0, 37.0, 1999.0, 1 / 3]))]
    [-5.1, 0.0, 37.0, 1999.0, 0.3333]
    """
    first, last = least(np.array([code, code + (1 if code >= 0 else -1)])).tolist()
    for digits in range(1, 6):
        for number in (first, (first + last) / 2):
            short = float(f"{number:.{digits}g}")
            if cells(np.array([short]))[0] == code:
                return short
    return float(first)


@dataclass(frozen=True, eq=False)
class Bins:
    """Counts by column, cell and class. Since the grid does not hang on the data, they add up exactly.

    Only what was seen has an entry: 16 bytes for each different number of a column and class, at most.

    Examples
    --------
    >>> seen = Bins.zero(2, 1).learned(np.array([[1.0], [1.0005], [3.0]]), np.array([0, 0, 1]))
    >>> codes, classes, counts = seen.column(0)
    >>> classes.tolist(), counts.tolist()
    ([0, 1], [2, 1])
    """

    k: int
    d: int
    keys: Ints  # column, cell and class in one number each, rising
    counts: Ints

    def __post_init__(self) -> None:
        if self.k > LABELS or self.d > COLUMNS:
            raise BayleafError(f"Found {self.k} labels and {self.d} columns, expected at most {LABELS} and {COLUMNS}")

    @classmethod
    def zero(cls, k: int, d: int) -> Self:
        """Nothing seen yet of `k` classes and `d` columns."""
        return cls(k, d, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))

    def learned(self, numbers: Floats, classes: Ints, sign: int = 1) -> Self:
        """The same with the numbers (n, d) of records of these classes; NaN is left out."""
        rows, columns = np.nonzero(~np.isnan(numbers))
        found = _keys(columns, cells(numbers[rows, columns]), classes[rows])
        return self.added(type(self)(self.k, self.d, *np.unique(found, return_counts=True)), sign)

    def added(self, other: Bins, sign: int = 1) -> Self:
        """The sum, or the difference; refuses to take away what is not there."""
        if self.d != other.d:
            raise MismatchError(f"Found bins of {other.d} columns, expected {self.d}")
        places = np.searchsorted(self.keys, other.keys)
        new = np.append(self.keys, -1)[places] != other.keys
        keys, counts = np.insert(self.keys, places[new], other.keys[new]), np.insert(self.counts, places[new], 0)
        places += np.cumsum(new) - new
        counts[places] += sign * other.counts
        if (counts[places] < 0).any():
            raise NegativeCountError(
                "Found numbers that were never learned with these labels, expected records as they were learned; "
                "nothing was changed"
            )
        gone = places[counts[places] == 0]
        return type(self)(self.k, self.d, np.delete(keys, gone), np.delete(counts, gone))

    def regrouped(self, places: Ints, k: int) -> Self:
        """The same counts with class c at ``places[c]`` of k."""
        if np.array_equal(places, np.arange(k)):
            return self
        classes = self.keys & (1 << CLASS) - 1
        keys = self.keys + places[classes] - classes
        order = np.argsort(keys, kind="stable")
        return type(self)(k, self.d, keys[order], self.counts[order])

    def column(self, j: int) -> tuple[Ints, Ints, Ints]:
        """Cells, classes and counts of the entries of a column, by cell."""
        start, end = np.searchsorted(self.keys, [j << CELL + CLASS, (j + 1) << CELL + CLASS])
        keys = self.keys[start:end]
        codes = (keys >> CLASS) - (j << CELL) - (1 << CELL - 1)
        return codes, keys & (1 << CLASS) - 1, self.counts[start:end]

    @classmethod
    def restored(cls, arrays: Mapping[str, Array], n: Floats) -> Self:
        """The bins of a file; `n` (k, d) says how many numbers of each class and column there are."""
        sound.refuse_others(arrays, NAMES)
        if not all(np.can_cast(array.dtype, np.int64) and array.ndim == 1 for array in arrays.values()):
            raise BayleafError("Found bins that are no lists of whole numbers")
        sizes, codes, classes, counts = (arrays[name].astype(np.int64) for name in NAMES)
        k, d = n.shape
        held = {len(codes), len(classes), len(counts), int(sizes.sum())}
        if len(held) > 1 or len(sizes) != d or not ((sizes >= 0) & (sizes <= len(codes))).all():
            raise BayleafError(
                f"Found bins of {len(sizes)} columns with {sizes.sum()} entries, expected {d} with {len(codes)}"
            )
        inside = (codes > -INFINITE) & (codes < INFINITE) & (classes >= 0) & (classes < k) & (counts > 0)
        columns = np.repeat(np.arange(d), sizes)
        found = cls(k, d, _keys(columns, codes, classes), counts)
        if not inside.all() or (np.diff(found.keys) <= 0).any():
            raise BayleafError("Found bins beyond all numbers, or that do not rise; expected what rows can leave")
        if not np.array_equal(np.bincount(classes * d + columns, counts, k * d).reshape(k, d), n):
            raise BayleafError("Found other numbers in the bins than in the table; expected the same records in both")
        return found

    def arrays(self) -> dict[str, Array]:
        """What is written to a file."""
        columns = [self.column(j) for j in range(self.d)]
        codes, classes, counts = (np.concatenate(parts) for parts in zip(*columns, strict=True))
        sizes = np.array([len(codes) for codes, _, _ in columns])
        lists = zip(NAMES, (narrow(sizes), codes.astype(np.int32), narrow(classes), narrow(counts)), strict=True)
        return dict(lists)


def _keys(columns: Ints, codes: Ints, classes: Ints) -> Ints:
    return ((columns << CELL) + codes + (1 << CELL - 1) << CLASS) + classes
