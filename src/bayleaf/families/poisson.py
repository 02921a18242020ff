"""Poisson: every column is a count with a rate of its own.

P(x | c) = Π_j λ[c,j]^x[j] exp(-λ[c,j]) / x[j]!, with λ[c,j] = (S[c,j] + α r[j]) / (N[c,j] + α): the mean count of the
class, drawn by α imaginary rows towards the rate of all classes together, r[j] = (S[j] + ½) / N[j] (Jeffreys' prior, so
that no rate is 0). α = 0 is maximum likelihood. This is the posterior mean under a gamma prior with mean r and weight
α: Gelman et al., "Bayesian Data Analysis", 3rd edition, section 2.6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from scipy.special import gammaln

from bayleaf.families.family import Family, refuse_undrawable
from bayleaf.families.smoothing import refuse_strong
from bayleaf.scorers import Linear
from bayleaf.tally.residue import less

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.rows import Rows
    from bayleaf.tally import Counts


@dataclass(frozen=True)
class Poisson(Family):
    """Counts per column, independent of each other; `alpha` is the number of imaginary rows."""

    name: ClassVar[str] = "poisson"
    alpha: float = 1.0

    def __post_init__(self) -> None:
        refuse_strong("alpha", self.alpha)

    def weigh(self, tally: Counts) -> Linear:
        rate = self.rate(tally)
        with np.errstate(divide="ignore"):
            log_rate = np.log(rate)
        bare = Linear.of(log_rate)  # exp(-0) = 1: a rate of 0 makes presence impossible, never absence
        base = np.ascontiguousarray(-rate)
        return Linear(bare.weights, base.sum(axis=0), base, bare.barrier)

    def rate(self, tally: Counts) -> Floats:
        """λ, (d, k)."""
        table = tally.table.T
        return self._rate(table, np.broadcast_to(tally.observed.T, table.shape))

    def _rate(self, total: Floats, seen: Floats) -> Floats:
        """From sums and row weights (..., k)."""
        everyone = seen.sum(axis=-1, keepdims=True)
        pooled = (total.sum(axis=-1, keepdims=True) + 0.5) / np.where(everyone > 0, everyone, 1.0)
        prior = self.alpha * pooled if self.alpha else 0.0
        weight = seen + self.alpha
        rate: Floats = np.divide(total + prior, weight, out=pooled + np.zeros_like(total), where=weight > 0)
        return rate

    def loo(self, tally: Counts, rows: Rows, codes: Ints, weights: Floats) -> Floats:
        k, d = tally.table.shape
        joint = np.zeros((len(rows), k))
        seen = np.broadcast_to(tally.observed.T, (d, k))
        for part in rows.parts(k * d):
            values = rows[part].dense()
            there = ~np.isnan(values)
            values = np.where(there, values, 0.0)
            here = np.arange(len(values))
            total = np.repeat(tally.table.T[None], len(here), axis=0)
            count = np.repeat(seen[None], len(here), axis=0)
            weight = weights[part, None]
            total[here, :, codes[part]] = less(total[here, :, codes[part]], weight * values)
            count[here, :, codes[part]] = less(count[here, :, codes[part]], weight * there)
            rate = self._rate(total, count)
            with np.errstate(divide="ignore", invalid="ignore"):
                terms = np.where(values[..., None] > 0, values[..., None] * np.log(rate), 0.0) - rate
            joint[part] = np.where(there[..., None], terms, 0.0).sum(axis=1)
        return joint

    def carrier(self, rows: Rows) -> Floats:
        """-Σ log x!."""
        row, _, value = rows.entries()
        return -1.0 * np.bincount(row, gammaln(value + 1), minlength=len(rows))

    def sample(self, tally: Counts, codes: Ints, rng: np.random.Generator) -> Array:
        rate = self.rate(tally)
        refuse_undrawable(rate)
        return rng.poisson(rate[:, codes].T).astype(np.float64)
