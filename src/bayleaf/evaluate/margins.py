"""Margins: all that precision, recall, F1 and their averages need of a confusion matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bayleaf.arrays import Floats, Ints

DRAWS = 1000
PART = 50  # draws at a time: with 300 classes there may be 90,000 cells


@dataclass(frozen=True, eq=False)
class Margins:
    """Per class: rows judged rightly (`hits`), rows that are it (`rows`), rows that were called it (`called`).

    Each is (k,), or (draws, k) after `drawn`; every measure works along the last axis. A share of nothing is 0.
    """

    hits: Floats
    rows: Floats
    called: Floats

    @classmethod
    def of(cls, confusion: Ints) -> Margins:
        """Of a confusion matrix: truth down, answers across."""
        table = confusion.astype(np.float64)
        return cls(table.diagonal().copy(), table.sum(axis=1), table.sum(axis=0))

    @classmethod
    def drawn(cls, confusion: Ints) -> Margins:
        """Of 1000 bootstrap samples: drawing rows again is drawing cells of the confusion matrix again.

        Where all rows are right, or all wrong, every sample would be the same: two right and two wrong rows are added,
        which gives about Wilson's interval (Agresti & Coull, "Approximate is better than exact", 1998).
        """
        k, right_rows = len(confusion), int(confusion.trace())
        table = _tempered(confusion) if k > 1 and right_rows in (0, confusion.sum()) else confusion.astype(np.float64)
        n = round(float(table.sum()))
        truth, answer = np.nonzero(table)
        share = table[truth, answer] / n
        right, order = np.flatnonzero(truth == answer), np.argsort(answer, kind="stable")
        hits, rows, called = (np.zeros((DRAWS, k)) for _ in range(3))
        rng = np.random.default_rng(0)
        for start in range(0, DRAWS, PART):
            part = slice(start, start + PART)
            cells = rng.multinomial(n, share / share.sum(), size=PART).astype(np.float64)
            hits[part, truth[right]] = cells[:, right]
            _add(rows[part], cells, truth)
            _add(called[part], cells[:, order], answer[order])
        return cls(hits, rows, called)

    @property
    def precision(self) -> Floats:
        """Of those called so, how many are."""
        return _share(self.hits, self.called)

    @property
    def recall(self) -> Floats:
        """Of those that are, how many were called so."""
        return _share(self.hits, self.rows)

    @property
    def f1(self) -> Floats:
        """Harmonic mean of both."""
        return _share(2 * self.hits, self.rows + self.called)

    @property
    def occurs(self) -> Floats:
        """1 for each class that is or was called at all, as scikit-learn takes part in averages; else 0."""
        return ((self.rows + self.called) > 0).astype(np.float64)

    @property
    def balanced_accuracy(self) -> Floats:
        """Mean recall of the classes that have rows."""
        return average(self.recall, (self.rows > 0).astype(np.float64))

    @property
    def mcc(self) -> Floats:
        """Matthews's correlation for any number of classes (Gorodkin 2004); 0 where one class is all there is."""
        n = self.rows.sum(axis=-1)
        covariance = self.hits.sum(axis=-1) * n - (self.rows * self.called).sum(axis=-1)
        spread = (n**2 - (self.rows**2).sum(axis=-1)) * (n**2 - (self.called**2).sum(axis=-1))
        return _share(covariance, np.sqrt(spread))


def average(values: Floats, weights: Floats) -> Floats:
    """Weighted mean along the last axis; 0 where nothing has weight."""
    return _share((values * weights).sum(axis=-1), weights.sum(axis=-1))


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(np.shape(part)), where=np.asarray(whole) > 0)


def _tempered(confusion: Ints) -> Floats:
    """With two right and two wrong rows more, spread over the classes as the rows are, over wrong answers evenly."""
    k, share = len(confusion), confusion.sum(axis=1) / confusion.sum()
    more: Floats = np.repeat(2 * share[:, None] / (k - 1), k, axis=1)
    np.fill_diagonal(more, 2 * share)
    return confusion + more


def _add(sums: Floats, cells: Floats, place: Ints) -> None:
    """Add cells (draws, m) into the columns that `place`, sorted, names."""
    first = np.flatnonzero(np.diff(place, prepend=-1))
    sums[:, place[first]] = np.add.reduceat(cells, first, axis=1)
