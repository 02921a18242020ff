"""Waterfall: an explanation, summand by summand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.logarithms import LARGEST
from bayleaf.plot.asking import refuse_other
from bayleaf.plot.canvas import COLOURS, FAINT, INK, MUTED, canvas, headline, look, name, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bayleaf.explanation import Explanation

SHOWN = 12
SIDE_BY_SIDE = 24  # characters of both names that fit in one line
FOR, AGAINST = COLOURS[0], COLOURS[1]


def waterfall(explanation: Explanation, ax: Axes | None = None, count: int = SHOWN, **style: Any) -> Axes:
    """How prior and clues add up to the log-odds of the winner against the runner-up; `style` goes to the bars.

    The strongest `count` clues have a bar each, the others one together. Right of 0 the winner leads.
    """
    refuse_other(explanation, "rivals", "the explanation of one row, as explain(rows)[0]")
    first, second = explanation.rivals
    steps = _steps(explanation, count, first, second)
    values = np.array([value for _, value in steps])
    ends = np.cumsum(values)
    labels = [name(label) for label in explanation.labels]
    gap = "\n" if len(labels[first]) + len(labels[second]) > SIDE_BY_SIDE else " "
    xlabel = f"log-odds of {labels[first]}{gap}against {labels[second]}"
    ax = canvas(ax, xlabel, "", size=(5.6, 1.1 + 0.27 * (len(steps) + 1)))
    places = np.arange(len(steps) + 1)
    lefts, widths = np.append(ends - values, 0.0), np.append(values, ends[-1])
    looks = [FOR if value >= 0 else AGAINST for value in values] + [INK]
    ax.barh(places, widths, left=lefts, **look(style, color=looks, height=0.66))
    ax.vlines(ends, places[:-1], places[1:], color=MUTED, linewidth=0.6)
    ax.axvline(0, color=FAINT, linewidth=1, zorder=0)
    for place, left, width in zip(places, lefts, widths, strict=True):
        edge = max(left, left + width)
        words(ax, edge, float(place), f" {width:+.2f}".replace("-", "−"), va="center", fontsize=8, color=MUTED)
    ax.set_yticks(places, [*(text for text, _ in steps), "sum"], parse_math=False)
    ax.tick_params(axis="y", length=0, labelcolor=INK)
    ax.spines["left"].set_visible(False)
    ax.invert_yaxis()
    ax.margins(x=0.12)
    headline(ax, f"{name(explanation.predicted)}: {explanation.posterior.max():.1%}")
    return ax


def _steps(explanation: Explanation, count: int, first: int, second: int) -> list[tuple[str, float]]:
    def odds(summands: Any) -> float:
        bounded = np.clip(summands, -LARGEST, LARGEST)
        return float(bounded[first] - bounded[second])

    shown = explanation.strongest(count)
    hidden = [clue for clue in explanation.clues if not any(clue is other for other in shown)]
    steps = [("prior", odds(explanation.prior))]
    steps += [(name(_told(clue.name, clue.told)), odds(clue.summands)) for clue in shown]
    others = odds(explanation.rest) + sum(odds(clue.summands) for clue in hidden)
    if hidden or others:
        steps.append((f"{len(hidden)} more" if hidden else "rest", others))
    return steps


def _told(clue: str, value: Any) -> str:
    return f"{clue} = {value:g}" if isinstance(value, float) else f"{clue} = {value}"
