"""Moments: for each class and column how many values were seen, and the sums of z and z² with z = x - pivot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf._core import Batch
from bayleaf.errors import BadValueError, MismatchError
from bayleaf.tally import sound
from bayleaf.tally.residue import less, refuse_missing, refuse_spread, remainder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.rows import Rows

# A pivot this many standard deviations from the mean costs 64 times the rounding error of a perfect one (1e-14);
# farther than that the sums are moved to the mean, so that what comes later does not suffer.
DRIFT = 8.0
SAME = 1e-9
APART = 1e153  # the square of a distance between classes is still a number
# A sum of squared deviations falls below zero where a value was never learned, and by rounding: an outlier of 1e5 that
# was taken away leaves an error of 1e-6 behind. So it is refused only beyond 100 times what was there, which a value
# 10 sqrt(n) standard deviations away does, and 1e-6 of the size that the column has in any class, or 1e-10 where all of
# it is 0 by now. Learned rows then go one by one down to none: in 60 of 60 orders after an outlier of 1e7 standard
# deviations, in 48 after one of 1e8, whose rounding is as large as the rest; and with fractional weights, in 4,000 of
# 4,000 orders.
BELOW, NEAR, LEAST = 100.0, 1e-12, 1e-12
BLOCK = 1 << 18  # values looked at in one go: 2 MiB per array


class Moments:
    """An additive group of pivoted sums.

    Centred moments (n, mean, M2) are not a group: subtracting until n = 0 loses the mean. Raw sums of x and x² are,
    but lose all digits at mean 1e9. Sums about a pivot near the mean are both exact and a group.

    Parameters
    ----------
    weight : array of shape (k,)
        Weight of the rows seen per class.
    n, sum, square : arrays of shape (k, d)
        Weight, sum of z and sum of z² of the values that were not missing.
    pivot : array of shape (k, d)
        What was taken off each value.

    Examples
    --------
    >>> import numpy as np
    >>> from bayleaf import Moments
    >>> from bayleaf.rows import Rows
    >>> seen = Moments.zero(1, 1)
    >>> seen.learn(Rows.of(np.array([[1e9 + 1], [1e9 + 2], [1e9 + 3]])), np.array([0, 0, 0]))
    >>> seen.variance.item()
    0.6666666666666666
    """

    __slots__ = ("n", "pivot", "square", "sum", "weight")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, weight: Floats, n: Floats, sum: Floats, square: Floats, pivot: Floats) -> None:
        self.weight, self.n, self.sum, self.square, self.pivot = weight, n, sum, square, pivot

    @classmethod
    def zero(cls, k: int, d: int) -> Moments:
        """Nothing seen yet of `k` classes and `d` columns."""
        return cls(np.zeros(k), *(np.zeros((k, d)) for _ in range(4)))

    def column(self, j: int) -> Moments:
        """What was seen of one column."""
        return Moments(self.weight, *(part[:, j : j + 1] for part in (self.n, self.sum, self.square, self.pivot)))

    @property
    def _fresh(self) -> Array:
        fresh: Array = (self.n == 0) & (self.sum == 0) & (self.square == 0)
        return fresh

    def learn(self, rows: Rows, codes: Ints, weights: Floats | None = None, sign: float = 1.0) -> None:
        """Add `sign` times the rows, in place; a refused batch changes nothing."""
        pivot = self.pivot
        fresh = self._fresh
        if sign > 0 and fresh.any():
            first = rows.run(Batch.pivots, codes, len(self.weight)).reshape(pivot.shape)
            pivot = np.where(fresh, first, pivot)
        weight, n, total, square = rows.run(Batch.moments, codes, weights, pivot)
        if pivot is not self.pivot:
            _refuse_apart(pivot, ~fresh | (n.reshape(pivot.shape) > 0), rows)
        more = zip((self.weight, self.n, self.sum, self.square), (weight, n, total, square), strict=True)
        sums = [held + sign * part.reshape(held.shape) for held, part in more]
        # At once: whoever interrupts comes before or after.
        self.pivot, (self.weight, self.n, self.sum, self.square) = pivot, sums
        self._settle()

    def refuse_unlearned(self, rows: Rows, codes: Ints, weights: Floats) -> None:
        """Refuse rows that cannot have been learned: their class holds less than they weigh, or nothing like them."""
        refuse_missing(np.arange(len(codes)), self.weight[codes] - weights, self.weight[codes])
        step = max(1, BLOCK // max(1, self.n.shape[1]))
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            values, own, weight = rows[part].dense(), codes[part], weights[part, None]
            held, left, rounding = self._without(values, own, weight)
            there = ~np.isnan(values) & (weight > 0)
            row = start + np.nonzero(there)[0]
            refuse_missing(row, (held - weight)[there], held[there])
            refuse_missing(row, (left + rounding)[there], 0.0 * held[there])

    def _without(self, values: Floats, own: Ints, weight: Floats) -> tuple[Floats, Floats, Floats]:
        """Per value: what its class holds, the spread that is left without it, and what rounding may make of that."""
        n, size = self.n[own], np.maximum((self.mean**2 + self.variance).max(axis=0), LEAST)
        left = less(n, weight)
        with np.errstate(over="ignore", invalid="ignore"):
            z = values - self.pivot[own]
            total, square = self.sum[own] - weight * z, self.square[own] - weight * z * z
            spread = square - total * np.divide(total, left, out=np.zeros_like(total), where=left > 0)
        spread = np.where(left > 0, np.where(np.isnan(spread), -np.inf, spread), -np.abs(square))
        return n, spread, BELOW * np.abs(self._spread[own]) + np.where(left > 0, NEAR, BELOW) * n * size

    def _settle(self) -> None:
        """Move pivots that have drifted away from the data back to the mean."""
        gap = self._gap
        drifted = gap * gap > DRIFT * DRIFT * self.variance
        if drifted.any():
            settled = self.recentre(np.where(drifted, self.pivot + gap, self.pivot))
            self.pivot, self.sum, self.square = settled.pivot, settled.sum, settled.square

    @property
    def _gap(self) -> Floats:
        """Mean minus pivot, 0 where nothing was seen."""
        return np.divide(self.sum, self.n, out=np.zeros_like(self.sum), where=self.n > 0)

    @property
    def _spread(self) -> Floats:
        """Sum of squared deviations from the mean, negative where rounding left it so."""
        return self.square - self.sum * self._gap

    @property
    def mean(self) -> Floats:
        """Mean per class and column; 0 where nothing was seen."""
        return np.where(self.n > 0, self.pivot + self._gap, 0.0)

    @property
    def variance(self) -> Floats:
        """Population variance per class and column; 0 where nothing was seen."""
        gap = self._gap
        square = np.divide(self.square, self.n, out=np.zeros_like(self.sum), where=self.n > 0)
        return np.maximum(square - gap * gap, 0.0)

    def recentre(self, pivot: Floats) -> Moments:
        """The same moments about another pivot."""
        shift = pivot - self.pivot
        total = self.sum - self.n * shift
        square = self.square - shift * (self.sum + total)
        return Moments(self.weight, self.n, total, square, pivot)

    def copy(self) -> Moments:
        """The same moments in arrays of their own."""
        return Moments(*(array.copy() for array in self.arrays().values()))

    def __add__(self, other: Moments) -> Moments:
        if not isinstance(other, Moments):
            return NotImplemented
        if self.n.shape != other.n.shape:
            raise MismatchError(
                f"Cannot add moments of shape {other.n.shape} to moments of shape {self.n.shape}; expected the same "
                "classes and columns"
            )
        theirs = self._fresh | (~other._fresh & (np.abs(other.n) > np.abs(self.n)))
        pivot = np.where(theirs, other.pivot, self.pivot)
        _refuse_apart(np.vstack([self.pivot, other.pivot]), ~np.vstack([self._fresh, other._fresh]))
        a, b = self.recentre(pivot), other.recentre(pivot)
        return Moments(a.weight + b.weight, a.n + b.n, a.sum + b.sum, a.square + b.square, pivot)

    def __sub__(self, other: Moments) -> Moments:
        if not isinstance(other, Moments):
            return NotImplemented
        return self + other * -1.0

    def __mul__(self, scale: float) -> Moments:
        return Moments(self.weight * scale, self.n * scale, self.sum * scale, self.square * scale, self.pivot.copy())

    def __rmul__(self, scale: float) -> Moments:
        return self * scale

    def __eq__(self, other: object) -> bool:
        """Same weights exactly, same sums about one pivot to 1e-9 of their size."""
        if not isinstance(other, Moments):
            return NotImplemented
        if not (np.array_equal(self.weight, other.weight) and np.array_equal(self.n, other.n)):
            return False
        theirs = other.recentre(self.pivot)
        size = np.abs(self.square) + np.abs(theirs.square)
        shift = np.abs(self.sum - theirs.sum) <= SAME * (np.abs(self.sum) + np.sqrt(np.abs(self.n) * size) + size**0.5)
        return bool((shift & (np.abs(self.square - theirs.square) <= SAME * size)).all())

    def after_removal(self, before: Moments, names: Sequence[Any] | None = None) -> Moments:
        """This tally as what is left of `before`; refuses weights and spreads below zero, by the columns' names."""
        weight = remainder(before.weight, self.weight, "rows")
        n = remainder(before.n, self.n, "values", names)
        seen = n > 0
        held = before._spread
        size = np.maximum((before.mean**2 + before.variance).max(axis=0), LEAST)
        # Where none are left the sum itself is what rounding left, and large only if other values went than came.
        rounding = BELOW * np.abs(held) + np.where(seen, NEAR, BELOW) * before.n * size
        refuse_spread(held, np.where(seen, self._spread, -np.abs(self.square)), rounding, names)
        pivot = np.where(seen, self.pivot, 0.0)  # it is a value, or a mean: where all are forgotten, so is that
        return Moments(weight, n, np.where(seen, self.sum, 0.0), np.where(seen, self.square, 0.0), pivot)

    def regrouped(self, places: Ints, k: int) -> Moments:
        """The same moments with their classes at other `places` among `k`."""
        grown = Moments.zero(k, self.n.shape[1])
        for name, array in self.arrays().items():
            getattr(grown, name)[places] = array
        return grown

    def arrays(self) -> dict[str, Array]:
        """The arrays by name."""
        return {"weight": self.weight, "n": self.n, "sum": self.sum, "square": self.square, "pivot": self.pivot}

    @classmethod
    def restored(cls, arrays: Mapping[str, Array], k: int, d: int) -> Moments:
        """The moments of `k` classes and `d` columns in a file; refuses what no rows can have left."""
        sound.refuse_others(arrays, ("weight", "n", "sum", "square", "pivot"))
        sums = (sound.numbers(arrays, name, (k, d)) for name in ("sum", "square", "pivot"))
        return cls(sound.counts(arrays, "weight", (k,)), sound.counts(arrays, "n", (k, d)), *sums)


def _refuse_apart(pivot: Floats, seen: Array, rows: Rows | None = None) -> None:
    """Refuse classes so far from each other that no variance spans them: what is learned must be readable."""
    low = np.where(seen, pivot, np.inf).min(axis=0, initial=np.inf)
    high = np.where(seen, pivot, -np.inf).max(axis=0, initial=-np.inf)
    apart = high / 2 - low / 2 > APART / 2  # halves: a whole distance may be beyond float64
    if apart.any():
        column = int(apart.argmax())
        name = column if rows is None or rows.names is None else rows.names[column]
        raise BadValueError(
            f"Found values from {low[column]:g} to {high[column]:g} in column {name}; expected them within {APART:g} "
            "of each other, or their squares cannot be summed. Rescale that column, or leave such values out",
            "overflow",
            None if rows is None else rows.farthest(column)[0],
            str(name),
        )
