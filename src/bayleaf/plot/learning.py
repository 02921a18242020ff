"""Learning curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bayleaf.errors import BayleafError
from bayleaf.plot.canvas import COLOURS, canvas, look, percent, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bayleaf.evaluate.curve import Point


def learning_curve(points: Sequence[Point], ax: Axes | None = None, **style: Any) -> Axes:
    """Accuracy by the number of learned rows, with its 95 % interval; `style` goes to the line."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    if not points:
        raise BayleafError("Found no points; expected those of evaluate.curve.learning_curve. Pass at least one")
    ax = canvas(ax, "rows learned", "accuracy")
    rows = [point.rows for point in points]
    low, high = [point.accuracy.low for point in points], [point.accuracy.high for point in points]
    ax.fill_between(rows, low, high, color=COLOURS[0], alpha=0.14, linewidth=0)
    line = look(style, color=COLOURS[0], marker="o", markersize=4, linewidth=1.6)
    ax.plot(rows, [point.accuracy.value for point in points], **line)
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if rows[-1] < 30 * rows[0] else (1,)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.tick_params(which="minor", length=0)
    ax.margins(x=0.1)
    percent(ax, "y")
    last = points[-1]
    words(ax, last.rows, last.accuracy.high, f"{last.accuracy.value:.1%}", color=COLOURS[0], ha="center", va="bottom")
    return ax
