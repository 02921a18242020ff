"""Cells: the counts that a weight is made of, for all columns at once or for the entries of single rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayleaf.rows import BLOCK, Rows
from bayleaf.tally.residue import less

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.families.smoothing import Smoothing
    from bayleaf.tally import Counts


@dataclass(frozen=True, eq=False)
class Cells:
    """Counts of m cells in k classes; what holds for the whole class is (m, k) or (1, k)."""

    count: Floats
    total: Floats  # sum of the counts of the class
    freed: Floats  # what discounting takes off all columns of the class
    width: int  # number of columns, seen or not
    columns: Ints | None = None  # which columns the cells belong to; all in order when None

    @classmethod
    def of(cls, tally: Counts, smoothing: Smoothing, complement: bool = False) -> Cells:
        """All columns of a tally, or what all other classes hold of them."""
        count = tally.table.T
        if complement:
            count = count.sum(axis=1, keepdims=True) - count
        total = tally.over_columns(count)[None]
        freed = tally.over_columns(smoothing.taken(count))[None] if smoothing.discounts else 0.0 * total
        return cls(count, total, freed, tally.width)

    def log_prob(self, smoothing: Smoothing) -> Floats:
        """Smoothed log share of each cell in its class, (m, k)."""
        strength = smoothing.strength
        outcomes = float(np.sum(strength)) if isinstance(strength, tuple) else strength * self.width
        return smoothing.log_prob(
            self.count,
            self.total,
            alpha=smoothing.alpha(self.columns),
            mass=smoothing.mass(outcomes),
            size=max(self.width, 1),
            freed=self.freed,
        )


def without_each(
    tally: Counts, smoothing: Smoothing, rows: Rows, codes: Ints, weights: Floats, complement: bool = False
) -> Iterator[tuple[slice, Ints, Floats, Cells]]:
    """Yield the rows block by block, with the cells of their entries as they are without the row itself.

    That is: the block, the row of each entry within it, its value, and its cells.
    """
    whole = Cells.of(tally, smoothing, complement)
    per_block = max(1, BLOCK // max(1, len(tally.weight)))
    entry_row, entry_column, entry_value = rows.entries()
    ends = np.searchsorted(entry_row, np.arange(len(rows) + 1))
    start = 0
    while start < len(rows):
        stop = max(start + 1, int(np.searchsorted(ends, ends[start] + per_block, side="right")) - 1)
        part = slice(ends[start], ends[stop])
        row, column, value = entry_row[part] - start, entry_column[part], entry_value[part]
        block = slice(start, stop)
        own = np.zeros((stop - start, len(tally.weight)), dtype=bool)
        own[np.arange(stop - start), codes[block]] = True
        hit = ~own if complement else own  # the complement of every other class loses the row
        yield block, row, value, _reduced(whole, smoothing, row, column, weights[block][row] * value, hit)
        start = stop


def without_own(tally: Counts, smoothing: Smoothing, rows: Rows, codes: Ints, weights: Floats) -> Floats:
    """The score of each row in its own class without the row itself, if smoothing knows no other class, (n,)."""
    whole = Cells.of(tally, smoothing)
    row, column, value = rows.entries()
    removed, own = (weights[row] * value)[:, None], codes[row]
    count = less(whole.count[column, own][:, None], removed)
    total = less(whole.total[0, codes][:, None], sum_by_row(row, removed, len(rows)))[row]
    parts = value[:, None] * Cells(count, total, 0.0 * total, whole.width, column).log_prob(smoothing)
    return sum_by_row(row, parts, len(rows))[:, 0]


def _reduced(whole: Cells, smoothing: Smoothing, row: Ints, column: Ints, removed: Floats, hit: Array) -> Cells:
    """The cells of some entries without what each row takes from the classes it hits, (n, k)."""
    n = len(hit)
    before = whole.count[column]
    count = less(before, np.where(hit[row], removed[:, None], 0.0))
    length = np.bincount(row, removed, minlength=n)
    total = less(whole.total, np.where(hit, length[:, None], 0.0))
    freed = whole.freed
    if smoothing.discounts:
        freed = (freed - sum_by_row(row, smoothing.taken(before) - smoothing.taken(count), n))[row]
    return Cells(count, total[row], freed, whole.width, column)


def sum_by_row(row: Ints, parts: Floats, n: int) -> Floats:
    """Sums of the (m, k) parts that belong to the same row, (n, k)."""
    return np.stack([np.bincount(row, parts[:, c], minlength=n) for c in range(parts.shape[1])], axis=1)
