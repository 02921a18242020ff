"""Gaussian: every column is normal with a mean and variance of its own per class.

P(x | c) = Π_j exp(-(x[j] - μ[c,j])² / (2 v[c,j])) / sqrt(2 π v[c,j]), with v the population variance of the class plus
ε[j] = `var_smoothing` x the variance of column j over all classes, so that rescaling a column changes nothing (scope
"feature"), or x the largest such variance, as scikit-learn has it (scope "max"). Source: John & Langley, "Estimating
continuous distributions in Bayesian classifiers", UAI 1995; the pivoted sums are in `bayleaf.tally.moments`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from bayleaf.errors import BayleafError
from bayleaf.families.family import Family
from bayleaf.scorers import Quadratic
from bayleaf.tally import Moments
from bayleaf.tally.residue import less

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.rows import Rows

FLOOR = 1e-30  # share of the whole variance below which no variance falls, also with var_smoothing=0
SMALLEST = 5e-324  # nor below this: where one class speaks of a column all do, or a density is compared with nothing
ROUGH = 2.0**-50  # a variance below this share of the mean square about the pivot is rounding: pivots are near
Scope = Literal["feature", "max"]


@dataclass(frozen=True)
class Gaussian(Family):
    """Means and variances per column. A column that never varied says nothing.

    Variances are float64: a column whose values differ by less than 1e-162 does not vary, one whose classes lie more
    than 1e153 apart is refused.
    """

    name: ClassVar[str] = "gaussian"
    var_smoothing: float = 1e-9
    scope: Scope = "feature"

    def zero(self, k: int, d: int) -> Moments:
        return Moments.zero(k, d)

    def weigh(self, tally: Moments) -> Quadratic:
        gap, variance = self._parameters(tally.n, tally.sum, tally.square, tally.pivot)
        seen = tally.weight > 0
        return Quadratic.of(tally.pivot, gap, variance, seen | ~seen.any())  # of nothing seen, nothing is impossible

    def mean(self, tally: Moments) -> Floats:
        """Means, (k, d), in a class without a value that of all classes; 0 in a column without any."""
        gap = self._parameters(tally.n, tally.sum, tally.square, tally.pivot)[0]
        return np.where((tally.n > 0).any(axis=0), tally.pivot + gap, 0.0)

    def variance(self, tally: Moments) -> Floats:
        """Smoothed variances, (k, d), in a class without a value that of all classes; 0 in a column without any."""
        return self._parameters(tally.n, tally.sum, tally.square, tally.pivot)[1]

    def epsilon(self, tally: Moments) -> Floats:
        """What is added to the variances of each column, (d,)."""
        gap, variance = _spread(tally.n, tally.sum, tally.square)
        epsilon: Floats = self._epsilon(_pooled(tally.n, gap, variance, tally.pivot)[1])[0]
        return epsilon

    def _parameters(self, n: Floats, total: Floats, square: Floats, pivot: Floats) -> tuple[Floats, Floats]:
        """Mean minus pivot and smoothed variance, from sums (..., k, d).

        A class that never had a value in a column takes the mean and variance of all classes together: left out, its
        score would be compared with densities, and those change with the unit of the column.
        """
        gap, variance = _spread(n, total, square)
        mean, whole = _pooled(n, gap, variance, pivot)
        floor = np.where(whole > 0, np.maximum(FLOOR * whole, SMALLEST), 0.0)
        smoothed = np.maximum(np.where(n > 0, variance, whole) + self._epsilon(whole), floor)
        if not np.isfinite(smoothed).all():
            found = smoothed if np.isfinite(whole).all() else whole
            column = int(np.argwhere(~np.isfinite(found))[0, -1])
            raise BayleafError(
                f"The variance of column {column} is above 1.8e308, expected a number. Rescale the column"
            )
        told = (n > 0).any(axis=-2, keepdims=True)  # a column without any value has nothing to tell
        return np.where(n > 0, gap, mean - pivot), np.where(told, smoothed, 0.0)

    def _epsilon(self, whole: Floats) -> Floats:
        if self.scope == "max":
            whole = np.broadcast_to(whole.max(axis=-1, keepdims=True, initial=0.0), whole.shape)
        return self.var_smoothing * whole

    def loo(self, tally: Moments, rows: Rows, codes: Ints, weights: Floats) -> Floats:
        k, d = tally.n.shape
        joint = np.zeros((len(rows), k))
        for part in rows.parts(k * d):
            values = rows[part].dense()
            here, code, weight = np.arange(len(values)), codes[part], weights[part, None]
            there = ~np.isnan(values)
            n, total, square = (np.repeat(t[None], len(here), axis=0) for t in (tally.n, tally.sum, tally.square))
            n[here, code], total[here, code], square[here, code] = tally.without(values, code, weight)
            gap, variance = self._parameters(n, total, square, tally.pivot)
            distance = (values[:, None, :] - tally.pivot) - gap
            told = (variance > 0) & there[:, None, :]
            safe = np.where(told, variance, 1.0)
            terms = -0.5 * (np.log(2 * np.pi) + np.log(safe) + distance * (distance / safe))
            joint[part] = np.where(told, terms, 0.0).sum(axis=2)
        left = less(tally.weight[None, :], weights[:, None] * (codes[:, None] == np.arange(k)))
        return np.where(left > 0, joint, -np.inf)

    def sample(self, tally: Moments, codes: Ints, rng: np.random.Generator) -> Array:
        gap, variance = self._parameters(tally.n, tally.sum, tally.square, tally.pivot)
        known = (tally.n > 0).any(axis=0)  # as of categories, a column without any value is drawn as missing
        mean, deviation = np.where(known, tally.pivot + gap, np.nan)[codes], np.sqrt(variance)[codes]
        return mean + deviation * rng.standard_normal(mean.shape)


def _spread(n: Floats, total: Floats, square: Floats) -> tuple[Floats, Floats]:
    seen = np.where(n > 0, n, 1.0)
    gap = np.where(n > 0, total / seen, 0.0)
    square = square / seen
    variance = square - gap * gap
    nothing = (variance <= ROUGH * square) & (square < np.inf)  # too large a square is refused, not taken for none
    return gap, np.where((n > 0) & ~nothing, variance, 0.0)


def _pooled(n: Floats, gap: Floats, variance: Floats, pivot: Floats) -> tuple[Floats, Floats]:
    """Mean and variance over all classes, (..., 1, d): the variance within them plus that of their means."""
    everything = n.sum(axis=-2, keepdims=True)
    share = n / np.where(everything > 0, everything, 1.0)
    anchor = np.take_along_axis(np.broadcast_to(pivot, n.shape), n.argmax(axis=-2)[..., None, :], axis=-2)
    # Means relative to the largest class, so that nothing cancels; the pivot of a class without a value means nothing.
    offset = np.where(n > 0, (pivot - anchor) + gap, 0.0)
    centre = (share * offset).sum(axis=-2, keepdims=True)
    with np.errstate(over="ignore"):  # refused where it is used
        whole = (share * (variance + (offset - centre) ** 2)).sum(axis=-2, keepdims=True)
    return anchor + centre, whole
