"""Categorical: every column holds one of a number of categories.

P(x | c) = Π_j p[c,j,x[j]], with p[c,j,v] the smoothed share of category v in column j among the rows of class c that
have that column. Source: the textbook form, e.g. Mitchell, "Machine Learning", 1997, section 6.9.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from bayleaf.families import columns
from bayleaf.families.family import Family
from bayleaf.families.smoothing import Smoothing
from bayleaf.rows import Rows
from bayleaf.scorers import Linear
from bayleaf.tally import Categories
from bayleaf.tally.residue import less, remainder

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints


@dataclass(frozen=True)
class Categorical(Family):
    """Category codes per column.

    A code beyond those learned leaves its column out, or is one more category with count 0 when `smooth_unseen`.
    """

    name: ClassVar[str] = "categorical"
    smoothing: Smoothing = Smoothing()
    smooth_unseen: bool = False

    def zero(self, k: int, d: int) -> Categories:
        return Categories(np.zeros(k), np.zeros((k, 0)), None, np.zeros(d + 1, dtype=np.int64))

    def room(self, tally: Categories, rows: Rows) -> Categories:
        assert rows.starts is not None
        sizes = np.maximum(tally.sizes, np.diff(rows.starts))
        return tally.grown(np.concatenate([[0], np.cumsum(sizes)]))

    def refuse_nonsense(self, tally: Categories) -> None:
        filled = tally.starts[:-1][tally.sizes > 0]
        values = np.add.reduceat(tally.table, filled, axis=1) if len(filled) else tally.table
        weight = np.broadcast_to(tally.weight[:, None], values.shape)
        remainder(weight, weight - values, "rows without a value", np.flatnonzero(tally.sizes))

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
            return np.add.reduceat(values, tally.starts[filled], axis=0)[place]

        total = by_column(tally.table.T)
        if code >= 0:
            total[:, code] = less(total[:, code], weight)
        size = tally.sizes[feature][:, None].astype(np.float64)
        alpha = smoothing.alpha(feature)
        taken = smoothing.taken(tally.table.T)
        freed = by_column(taken) - (taken - smoothing.taken(count))  # only the row's own category has lost something
        return smoothing.log_prob(count, total, alpha=alpha, mass=smoothing.mass(alpha * size), size=size, freed=freed)

    def loo(self, tally: Categories, rows: Rows, codes: Ints, weights: Floats) -> Floats:
        tally = self._roomy(tally)

        def scorer(code: int, weight: float) -> Linear:
            count = tally.table.T.copy()
            count[:, code] = less(count[:, code], weight)
            return Linear.of(self._log_prob(tally, count, weight, code))

        return columns.loo(rows, codes, weights, len(tally.weight), scorer)

    @property
    def generative(self) -> Categorical:
        return replace(self, smoothing=self.smoothing.generative)

    def sample(self, tally: Categories, codes: Ints, rng: np.random.Generator) -> Array:
        p = np.exp(self.generative.log_prob(tally))
        empty = tally.sizes == 0  # columns of which nothing was ever seen are drawn as missing
        drawn = np.zeros((len(codes), len(tally.sizes)), dtype=np.float64 if empty.any() else np.int64)
        for j, (start, stop) in enumerate(zip(tally.starts[:-1], tally.starts[1:], strict=True)):
            if empty[j]:
                drawn[:, j] = np.nan
                continue
            ladder = np.cumsum(p[start:stop], axis=0)
            ladder /= ladder[-1]
            drawn[:, j] = (rng.random(len(codes))[:, None] >= ladder[:, codes].T).sum(axis=1)
        return drawn

    def admit(self, tally: Categories, rows: Rows) -> Rows:
        if not self.smooth_unseen:
            return rows
        return Rows.codes(np.minimum(rows.values, tally.sizes), self._roomy(tally).starts, rows.source, rows.names)

    def _roomy(self, tally: Categories) -> Categories:
        """With one more category per column, never seen, for all that is unseen."""
        if not self.smooth_unseen:
            return tally
        return tally.grown(tally.starts + np.arange(len(tally.starts)))
