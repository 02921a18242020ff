"""Linear: scores that are linear in the counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bayleaf._core import Batch

if TYPE_CHECKING:
    from collections.abc import Callable

    from bayleaf.arrays import Array, Floats
    from bayleaf.rows import Rows


@dataclass(frozen=True, eq=False)
class Linear:
    """score[c] = bias[c] + sum over the columns of value x weights[column, c].

    `base` is the part of the bias that belongs to each column (what an absent word says); it is taken off again where
    the value is missing. `barrier` counts the impossibilities of a row (probability 0), class by class.
    """

    weights: Floats  # (d, k)
    bias: Floats  # (k,)
    base: Floats | None = None  # (d, k)
    barrier: Linear | None = None

    @classmethod
    def of(cls, present: Floats) -> Linear:
        """From log probabilities (d, k) of a column being there.

        log 0 = -inf cannot be multiplied or subtracted, so impossibilities are counted apart from the finite weights.
        """
        never = present == -np.inf  # np.isneginf takes six times as long
        if not never.any():
            return cls._finite(present)
        return replace(cls._finite(np.where(never, 0.0, present)), barrier=cls._finite(never * 1.0))

    @classmethod
    def of_both(cls, present: Floats, absent: Floats, over_columns: Callable[[Floats], Floats]) -> Linear:
        """From log probabilities (d, k) of a column being there and of its not being there, and their sum."""

        def finite(present: Floats, absent: Floats) -> Linear:
            base = np.ascontiguousarray(absent)
            return replace(cls._finite(present - absent), bias=over_columns(base), base=base)

        never, always = present == -np.inf, absent == -np.inf
        barrier = finite(never * 1.0, always * 1.0) if never.any() or always.any() else None
        return replace(finite(np.where(never, 0.0, present), np.where(always, 0.0, absent)), barrier=barrier)

    @classmethod
    def _finite(cls, present: Floats) -> Linear:
        return cls(np.ascontiguousarray(present), np.zeros(present.shape[1]))

    def by_column(self, worth: Floats) -> Linear:
        """The same with what each column adds multiplied by its worth, (d,); what is impossible stays so."""
        base = None if self.base is None else self.base * worth[:, None]
        bias = self.bias if base is None else base.sum(axis=0)
        return replace(self, weights=self.weights * worth[:, None], bias=bias, base=base)

    def add_to(self, rows: Rows, joint: Floats) -> None:
        """Add the scores of the rows, without the bias, to `joint` (n, k)."""
        rows.run(Batch.add_linear, self.weights, self.base, joint)
        if self.barrier is not None:
            joint[self.barrier.blocks(rows)] = -np.inf

    def blocks(self, rows: Rows) -> Array:
        """Where at least one impossibility stands in the way, (n, k)."""
        count = np.tile(self.bias, (len(rows), 1))
        seen = rows if rows.above is not None else rows.present()
        seen.run(Batch.add_linear, self.weights, self.base, count)
        return count > 0.5

    def summands(self, rows: Rows) -> Floats:
        """For one row what each of its columns adds, (d, k)."""
        if rows.starts is not None:
            codes = np.asarray(rows.values[0], dtype=np.float64)
            known = (codes >= 0) & (codes < np.diff(rows.starts))
            place = rows.starts[:-1] + np.where(known, codes, 0).astype(np.int64)
            parts = np.zeros((len(codes), len(self.bias)))
            parts[known] = self.weights[place[known]]
        else:
            values = rows.dense()[0][:, None]
            missing = np.isnan(values)
            parts = np.where(missing, 0.0, values) * self.weights
            if self.base is not None:
                parts = parts + np.where(missing, 0.0, self.base)
        if self.barrier is not None:
            seen = rows if rows.above is not None else rows.present()
            parts = np.where(self.barrier.summands(seen) > 0.5, -np.inf, parts)
        return parts
