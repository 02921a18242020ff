"""Categorical: every column holds one of a number of categories.

P(x | c) = Π_j p[c,j,x[j]], with p[c,j,v] the smoothed share of category v in column j among the rows of class c that
have that column. Source: the textbook form, e.g. Mitchell, "Machine Learning", 1997, section 6.9.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from bayleaf.errors import BadValueError
from bayleaf.families import columns
from bayleaf.families.family import Family
from bayleaf.families.smoothing import Smoothing
from bayleaf.rows import Rows
from bayleaf.scorers import Linear
from bayleaf.tally import Categories

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints

Unseen = Literal["ignore", "smooth", "error"]


@dataclass(frozen=True)
class Categorical(Family):
    """Category codes per column. `unseen` says what a code beyond those learned means: "ignore" leaves the column
    out, "smooth" takes it for a category with count 0, "error" refuses it."""

    name: ClassVar[str] = "categorical"
    smoothing: Smoothing = Smoothing()
    unseen: Unseen = "ignore"

    def zero(self, k: int, d: int) -> Categories:
        return Categories(np.zeros(k), np.zeros((k, 0)), None, np.zeros(d + 1, dtype=np.int64))

    def room(self, tally: Categories, rows: Rows) -> Categories:
        assert rows.starts is not None
        sizes = np.maximum(tally.sizes, np.diff(rows.starts))
        return tally.grown(np.concatenate([[0], np.cumsum(sizes)]))

    def weigh(self, tally: Categories) -> Linear:
        return Linear.of(self.log_prob(self._roomy(tally)))

    def log_prob(self, tally: Categories) -> Floats:
        """log p, one row per category of each column in turn, (sum of the sizes, k)."""
        return self._log_prob(tally, tally.table.T, 0.0, -1)

    def _log_prob(self, tally: Categories, count: Floats, weight: float, code: int) -> Floats:
        """With `weight` taken from the total of every column in class number `code`."""
        smoothing, feature = self.smoothing, tally.feature
        if not len(feature):
            return np.zeros(count.shape)
        filled = np.flatnonzero(tally.sizes)
        place = np.searchsorted(filled, feature)

        def by_column(values: Floats) -> Floats:
            sums: Floats = np.add.reduceat(values, tally.starts[filled], axis=0)[place]
            return sums

        total = by_column(tally.table.T)
        if code >= 0:
            total[:, code] = np.maximum(total[:, code] - weight, 0.0)
        share: Floats | float = 0.0
        size = tally.sizes[feature][:, None]
        if smoothing.needs_background:
            pooled = total.sum(axis=1, keepdims=True)
            share = np.where(pooled > 0, count.sum(axis=1, keepdims=True) / np.where(pooled > 0, pooled, 1.0), 1 / size)
        alpha = smoothing.alpha(feature)
        distinct = by_column((tally.table.T > 0) * 1.0)
        if code >= 0:
            distinct[:, code] -= (tally.table.T[:, code] > 0) & (count[:, code] == 0)
        return smoothing.log_prob(
            count, total, alpha=alpha, mass=smoothing.mass(alpha * size), size=size, share=share, distinct=distinct
        )

    def loo(self, tally: Categories, rows: Rows, codes: Ints, weights: Floats) -> Floats:
        tally = self._roomy(tally)

        def scorer(code: int, weight: float) -> Linear:
            count = tally.table.T.copy()
            count[:, code] = np.maximum(count[:, code] - weight, 0.0)
            return Linear.of(self._log_prob(tally, count, weight, code))

        return columns.loo(rows, codes, weights, len(tally.weight), scorer)

    def sample(self, tally: Categories, codes: Ints, rng: np.random.Generator) -> Array:
        p = np.exp(self.log_prob(tally))
        drawn = np.zeros((len(codes), len(tally.sizes)), dtype=np.int64)
        for j, (start, stop) in enumerate(zip(tally.starts[:-1], tally.starts[1:], strict=True)):
            ladder = np.cumsum(p[start:stop], axis=0)
            ladder /= ladder[-1]
            drawn[:, j] = (rng.random(len(codes))[:, None] >= ladder[:, codes].T).sum(axis=1)
        return drawn

    def admit(self, tally: Categories, rows: Rows) -> Rows:
        if self.unseen == "ignore" or rows.starts is None:
            return rows
        if self.unseen == "smooth":
            return Rows.codes(np.minimum(rows.values, tally.sizes), self._roomy(tally).starts, rows.source)
        values = np.asarray(rows.values, dtype=np.float64)
        strange = np.argwhere(values >= tally.sizes)
        if len(strange):
            row, column = (int(i) for i in strange[0])
            raise BadValueError(
                f"Unseen category in {rows.source}: code {values[row, column]:g} in row {row}, column {column}; "
                f'expected 0 to {tally.sizes[column] - 1}. Learn it first, or set unseen="ignore" or "smooth"'
            )
        return rows

    def _roomy(self, tally: Categories) -> Categories:
        """With one more category per column, never seen, for all that is unseen."""
        if self.unseen != "smooth":
            return tally
        return tally.grown(tally.starts + np.arange(len(tally.starts)))
