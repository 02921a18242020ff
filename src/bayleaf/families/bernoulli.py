"""Bernoulli: every column is there or not, and its absence counts as well.

P(x | c) = Π_j p[c,j]^x[j] (1 - p[c,j])^(1 - x[j]), with p[c,j] the smoothed share of the rows of class c that have
column j. Source: McCallum & Nigam 1998; Manning, Raghavan & Schütze 2008, section 13.3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from bayleaf.errors import BadValueError
from bayleaf.families import columns
from bayleaf.families.family import Family
from bayleaf.families.smoothing import Smoothing
from bayleaf.scorers import Linear
from bayleaf.tally.residue import less, remainder

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.rows import Rows
    from bayleaf.tally import Counts


@dataclass(frozen=True)
class Bernoulli(Family):
    """Presence per column; a value counts as present above `binarize`, or must be 0 or 1 when that is None."""

    name: ClassVar[str] = "bernoulli"
    smoothing: Smoothing = Smoothing()
    binarize: float | None = 0.0

    def lift(self, rows: Rows) -> Rows:
        if self.binarize is not None:
            return rows.present(self.binarize)
        rows = rows.summed()
        values = rows.values.data if rows.sparse else rows.values
        strange = values[~((values == 0) | (values == 1) | (values != values))]
        if strange.size:
            raise BadValueError(
                f"{rows.source} with binarize=None expects 0, 1 or missing; found {strange.flat[0]}. Set binarize "
                "to the threshold above which a value counts as present"
            )
        return rows

    @property
    def counted(self) -> str:
        return f"binarize={self.binarize}"

    def refuse_nonsense(self, tally: Counts) -> None:
        self._without(tally)

    def weigh(self, tally: Counts) -> Linear:
        present, absent = self.log_probs(tally)
        return Linear.of_both(present, absent, tally.over_columns)

    def log_probs(self, tally: Counts) -> tuple[Floats, Floats]:
        """log p and log(1 - p), each (d, k)."""
        yes, seen, no = tally.table.T, tally.observed.T, self._without(tally)
        return self._log_prob(yes, seen, no), self._log_prob(no, seen, yes)

    def _without(self, tally: Counts) -> Floats:
        """Weight of the rows without each column, (d, k): 0 where a difference of fractions leaves 1e-17 or -1e-17."""
        weight = np.broadcast_to(tally.weight[:, None], tally.table.shape)
        return remainder(weight, tally.observed - tally.table, "rows without the column").T

    def _log_prob(self, count: Floats, seen: Floats, others: Floats) -> Floats:
        smoothing = self.smoothing
        alpha = smoothing.alpha()
        freed = smoothing.taken(count) + smoothing.taken(others) if smoothing.discounts else 0.0
        return smoothing.log_prob(count, seen, alpha=alpha, mass=smoothing.mass(2 * alpha), size=2, freed=freed)

    def loo(self, tally: Counts, rows: Rows, codes: Ints, weights: Floats) -> Floats:
        yes, seen = tally.table.T, np.broadcast_to(tally.observed.T, tally.table.T.shape)
        no = self._without(tally)
        whole = self._log_prob(yes, seen, no), self._log_prob(no, seen, yes)

        def scorer(code: int, weight: float) -> Linear:
            # Without a background only the row's own class changes: weighing all took twice as long at 20 classes.
            some = slice(None) if self.smoothing.needs_background else slice(code, code + 1)
            own = code if self.smoothing.needs_background else 0
            yes_left, no_left, seen_left = (counts[:, some].copy() for counts in (yes, no, seen))
            for counts in (yes_left, no_left, seen_left):
                counts[:, own] = less(counts[:, own], weight)
            present, absent = (log_prob.copy() for log_prob in whole)
            present[:, some] = self._log_prob(yes_left, seen_left, no[:, some])
            absent[:, some] = self._log_prob(no_left, seen_left, yes[:, some])
            return Linear.of_both(present, absent, tally.over_columns)

        return columns.loo(rows, codes, weights, len(tally.weight), scorer)

    @property
    def generative(self) -> Bernoulli:
        return replace(self, smoothing=self.smoothing.generative)

    def sample(self, tally: Counts, codes: Ints, rng: np.random.Generator) -> Array:
        p = np.exp(self.generative.log_probs(tally)[0])[:, codes].T
        return (rng.random(p.shape) < p).astype(np.float64)
