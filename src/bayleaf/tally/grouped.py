"""GroupedCounts: counts whose columns each stand for many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayleaf.tally.counts import Counts

if TYPE_CHECKING:
    from bayleaf.arrays import Floats


class GroupedCounts(Counts):
    """Counts in which column j stands for ``times[j]`` columns that were counted alike: to be weighed, not to be added.

    Examples
    --------
    >>> import numpy as np
    >>> from bayleaf.families import Multinomial
    >>> from bayleaf.tally.grouped import GroupedCounts
    >>> seen = GroupedCounts(np.ones(1), np.array([[1.0, 3.0]]), np.array([5.0, 1.0]))
    >>> np.exp(Multinomial().weigh(seen).weights).ravel().round(3)  # (1 + 1) / (8 + 6), (3 + 1) / (8 + 6)
    array([0.143, 0.286])
    """

    __slots__ = ("times",)

    def __init__(self, weight: Floats, table: Floats, times: Floats) -> None:
        super().__init__(weight, table)
        self.times = times

    @property
    def width(self) -> int:
        return int(self.times.sum())

    def over_columns(self, values: Floats) -> Floats:
        total: Floats = (self.times[:, None] * values).sum(axis=0)
        return total
