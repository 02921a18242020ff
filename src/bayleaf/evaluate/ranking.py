"""Ranking: how well the probability of one label sorts the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats

POINTS = 1000


@dataclass(frozen=True, eq=False)
class Ranking:
    """ROC and precision-recall curves of one label against the rest, and the areas under them.

    One point per distinct probability, from the surest down; ROC begins at (0, 0), precision-recall at (0, 1). The
    areas are exact; of curves with more than 1000 points those nearest to equal steps are kept.
    """

    label: Any
    share: float
    false_positive_rate: Floats
    true_positive_rate: Floats
    precision: Floats
    recall: Floats
    roc_auc: float
    average_precision: float

    @classmethod
    def of(cls, label: Any, positive: Array, score: Floats) -> Ranking | None:
        """From whether each row is the label and how it scored; None where all rows are on one side.

        Examples
        --------
        >>> import numpy as np
        >>> from bayleaf.evaluate.ranking import Ranking
        >>> Ranking.of("spam", np.array([True, False, True]), np.array([0.9, 0.8, 0.7])).roc_auc
        0.5
        """
        total = int(positive.sum())
        if total in (0, len(positive)):
            return None
        order = np.argsort(-score, kind="stable")
        ranked = score[order]
        last = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(order) - 1)  # of each group of equal scores
        hits = np.cumsum(positive[order])[last].astype(np.float64)
        alarms = last + 1 - hits
        recall, fall_out = hits / total, alarms / (len(positive) - total)
        precision = hits / (last + 1)
        x, y = np.concatenate([[0.0], fall_out]), np.concatenate([[0.0], recall])
        kept = (
            slice(None)
            if len(x) <= POINTS
            else np.unique(np.searchsorted(x + y, np.linspace(0, x[-1] + y[-1], POINTS)))
        )
        return cls(
            label=label,
            share=total / len(positive),
            false_positive_rate=x[kept],
            true_positive_rate=y[kept],
            precision=np.concatenate([[1.0], precision])[kept],
            recall=y[kept],
            roc_auc=float(np.trapezoid(y, x)),
            average_precision=float((np.diff(y) * precision).sum()),
        )
