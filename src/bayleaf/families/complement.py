"""Complement: a class is what the other classes are not.

weight[c,j] = -log θ~[c,j], with θ~[c,j] the smoothed share of column j among the counts of all classes but c. With
`norm`, weights are divided by their sum over the columns. Source: Rennie, Shih, Teevan & Karger, "Tackling the poor
assumptions of naive Bayes text classifiers", ICML 2003. The tally is the multinomial one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from bayleaf.families.cells import Cells, sum_by_row, without_each
from bayleaf.families.multinomial import Multinomial
from bayleaf.logarithms import LARGEST
from bayleaf.scorers import Linear

if TYPE_CHECKING:
    from bayleaf.arrays import Floats, Ints
    from bayleaf.rows import Rows
    from bayleaf.tally import Counts

# Sizes of a single column, whose share is 1, are log 1 = 0 or its rounding; of d shares they add up to d log d or more.
NOTHING = 1e-14


@dataclass(frozen=True)
class Complement(Multinomial):
    """Scores from the complement; `log_prob`, `sample` and `carrier` are the multinomial view of the same counts."""

    name: ClassVar[str] = "complement"
    norm: bool = False

    @property
    def generative(self) -> Multinomial:
        return Multinomial(self.smoothing.generative, self.binary)

    def weigh(self, tally: Counts) -> Linear:
        # -log θ~ is +inf where no other class has the column: as sure a sign as -inf is a barrier. Without smoothing
        # the weight is capped, so that a row can hold such signs for several classes and still be scored.
        return Linear.of(self.weights(tally))

    def weights(self, tally: Counts) -> Floats:
        """Weights (d, k)."""
        weights = _certain(-Cells.of(tally, self.smoothing, complement=True).log_prob(self.smoothing))
        if not self.norm:
            return weights
        size = tally.over_columns(np.abs(weights))
        return np.divide(weights, size, out=np.zeros_like(weights), where=size > NOTHING)

    def loo(self, tally: Counts, rows: Rows, codes: Ints, weights: Floats) -> Floats:
        if self.norm:  # the norm runs over all columns, so nothing is saved by looking at the row's own
            return super(Multinomial, self).loo(tally, rows, codes, weights)
        joint = np.zeros((len(rows), len(tally.weight)))
        for block, row, value, cells in without_each(tally, self.smoothing, rows, codes, weights, complement=True):
            parts = value[:, None] * _certain(-cells.log_prob(self.smoothing))
            joint[block] = sum_by_row(row, parts, block.stop - block.start)
        return joint


def _certain(weights: Floats) -> Floats:
    return np.minimum(weights, LARGEST)
