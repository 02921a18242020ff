"""Waterfall: an explanation, summand by summand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.duel import Duel
from bayleaf.explanation import SHOWN
from bayleaf.plain import plain
from bayleaf.plot.asking import refuse_other
from bayleaf.plot.canvas import COLOURS, FAINT, INK, MUTED, canvas, headline, look, name, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bayleaf.explanation import Explanation

SIDE_BY_SIDE = 24  # characters of both names that fit in one line
ROW = 33  # characters of the name and the value of a clue
FOR, AGAINST = COLOURS[0], COLOURS[1]


def waterfall(explanation: Explanation, ax: Axes | None = None, count: int = SHOWN, **style: Any) -> Axes:
    """How prior and clues add up to the log-odds of the winner against the runner-up; `style` goes to the bars.

    The `count` clues that add most to it have a bar each, the others one together. Right of 0 the winner leads.
    """
    refuse_other(explanation, "rivals", "the explanation of one row, as explain(rows)[0]")
    first, second = explanation.rivals
    steps = _bars(Duel(explanation, first, second), count)
    values = np.array([value for _, value in steps])
    ends = np.cumsum(values)
    labels = [name(label) for label in explanation.labels]
    gap = "\n" if len(labels[first]) + len(labels[second]) > SIDE_BY_SIDE else " "
    xlabel = f"log-odds of {labels[first]}{gap}against {labels[second]}"
    if first == second:
        xlabel = f"nothing to weigh: {labels[first]} is the only label"
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


def _bars(duel: Duel, count: int) -> list[tuple[str, float]]:
    """The name and the length of each bar."""
    steps = [(what, duel.odds(summands)) for what, summands in duel.steps(count)]
    return [
        (what if isinstance(what, str) else _told(what.name, what.told), odds)
        for what, odds in steps
        if odds or what != "rest"
    ]


def _told(clue: str, value: Any) -> str:
    """Both in one row: the value has the room that the name leaves, half of it at least, and the name the remainder."""
    words = plain(f"{value:g}" if isinstance(value, float) else value)
    value = plain(words, max(ROW - len(plain(clue)), ROW // 2))
    return f"{plain(clue, ROW - len(value))} = {value}"
