"""Bins: how often each class had a number of each cell of a grid that is the same for all data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from bayleaf.errors import BayleafError, MismatchError, NegativeCountError
from bayleaf.tally import sound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayleaf.arrays import Array, Floats, Ints

LEFT = 44  # bits of the mantissa that are left away: eight stay, so a cell is 0.2 to 0.4 % of its numbers wide

INFINITE = 0x7FF << 52 - LEFT  # the cell of infinity, which no record has
NOBODY = -INFINITE


def cells(numbers: Floats) -> Ints:
    """The cell of each number, in the order of the numbers; they must not be NaN.

    >>> cells(np.array([-2.0, -0.0, 1.0, 1.001, 1.004])).tolist()
    [-262144, 0, 261888, 261888, 261889]
    """
    width: Ints = np.abs(numbers).view(np.int64) >> LEFT
    return np.where(numbers < 0, -width, width)


def least(codes: Ints) -> Floats:
    """The number of each cell that is nearest to 0.

    >>> least(cells(np.array([-3.1, 0.0, 100.3]))).round(2).tolist()
    [-3.09, 0.0, 100.25]
    """
    numbers: Floats = (np.abs(codes) << LEFT).view(np.float64)
    return np.where(codes < 0, -numbers, numbers)


@dataclass(frozen=True, eq=False)
class Bins:
    """Counts by class, column and cell. Since the grid does not hang on the data, they add up exactly.

    Examples
    --------
    >>> seen = Bins.zero(2, 1).learned(np.array([[1.0], [1.001], [3.0]]), np.array([0, 0, 1]))
    >>> seen.counts[0].tolist()
    [[2, 0], [0, 1]]
    """

    codes: Sequence[Ints]  # of the cells of each column, rising
    counts: Sequence[Ints]  # (k, cells) for each column

    @classmethod
    def zero(cls, k: int, d: int) -> Self:
        """Nothing seen yet of `k` classes and `d` columns."""
        return cls([np.zeros(0, dtype=np.int64)] * d, [np.zeros((k, 0), dtype=np.int64)] * d)

    def learned(self, numbers: Floats, classes: Ints, sign: int = 1) -> Self:
        """The same with the numbers (n, d) of records of these classes; NaN is left out."""
        found = []
        for column, counts in zip(numbers.T, self.counts, strict=True):
            there = ~np.isnan(column)
            codes, places = np.unique(cells(np.ascontiguousarray(column[there])), return_inverse=True)
            fresh = np.zeros((len(counts), len(codes)), dtype=np.int64)
            np.add.at(fresh, (classes[there], places), 1)
            found.append((codes, fresh))
        return self.added(type(self)([codes for codes, _ in found], [fresh for _, fresh in found]), sign)

    def added(self, other: Bins, sign: int = 1) -> Self:
        """The sum, or the difference; refuses to take away what is not there."""
        if len(self.codes) != len(other.codes):
            raise MismatchError(f"Found bins of {len(other.codes)} columns, expected {len(self.codes)}")
        codes, counts = [], []
        for mine, held, theirs, more in zip(self.codes, self.counts, other.codes, other.counts, strict=True):
            places = np.searchsorted(mine, theirs)
            new = np.append(mine, NOBODY)[places] != theirs
            united, total = np.insert(mine, places[new], theirs[new]), np.insert(held, places[new], 0, axis=1)
            places = np.searchsorted(united, theirs)
            total[:, places] += sign * more
            if (total[:, places] < 0).any():
                raise NegativeCountError(
                    "Found numbers that were never learned with these labels, expected records as they were learned; "
                    "nothing was changed"
                )
            gone = places[~total[:, places].any(axis=0)]
            codes.append(np.delete(united, gone))
            counts.append(np.delete(total, gone, axis=1))
        return type(self)(codes, counts)

    def regrouped(self, places: Ints, k: int) -> Self:
        """The same counts with class c at ``places[c]`` of k."""
        if np.array_equal(places, np.arange(k)):
            return self
        counts = []
        for held in self.counts:
            wider = np.zeros((k, held.shape[1]), dtype=np.int64)
            wider[places] = held
            counts.append(wider)
        return type(self)(self.codes, counts)

    @classmethod
    def restored(cls, arrays: Mapping[str, Array], n: Floats) -> Self:
        """The bins of a file; `n` (k, d) says how many numbers of each class and column there are."""
        sound.refuse_others(arrays, ("sizes", "codes", "counts"))
        sizes, codes, counts = (arrays[name] for name in ("sizes", "codes", "counts"))
        k, d = n.shape
        if any(array.dtype != np.int64 for array in (sizes, codes, counts)) or sizes.shape != (d,) or (sizes < 0).any():
            raise BayleafError(f"Found sizes of bins of the shape {sizes.shape}, expected {(d,)}, all in whole numbers")
        if codes.shape != (sizes.sum(),) or counts.shape != (k, len(codes)):
            raise BayleafError(f"Found bins of the shape {counts.shape}, expected {(k, int(sizes.sum()))}")
        cuts = np.cumsum(sizes)[:-1]
        found = cls(np.split(codes, cuts), np.split(counts, cuts, axis=1))
        if any((np.diff(column) <= 0).any() for column in found.codes) or (counts < 0).any():
            raise BayleafError("Found bins that do not rise or counts below zero; expected what rows can leave")
        if (codes <= -INFINITE).any() or (codes >= INFINITE).any():
            raise BayleafError("Found bins beyond all numbers; expected what rows can leave")
        if any(not np.array_equal(held.sum(axis=1), n[:, j]) for j, held in enumerate(found.counts)):
            raise BayleafError("Found other numbers in the bins than in the table; expected the same records in both")
        return found

    def arrays(self) -> dict[str, Array]:
        """What is written to a file."""
        sizes = np.array([len(codes) for codes in self.codes], dtype=np.int64)
        return {"sizes": sizes, "codes": np.concatenate(self.codes), "counts": np.concatenate(self.counts, axis=1)}
