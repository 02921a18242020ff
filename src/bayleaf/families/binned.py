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
from bayleaf.tally.bins import INFINITE, least

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
        codes, classes, counts = tally.column(j)
        first = np.flatnonzero(np.diff(codes, prepend=-INFINITE))  # of the entries of each cell
        below = np.append(0, np.cumsum(counts))[np.append(first, len(codes))]
        middle = (below[:-1] + below[1:]) / (2 * max(below[-1], 1))
        starts = np.flatnonzero(np.diff(np.floor(middle * groups), prepend=-1.0))
        edges = codes[first[starts[1:]]]
        width = len(edges) + 1
        places = classes * width + np.searchsorted(edges, codes, side="right")
        held = np.bincount(places, counts, tally.k * width).astype(np.float64)
        return cls(edges, held.reshape(tally.k, width))

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

    def scores(self, codes: Ints) -> Floats:
        """ln P(x | c), (n, k), of the cells of numbers; 0 for what is missing."""
        return self._logs[self._groups(codes)]

    def loo(self, codes: Ints, classes: Ints) -> Floats:
        """The same for the cells of learned numbers of these classes, each without itself."""
        groups = self._groups(codes)
        found, there = self._logs[groups], np.flatnonzero(groups <= len(self.edges))
        own = classes[there]
        held = self.counts[own, groups[there]]
        if not held.all():
            number = least(codes[there][held == 0])[0]
            raise NegativeCountError(f"Found a number of about {number:g}, which was never learned")
        found[there, own] = np.log(held / (self.counts.sum(axis=1)[own] - 1.0 + self.counts.shape[1]))
        return found

    @cached_property
    def _logs(self) -> Floats:
        """ln P(g | c), and 0 for the group behind the last, which is that of missing numbers."""
        return np.vstack([self.log_prob, np.zeros(len(self.counts))])

    @cached_property
    def _edges(self) -> Ints:
        return np.append(self.edges, INFINITE)

    def _groups(self, codes: Ints) -> Ints:
        return np.searchsorted(self._edges, codes, side="right")
