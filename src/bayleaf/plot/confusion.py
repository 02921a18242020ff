"""Confusion matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.plain import width
from bayleaf.plot.asking import MEASURED, refuse_other
from bayleaf.plot.canvas import COLOURS, INK, PAPER, canvas, dress, look, name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bayleaf.evaluate.scores import Scores

NUMBERED = 15  # labels up to which the numbers in the cells can be read
NAMED = 60  # labels up to which each has its name; of more, every second, third and so on


def confusion(scores: Scores, ax: Axes | None = None, **style: Any) -> Axes:
    """Rows of each truth by the answer they got: counts, shaded by their share of the truth; `style` to the image."""
    refuse_other(scores, "confusion", MEASURED)
    labels = ("answer", "truth")
    k = len(scores.labels)
    ax = canvas(ax, *labels, size=matrix_size(k))
    from matplotlib.colors import LinearSegmentedColormap
    from sklearn.metrics import ConfusionMatrixDisplay

    counts = scores.confusion
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    ramp = LinearSegmentedColormap.from_list("ramp", [PAPER, COLOURS[0]])
    display = ConfusionMatrixDisplay(shares, display_labels=[""] * k)
    display.plot(include_values=k <= NUMBERED, cmap=ramp, ax=ax, colorbar=False, im_kw=look(style, vmin=0.0, vmax=1.0))
    if display.text_ is not None:
        for (row, column), text in np.ndenumerate(display.text_):
            shade = PAPER if shares[row, column] > 0.5 else INK
            text.set(text=f"{counts[row, column]:,}", color=shade, fontsize=9)
    dress(ax, *labels)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    names = [name(label) for label in scores.labels]
    steep = max(map(width, names)) > (6 if k > 2 else 12)
    at = range(0, k, -(-k // NAMED))
    slant: dict[str, Any] = {"rotation": 45, "ha": "right"} if steep else {"rotation": 0, "ha": "center"}
    ax.set_xticks(at, [names[place] for place in at], parse_math=False, **slant)
    ax.set_yticks(at, [names[place] for place in at], parse_math=False)
    return ax


def matrix_size(k: int) -> tuple[float, float]:
    """Inches for a matrix of k labels."""
    side = min(2.6 + 0.45 * k, 12.0)
    return side + 0.8, side
