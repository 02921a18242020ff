"""Cells: the counts that a weight is made of, for all columns at once or for the entries of single rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bayleaf.arrays import Floats, Ints
    from bayleaf.families.smoothing import Smoothing
    from bayleaf.rows import Rows
    from bayleaf.tally import Counts

BLOCK = 1 << 18  # entries x classes held at a time: 2 MiB per array


@dataclass(frozen=True, eq=False)
class Cells:
    """Counts of m cells in k classes; what holds for the whole class is (m, k) or (1, k)."""

    count: Floats
    total: Floats  # sum of the counts of the class
    distinct: Floats  # columns of the class that were seen at all
    width: int  # number of columns, seen or not
    columns: Ints | None = None  # which columns the cells belong to; all in order when None

    @classmethod
    def of(cls, tally: Counts, complement: bool = False) -> Cells:
        """All columns of a tally, or what all other classes hold of them."""
        count = tally.table.T
        if complement:
            count = count.sum(axis=1, keepdims=True) - count
        return cls(count, count.sum(axis=0, keepdims=True), (count > 0).sum(axis=0, keepdims=True), len(count))

    def log_prob(self, smoothing: Smoothing) -> Floats:
        """Smoothed log share of each cell in its class, (m, k)."""
        strength = smoothing.strength
        outcomes = float(np.sum(strength)) if isinstance(strength, tuple) else strength * self.width
        share: Floats | float = 0.0
        if smoothing.needs_background:
            everything = self.total.sum(axis=1, keepdims=True)
            pooled = self.count.sum(axis=1, keepdims=True)
            share = np.where(everything > 0, pooled / np.where(everything > 0, everything, 1.0), 1.0 / self.width)
        return smoothing.log_prob(
            self.count,
            self.total,
            alpha=smoothing.alpha(self.columns),
            mass=smoothing.mass(outcomes),
            size=self.width,
            share=share,
            distinct=self.distinct,
        )


def without_each(
    tally: Counts, rows: Rows, codes: Ints, weights: Floats, complement: bool = False
) -> Iterator[tuple[slice, Ints, Floats, Cells]]:
    """Yield the rows block by block, with the cells of their entries as they are without the row itself.

    That is: the block, the row of each entry within it, its value, and its cells.
    """
    whole = Cells.of(tally, complement)
    per_block = max(1, BLOCK // max(1, len(tally.weight)))
    entry_row, entry_column, entry_value = rows.entries()
    ends = np.searchsorted(entry_row, np.arange(len(rows) + 1))
    start = 0
    while start < len(rows):
        stop = max(start + 1, int(np.searchsorted(ends, ends[start] + per_block, side="right")) - 1)
        part = slice(ends[start], ends[stop])
        row, column, value = entry_row[part] - start, entry_column[part], entry_value[part]
        block = slice(start, stop)
        yield block, row, value, _reduced(whole, tally, row, column, value, codes[block], weights[block], complement)
        start = stop


def _reduced(
    whole: Cells,
    tally: Counts,
    row: Ints,
    column: Ints,
    value: Floats,
    codes: Ints,
    weights: Floats,
    complement: bool,
) -> Cells:
    n, k = len(codes), len(tally.weight)
    own = np.zeros((n, k), dtype=bool)
    own[np.arange(n), codes] = True
    hit = ~own if complement else own  # the complement of every other class loses the row
    removed = weights[row] * value
    before = whole.count[column]
    count = np.maximum(before - np.where(hit[row], removed[:, None], 0.0), 0.0)
    length = np.bincount(row, removed, minlength=n)
    total = whole.total - np.where(hit, length[:, None], 0.0)
    gone = (before > 0) & (count == 0)
    lost = np.stack([np.bincount(row, gone[:, c], minlength=n) for c in range(k)], axis=1)
    return Cells(count, np.maximum(total, 0.0)[row], (whole.distinct - lost)[row], whole.width, column)


def sum_by_row(row: Ints, parts: Floats, n: int) -> Floats:
    """Sums of the (m, k) parts that belong to the same row, (n, k)."""
    return np.stack([np.bincount(row, parts[:, c], minlength=n) for c in range(parts.shape[1])], axis=1)
