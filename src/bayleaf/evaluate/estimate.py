"""Estimate: a measured number and where the true one may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayleaf.evaluate.wilson import Z, wilson

if TYPE_CHECKING:
    from bayleaf.arrays import Floats


class Estimate(NamedTuple):
    """A value and its 95 % interval.

    Examples
    --------
    >>> from bayleaf.evaluate.estimate import Estimate
    >>> print(Estimate.share(95, 100))
    0.950 (0.888 to 0.978)
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"

    @classmethod
    def share(cls, hits: float, n: float) -> Estimate:
        """A share of n with Wilson's interval. Of nothing the share is 0 and the interval everything."""
        if n <= 0:
            return cls(0.0, 0.0, 1.0)
        hits, n = float(hits), float(n)  # not NumPy's
        return cls(hits / n, *wilson(hits, n))

    @classmethod
    def f1(cls, hits: float, union: float) -> Estimate:
        """F1 of a class, from the rows that are it and were called it among those of which either is true.

        It is 2 J / (1 + J) of that share J, and so is its interval of Wilson's.
        """
        return cls(*(2 * share / (1 + share) for share in cls.share(hits, union)))

    @classmethod
    def mean(cls, values: Floats, most: float) -> Estimate:
        """A mean of losses from 0 to `most` with the normal interval; of one loss the interval is everything."""
        middle = float(values.mean())
        half = Z * float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else most
        return cls(middle, max(middle - half, 0.0), max(min(middle + half, most), middle))

    @classmethod
    def drawn(cls, value: float, draws: Floats) -> Estimate:
        """A value with the interval of its bootstrap draws."""
        low, high = np.quantile(draws, [0.025, 0.975])
        return cls(float(value), float(min(low, value)), float(max(high, value)))

    def to_dict(self) -> dict[str, float]:
        """Value, low and high by name."""
        return self._asdict()
