"""Reliability: whether a classifier that says 90 % is right 90 % of the time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayleaf.evaluate.estimate import Estimate

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats

ENOUGH = 10
BINS = 15  # as in Guo et al., "On calibration of modern neural networks", 2017


class Bin(NamedTuple):
    """Answers about equally sure: how many, how sure on average, and how often right."""

    rows: int
    confidence: float
    right: Estimate


@dataclass(frozen=True, eq=False)
class Reliability:
    """Answers by how sure they were.

    `error` is the expected calibration error: |sure − right| in 15 bins of equal width, weighted by rows. In `bins`
    neighbours are joined until each holds 10 answers: how often two or three were right says nothing.
    """

    bins: list[Bin]
    confidence: float
    error: float

    @classmethod
    def of(cls, confidence: Floats, right: Array) -> Reliability:
        """From the probability of each answer and whether it was right.

        Examples
        --------
        >>> import numpy as np
        >>> from bayleaf.evaluate.reliability import Reliability
        >>> sure = np.full(10, 0.9)
        >>> round(Reliability.of(sure, np.arange(10) < 7).error, 3)
        0.2
        """
        place = np.minimum((confidence * BINS).astype(np.int64), BINS - 1)
        rows = np.bincount(place, minlength=BINS)
        sure = np.bincount(place, confidence, BINS)
        good = np.bincount(place, right, BINS)
        error = float(np.abs(sure - good).sum() / len(confidence))
        return cls(_joined(rows, sure, good), float(confidence.mean()), error)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and names only."""
        bins = [{"rows": b.rows, "confidence": b.confidence, "right": b.right.to_dict()} for b in self.bins]
        return {"expected_calibration_error": self.error, "mean_confidence": self.confidence, "bins": bins}


def _joined(rows: Array, sure: Array, good: Array) -> list[Bin]:
    starts, n = [0], 0
    for place, more in enumerate(rows):
        n += int(more)
        if n >= ENOUGH:
            starts.append(place + 1)
            n = 0
    starts = starts[:-1] or [0]  # what is left over belongs to the last
    sums = (np.add.reduceat(part, starts) for part in (rows, sure, good))
    return [Bin(int(m), float(s / m), Estimate.share(float(g), int(m))) for m, s, g in zip(*sums, strict=True)]
