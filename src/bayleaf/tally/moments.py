"""Moments: for each class and column how many values were seen, and the sums of z and z² with z = x - pivot.

Both sums carry what rounding took off them, so that an outlier of 1e9 that goes again takes its square of 1e18 with it:
in one float64 the square leaves a rounding of 128 behind for good. What is left of the rounding is bounded beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf._core import Batch
from bayleaf.errors import BayleafError, MismatchError
from bayleaf.tally import sound
from bayleaf.tally.apart import refuse_apart
from bayleaf.tally.residue import less, refuse_missing, refuse_spread, remainder
from bayleaf.tally.twofold import Twofold, two_sum

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.rows import Rows

# A pivot this many standard deviations from the mean costs 64 times the rounding error of a perfect one (1e-14);
# farther than that the sums are moved to the mean, so that what comes later does not suffer.
DRIFT = 8.0
SAME = 1e-9
# A sum of squared deviations falls below zero where a value was never learned, and by rounding. So it is refused only
# beyond 100 times what was there, which a value 10 sqrt(n) standard deviations away does, and 1e-12 of the size that
# the column has in any class. Where whole weights leave none it is 0, so that any other value tells. Learned rows go in
# any parts and order down to none: in 600 of 600 tables with outliers of 1 to 1e12, offsets to 1e9 and any weights.
BELOW, NEAR, LEAST = 100.0, 1e-12, 1e-12
# Each number added takes 2^-104 of the sum of squares off it at most, and what moves a pivot a few times that. A sum of
# squares within what was taken off so far is nothing: all values are the same. Once an outlier of 1e9 has come, values
# within 1e-6 of each other are. Weights that are not whole have no low part, so a move takes 2^-50 of them.
ROUND, ROUGH = 2.0**-102, 2.0**-50
NAMES = "weight", "n", "sum", "square", "pivot"


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
    lost : array of shape (3, k, d), optional
        What rounding took off `sum` and `square`, and how much of `square` it may have taken off for good.

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

    __slots__ = ("lost", "n", "pivot", "square", "sum", "weight")
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, weight: Floats, n: Floats, sum: Floats, square: Floats, pivot: Floats, lost: Floats | None = None
    ) -> None:
        self.weight, self.n, self.sum, self.square, self.pivot = weight, n, sum, square, pivot
        self.lost: Floats = np.zeros((3, *n.shape)) if lost is None else lost

    @classmethod
    def _of(
        cls, weight: Floats, n: Floats, sums: tuple[Twofold, Twofold], pivot: Floats, lost: Floats, more: Floats
    ) -> Moments:
        """Moments of two sums; rounding took `lost` off the square before, and `more` now unless both are exact."""
        total, square = sums
        exact = (total.low == 0) & (square.low == 0)
        lost = np.array([total.low, square.low, lost + np.where(exact, 0.0, ROUND * np.abs(more))])
        return cls(weight, n, total.high, square.high, pivot, lost)

    @classmethod
    def zero(cls, k: int, d: int) -> Moments:
        """Nothing seen yet of `k` classes and `d` columns."""
        return cls(np.zeros(k), *(np.zeros((k, d)) for _ in range(4)))

    def column(self, j: int) -> Moments:
        """What was seen of one column."""
        parts = (self.n, self.sum, self.square, self.pivot, self.lost)
        return Moments(self.weight, *(part[..., j : j + 1] for part in parts))

    @property
    def _sums(self) -> tuple[Twofold, Twofold]:
        return Twofold(self.sum, self.lost[0]), Twofold(self.square, self.lost[1])

    @property
    def _fresh(self) -> Array:
        fresh: Array = (self.n == 0) & (self.sum == 0) & (self.square == 0)
        return fresh

    def learn(self, rows: Rows, codes: Ints, weights: Floats | None = None, sign: float = 1.0) -> None:
        """Add `sign` times the rows, in place; a refused batch changes nothing."""
        pivot, fresh = self.pivot, self._fresh
        if sign > 0 and fresh.any():
            first = rows.run(Batch.pivots, codes, len(self.weight)).reshape(pivot.shape)
            pivot = np.where(fresh, first, pivot)
        weight, n, *sums = rows.run(Batch.moments, codes, weights, pivot)
        n = n.reshape(pivot.shape)
        if pivot is not self.pivot:
            refuse_apart(pivot, ~fresh | (n > 0), rows)
        total, square = (Twofold(*(sign * part.reshape(pivot.shape) for part in both)) for both in sums)
        lost = np.array([total.low, square.low, np.zeros_like(n)])
        batch = Moments(sign * weight, sign * n, total.high, square.high, pivot, lost)
        held = Moments(self.weight, self.n, self.sum, self.square, pivot, self.lost)
        new = held._beside(batch, len(codes))._settled()
        # At once: whoever interrupts comes before or after.
        self.weight, self.n, self.sum, self.square, self.pivot, self.lost = new._all

    @property
    def _all(self) -> tuple[Floats, ...]:
        return self.weight, self.n, self.sum, self.square, self.pivot, self.lost

    def _beside(self, other: Moments, rows: int = 1) -> Moments:
        """Both together; their pivots are the same, and the other was added up of so many rows."""
        total, square = (mine.plus(theirs) for mine, theirs in zip(self._sums, other._sums, strict=True))
        lost, added = self.lost[2] + other.lost[2], np.abs(other.square)
        more = np.where(added > 0, np.abs(self.square) + rows * added, 0.0)  # who adds nothing rounds nothing
        return Moments._of(self.weight + other.weight, self.n + other.n, (total, square), self.pivot, lost, more)

    def refuse_unlearned(self, rows: Rows, codes: Ints, weights: Floats) -> None:
        """Refuse rows that cannot have been learned: their class holds less than they weigh, or nothing like them."""
        refuse_missing(np.arange(len(codes)), self.weight[codes] - weights, self.weight[codes])
        for part in rows.parts(self.n.shape[1]):
            values, own, weight = rows[part].dense(), codes[part], weights[part, None]
            held, left, rounding = self._without(values, own, weight)
            there = ~np.isnan(values) & (weight > 0)
            row = part.start + np.nonzero(there)[0]
            refuse_missing(row, (held - weight)[there], held[there])
            refuse_missing(row, (left + rounding)[there], 0.0 * held[there])

    def _without(self, values: Floats, own: Ints, weight: Floats) -> tuple[Floats, Floats, Floats]:
        """Per value: what its class holds, the spread that is left without it, and what rounding may make of that."""
        n, size = self.n[own], np.maximum((self.mean**2 + self.variance).max(axis=0), LEAST)
        with np.errstate(over="ignore", invalid="ignore"):
            left, total, square = self.without(values, own, weight)
            spread = square - total * np.divide(total, left, out=np.zeros_like(total), where=left > 0)
        spread = np.where(left > 0, np.where(np.isnan(spread), -np.inf, spread), -np.abs(square))
        return n, spread, BELOW * np.abs(self._spread[own]) + np.where(left > 0, NEAR, BELOW) * n * size

    def without(self, values: Floats, own: Ints, weight: Floats) -> tuple[Floats, Floats, Floats]:
        """What the class of each value holds without it: weight, sum and sum of squares; NaN takes nothing away."""
        there, pivot, lost = ~np.isnan(values), self.pivot[own], self.lost[:, own]
        z = two_sum(np.where(there, values, pivot), -pivot)
        first = z.times(Twofold(weight, np.zeros_like(weight)))
        total = Twofold(self.sum[own], lost[0]).plus(-first).high
        square = Twofold(self.square[own], lost[1]).plus(-first.times(z)).high
        rounding = lost[2] + ROUND * self.square[own]
        nothing = (np.abs(square) <= rounding) & (rounding > 0)
        return less(self.n[own], weight * there), np.where(nothing, 0.0, total), np.where(nothing, 0.0, square)

    def _settled(self) -> Moments:
        """The same with pivots that have drifted off moved back to the mean, and without spreads that are rounding."""
        gap = self._gap
        drifted = gap * gap > DRIFT * DRIFT * self.variance
        near = self.recentre(np.where(drifted, self._centre, self.pivot)) if drifted.any() else self
        nothing = (near.n > 0) & (near.lost[2] > 0) & (np.abs(near.square) <= near.lost[2])
        if not nothing.any():
            return near
        pivot = np.where(nothing, near._centre, near.pivot)
        total, square = (np.where(nothing, 0.0, part) for part in (near.sum, near.square))
        lost = np.where(nothing & [[[True]], [[True]], [[False]]], 0.0, near.lost)
        return Moments(near.weight, near.n, total, square, pivot, lost)

    @property
    def _centre(self) -> Floats:
        """The mean, rounded once: of values that are all the same it is that value."""
        gap = self._sums[0].over(np.where(self.n > 0, self.n, 1.0))
        mean = two_sum(self.pivot, gap.high)
        return np.where(self.n > 0, mean.high + (mean.low + gap.low), self.pivot)

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
        before, square = self._sums
        shift, n = two_sum(pivot, -self.pivot), Twofold(self.n, np.zeros_like(self.n))
        with np.errstate(over="ignore", invalid="ignore"):  # refused where the variance is read
            total = before.plus(-n.times(shift))
            square = square.plus(-shift.times(before.plus(total)))
            rough = np.where(self.n == np.rint(self.n), 1.0, ROUGH / ROUND)
            more = (shift.high != 0) * (np.abs(self.square) + rough * np.abs(self.n) * shift.high**2)
            return Moments._of(self.weight, self.n, (total, square), pivot, self.lost[2], more)

    def copy(self) -> Moments:
        """The same moments in arrays of their own."""
        return Moments(*(part.copy() for part in self._all))

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
        refuse_apart(np.vstack([self.pivot, other.pivot]), ~np.vstack([self._fresh, other._fresh]))
        return self.recentre(pivot)._beside(other.recentre(pivot))

    def __sub__(self, other: Moments) -> Moments:
        if not isinstance(other, Moments):
            return NotImplemented
        return self + other * -1.0

    def __mul__(self, scale: float) -> Moments:
        by = Twofold(np.full_like(self.n, scale), np.zeros_like(self.n))
        total, square = (part.times(by) for part in self._sums)
        lost = self.lost[2] * abs(scale)
        return Moments._of(self.weight * scale, self.n * scale, (total, square), self.pivot.copy(), lost, square.high)

    __rmul__ = __mul__

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
        # Where none are left the sum itself is what rounding left, or other values went than came.
        rough = seen | (before.n != np.rint(before.n))  # weights that are not whole leave more than whole ones
        rounding = BELOW * np.where(rough, np.abs(held), self.lost[2]) + NEAR * before.n * size
        refuse_spread(held, np.where(seen, self._spread, -np.abs(self.square)), rounding, names)
        # The pivot is a value, or a mean: where all are forgotten, so is that.
        parts = (np.where(seen, part, 0.0) for part in (self.sum, self.square, self.pivot, self.lost))
        return Moments(weight, n, *parts)._settled()

    def regrouped(self, places: Ints, k: int) -> Moments:
        """The same moments with their classes at other `places` among `k`."""
        grown = Moments.zero(k, self.n.shape[1])
        for name in NAMES:
            getattr(grown, name)[places] = getattr(self, name)
        grown.lost[:, places] = self.lost
        return grown

    def arrays(self) -> dict[str, Array]:
        """The arrays by name; `lost` where rounding took anything off."""
        return {name: getattr(self, name) for name in (*NAMES, *(["lost"] if self.lost.any() else []))}

    @classmethod
    def restored(cls, arrays: Mapping[str, Array], k: int, d: int) -> Moments:
        """The moments of `k` classes and `d` columns in a file; refuses what no rows can have left."""
        sound.refuse_others(arrays, NAMES, ("lost",))
        total, square, pivot = (sound.numbers(arrays, name, (k, d)) for name in ("sum", "square", "pivot"))
        lost = sound.numbers(arrays, "lost", (3, k, d)) if "lost" in arrays else np.zeros((3, k, d))
        if (total + lost[0] != total).any() or (square + lost[1] != square).any() or (lost[2] < 0).any():
            raise BayleafError("Found more lost than rounding takes off a sum; expected less than its last digit")
        return cls(sound.counts(arrays, "weight", (k,)), sound.counts(arrays, "n", (k, d)), total, square, pivot, lost)
