"""Quadratic: Gaussian scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bayleaf._core import Batch

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats
    from bayleaf.rows import Rows

# A mean of pivot + gap is rounded to float64; the rest matters once it is more than this share of the deviation.
NEGLIGIBLE = 1e-13
FAR = float(np.finfo(np.float64).max) / 32  # a distance beyond it is scored by its logarithm [native]


@dataclass(frozen=True, eq=False)
class Quadratic:
    """score[c] = sum over the columns of base - ((value - centre - rest) x scale)²; all tables (k, d)."""

    centre: Floats
    rest: Floats | None
    scale: Floats
    base: Floats
    bias: Floats  # (k,): -inf for a class that was never seen

    @classmethod
    def of(cls, pivot: Floats, gap: Floats, variance: Floats, seen: Array) -> Quadratic:
        """From the mean (pivot + gap), the variance and whether each class was seen.

        A column with variance 0 says nothing.
        """
        centre = pivot + gap
        rest = gap - (centre - pivot)
        told = variance > 0
        scale = np.zeros_like(variance)
        base = np.zeros_like(variance)
        scale[told] = np.sqrt(0.5) / np.sqrt(variance[told])  # 0.5 / v overflows where v is below 1e-308
        base[told] = -0.5 * (np.log(2 * np.pi) + np.log(variance[told]))
        return cls(
            centre,
            rest if (np.abs(rest) * scale > NEGLIGIBLE).any() else None,
            scale,
            base,
            np.where(seen, 0.0, -np.inf),
        )

    def by_column(self, worth: Floats) -> Quadratic:
        """The same with what each column adds multiplied by its worth, (d,)."""
        return replace(self, scale=self.scale * np.sqrt(worth), base=self.base * worth)

    def add_to(self, rows: Rows, joint: Floats) -> None:
        """Add the scores of the rows to `joint` (n, k)."""
        rows.run(Batch.add_quadratic, self.centre, self.rest, self.scale, self.base, joint)

    def summands(self, rows: Rows) -> Floats:
        """For one row what each column adds, (d, k)."""
        values = rows.dense()[0]
        with np.errstate(over="ignore", invalid="ignore"):
            z = values - self.centre if self.rest is None else (values - self.centre) - self.rest
            squares = np.where(self.scale > 0, (z * self.scale) ** 2, 0.0)
        parts = np.where(np.isnan(values), 0.0, self.base - squares)
        far = ~(parts.sum(axis=1) >= -FAR)
        if far.any():
            score = np.zeros((1, len(self.bias)))
            self.add_to(rows, score)
            parts[far] = score[0, far, None] * self._shares(values)[far]
        return np.ascontiguousarray(parts.T)

    def _shares(self, values: Floats) -> Floats:
        """Each column's share of the squared distance, (k, d), where the squares overflow; of logs, and of halves."""
        with np.errstate(divide="ignore"):
            logs = np.log(np.abs(values / 2 - self.centre / 2)) + np.log(self.scale)
        logs = np.where(np.isnan(logs), -np.inf, logs)
        shares = np.exp(2 * (logs - logs.max(axis=1, keepdims=True)))
        normed: Floats = shares / shares.sum(axis=1, keepdims=True)
        return normed
