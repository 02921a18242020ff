"""Binned: numbers by how often a class had their like, whatever the shape of their distribution.

    P(x | c) ~ (n[c, g(x)] + 1) / (n[c] + G),

with g(x) the group of neighbouring cells that x falls into, of at most G groups that have about as many of the learned
numbers each, and n the counts. Equal-frequency discretisation: Dougherty, Kohavi & Sahami, ICML 1995; Yang & Webb,
Machine Learning 2009.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bayleaf.errors import NegativeCountError
from bayleaf.tally.bins import cells, least

if TYPE_CHECKING:
    from bayleaf.arrays import Floats, Ints
    from bayleaf.tally.bins import Bins


@dataclass(frozen=True, eq=False)
class Binned:
    """One column: the cells that groups but the first begin with, and what was counted in each group, (k, groups)."""

    edges: Ints
    counts: Floats

    @classmethod
    def of(cls, tally: Bins, j: int, groups: int) -> Binned:
        """Column j of a tally in so many groups; numbers that are more than a group's share are one of their own."""
        total = tally.counts[j].sum(axis=0)
        middle = (np.cumsum(total) - total / 2) / max(total.sum(), 1)
        starts = np.flatnonzero(np.diff(np.floor(middle * groups), prepend=-1.0))
        return cls.between(tally, j, tally.codes[j][starts[1:]])

    @classmethod
    def between(cls, tally: Bins, j: int, edges: Ints) -> Binned:
        """Column j of a tally in the groups that begin with these cells."""
        counts = np.zeros((len(edges) + 1, len(tally.counts[j])))
        np.add.at(counts, np.searchsorted(edges, tally.codes[j], side="right"), tally.counts[j].T)
        return cls(edges, counts.T)

    @cached_property
    def log_prob(self) -> Floats:
        """ln P(g | c), (groups, k)."""
        share = self.counts + 1.0
        logs: Floats = np.log(share / share.sum(axis=1, keepdims=True)).T
        return logs

    def names(self, column: str) -> list[str]:
        """The groups in words.

        >>> from bayleaf.tally.bins import Bins
        >>> seen = Bins.zero(1, 1).learned(np.array([[1.0], [2.0], [5.0]]), np.array([0, 0, 0]))
        >>> Binned.of(seen, 0, 3).names("size")
        ['size below 2', 'size 2 to 5', 'size from 5']
        """
        edges = [f"{edge:.4g}" for edge in least(self.edges).tolist()]
        if not edges:
            return [column]
        inner = [f"{column} {low} to {high}" for low, high in pairwise(edges)]
        return [f"{column} below {edges[0]}", *inner, f"{column} from {edges[-1]}"]

    def scores(self, column: Floats) -> Floats:
        """ln P(x | c), (n, k); 0 for NaN."""
        found: Floats = np.zeros((len(column), len(self.counts)))
        there = ~np.isnan(column)
        found[there] = self.log_prob[self._groups(column[there])]
        return found

    def loo(self, column: Floats, classes: Ints) -> Floats:
        """The same for learned numbers of these classes, each without itself."""
        found, there = self.scores(column), np.flatnonzero(~np.isnan(column))
        own = classes[there]
        held = self.counts[own, self._groups(column[there])]
        if not held.all():
            raise NegativeCountError(f"Found the number {column[there][held == 0][0]:g}, which was never learned")
        found[there, own] = np.log(held / (self.counts.sum(axis=1)[own] - 1.0 + self.counts.shape[1]))
        return found

    def _groups(self, column: Floats) -> Ints:
        groups: Ints = np.searchsorted(self.edges, cells(np.ascontiguousarray(column)), side="right")
        return groups
