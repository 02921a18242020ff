"""Reliability diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.plot.asking import MEASURED, refuse_other
from bayleaf.plot.canvas import COLOURS, FAINT, MUTED, canvas, dress, headline, look, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bayleaf.evaluate.scores import Scores


def reliability(scores: Scores, ax: Axes | None = None, **style: Any) -> Axes:
    """How often answers are right against how sure they were, with 95 % intervals; bars: how many were so sure.

    On the grey line a classifier keeps its word; below it, it is too sure. `style` goes to the dots.
    """
    refuse_other(scores, "reliability", MEASURED)
    from sklearn.calibration import CalibrationDisplay

    labels = ("how sure it was", "how often it was right")
    ax = canvas(ax, *labels)
    bins = scores.reliability.bins
    sure, right = np.array([b.confidence for b in bins]), np.array([b.right.value for b in bins])
    low = np.floor(10 * min(float(sure.min()), 0.5)) / 10
    ax.plot([low, 1], [low, 1], color=FAINT, linewidth=1, zorder=1)
    share = np.array([b.rows for b in bins]) / scores.rows
    ax.bar(sure, 0.25 * share, width=(1 - low) / 40, color=FAINT, zorder=0)
    ax.vlines(
        sure, [b.right.low for b in bins], [b.right.high for b in bins], color=COLOURS[0], linewidth=0.9, alpha=0.6
    )
    line = look(style, color=COLOURS[0], marker="o", markersize=6, linewidth=0, clip_on=False)
    CalibrationDisplay(right, sure, sure).plot(ax=ax, name="answers", ref_line=False, **line)
    dress(ax, *labels)
    ax.set(xlim=(low, 1.0 + (1 - low) / 60), ylim=(0, 1.02))
    percent(ax, "xy")
    headline(ax, f"calibration error {scores.reliability.error:.1%}")
    ax.set_title("bars: share of answers", loc="right", fontsize=8, color=MUTED)
    return ax
