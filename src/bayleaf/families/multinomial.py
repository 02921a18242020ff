"""Multinomial: a row is a bag of counts.

P(x | c) = (Σx)! / Πx! · Π_j θ[c,j]^x[j], with θ[c,j] the smoothed share of column j among all counts of class c.
Source: McCallum & Nigam, "A comparison of event models for naive Bayes text classification", 1998; Manning, Raghavan &
Schütze, "Introduction to Information Retrieval", 2008, section 13.2. With `binary` only presence is counted, as in
Metsis et al., "Spam filtering with naive Bayes - which naive Bayes?", 2006.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from scipy.special import gammaln

from bayleaf.families.cells import Cells, sum_by_row, without_each, without_own
from bayleaf.families.family import Family, refuse_undrawable
from bayleaf.families.smoothing import Smoothing
from bayleaf.scorers import Linear

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.rows import Rows
    from bayleaf.tally import Counts


@dataclass(frozen=True)
class Multinomial(Family):
    """Counts per column, one distribution over the columns per class. A missing value is a count of zero."""

    name: ClassVar[str] = "multinomial"
    smoothing: Smoothing = Smoothing()
    binary: bool = False

    def lift(self, rows: Rows) -> Rows:
        return rows.counts().present() if self.binary else rows  # the kernels refuse negative values, not absent ones

    @property
    def counted(self) -> str:
        return f"binary={self.binary}"

    def weigh(self, tally: Counts) -> Linear:
        return Linear.of(self.log_prob(tally))

    def log_prob(self, tally: Counts) -> Floats:
        """log θ, (d, k)."""
        return Cells.of(tally, self.smoothing).log_prob(self.smoothing)

    def loo(self, tally: Counts, rows: Rows, codes: Ints, weights: Floats) -> Floats:
        joint = np.zeros((len(rows), len(tally.weight)))
        if not self.smoothing.needs_background:  # only the row's own class changes: a logarithm for each entry, not k
            self.weigh(tally).add_to(rows, joint)
            joint[np.arange(len(rows)), codes] = without_own(tally, self.smoothing, rows, codes, weights)
            return joint
        for block, row, value, cells in without_each(tally, self.smoothing, rows, codes, weights):
            parts = value[:, None] * cells.log_prob(self.smoothing)
            joint[block] = sum_by_row(row, parts, block.stop - block.start)
        return joint

    def carrier(self, rows: Rows) -> Floats:
        """The multinomial coefficient of each row, in logs."""
        row, _, value = rows.entries()
        length = np.bincount(row, value, minlength=len(rows))
        return gammaln(length + 1) - np.bincount(row, gammaln(value + 1), minlength=len(rows))

    @property
    def generative(self) -> Multinomial:
        return replace(self, smoothing=self.smoothing.generative)

    def sample(self, tally: Counts, codes: Ints, rng: np.random.Generator) -> Array:
        """Bags whose length is Poisson about the mean length of the class (1 where nothing was seen)."""
        share = np.exp(self.generative.log_prob(tally))
        share = share / share.sum(axis=0)
        weight = tally.weight
        length = np.divide(tally.table.sum(axis=1), weight, out=np.ones_like(weight), where=weight > 0)
        refuse_undrawable(length)
        bags = [rng.multinomial(rng.poisson(length[code]), share[:, code]) for code in codes]
        return np.asarray(bags, dtype=np.float64).reshape(len(codes), len(share))
