"""Tokens: what speaks most for each class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bayleaf.errors import BayleafError
from bayleaf.plain import width
from bayleaf.plot.canvas import FAINT, INK, LETTER, MUTED, canvas, colours, look, name, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 12
MOST = 30  # classes: a picture of more is higher than programs can show
WIDE = 5.6  # inches
SOURCES = ("strongest", "top_tokens")
Strongest = Mapping[Any, Sequence[tuple[str, float]]]


def tokens(model: Any, ax: Axes | None = None, count: int = SHOWN, **style: Any) -> Axes:
    """The strongest `count` tokens of each class: two classes back to back, more (the first 30) one below the other.

    `model` is a classifier with `strongest` or `top_tokens`, or what they return: {label: [(token, weight)]}. `style`
    goes to the bars.
    """
    table = strongest(model, count)
    ax = canvas(ax, "weight", "", size=list_size(table))
    draw = _back_to_back if len(table) == 2 else _stacked
    draw(ax, table, style)
    ax.spines["left"].set_visible(False)
    ax.set_yticks([])
    ax.invert_yaxis()
    return ax


def strongest(model: Any, count: int) -> dict[Any, list[tuple[str, float]]]:
    """The strongest tokens of a model or of a table."""
    if isinstance(model, Mapping):
        return {label: speaking(ranks)[:count] for label, ranks in model.items()}
    for source in SOURCES:
        if hasattr(model, source):
            table: dict[Any, list[tuple[str, float]]] = getattr(model, source)(count)
            return {label: speaking(ranks) for label, ranks in table.items()}
    raise BayleafError(
        f"Found {type(model).__name__}, which cannot name its tokens; expected a classifier with strongest or "
        "top_tokens, or {label: [(token, weight)]}"
    )


def speaking(ranks: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Without those that speak against the class, which come last where a model knows few tokens."""
    return [(token, weight) for token, weight in ranks if weight >= 0]


def list_size(table: Strongest) -> tuple[float, float]:
    """Inches for these tokens."""
    lengths = [min(len(speaking(ranks)), SHOWN) for ranks in list(table.values())[:MOST]]
    rows = max(lengths) if len(lengths) == 2 else sum(lengths) + 1.3 * len(lengths)
    return WIDE, 1.1 + 0.25 * max(rows, 2)


def _back_to_back(ax: Axes, table: Strongest, style: dict[str, Any]) -> None:
    top = _top(table)
    for (label, ranks), colour, sign in zip(table.items(), colours(list(table)), (-1, 1), strict=True):
        side = "right" if sign < 0 else "left"
        for place, (token, weight) in enumerate(ranks):
            ax.barh(place, sign * weight, **look(style, color=colour, height=0.66))
            words(ax, sign * (weight + 0.02 * top), place, name(token), ha=side, va="center")
        words(ax, sign * 0.02 * top, -0.85, name(label), ha=side, va="center", fontweight="bold")
    ax.axvline(0, color=INK, linewidth=0.7)
    limit = max(1.5 * top, _limit(table, top, WIDE / 2))
    ax.set(xlim=(-limit, limit), ylim=(-1.3, max(2, *map(len, table.values())) - 0.5))
    ax.xaxis.set_major_formatter(lambda x, _: f"{abs(x):g}")


def _stacked(ax: Axes, table: Strongest, style: dict[str, Any]) -> None:
    top = _top(table)
    place = 0.0
    drawn = dict(list(table.items())[:MOST])
    for (label, ranks), colour in zip(drawn.items(), colours(drawn), strict=True):
        words(ax, 0.0, place, name(label), va="center", fontweight="bold")
        for token, weight in ranks:
            place += 1
            ax.barh(place, weight, **look(style, color=colour, height=0.66))
            words(ax, weight + 0.015 * top, place, name(token), va="center")
        place += 1.3
    if len(table) > MOST:
        words(ax, 0.0, place, f"{len(table) - MOST} more classes", va="center", color=MUTED)
        place += 1
    ax.axvline(0, color=FAINT, linewidth=0.7)
    ax.set(xlim=(0, max(1.35 * top, _limit(drawn, top, WIDE))), ylim=(-0.8, place - 0.5))


def _limit(table: Strongest, top: float, inches: float) -> float:
    """Where the axis has to end for each token to have room beside its bar; at least a fifth is left to the bars."""
    room = 72 * inches - 20  # points
    return max(
        (
            weight / max(1 - LETTER * width(name(token)) / room, 0.2)
            for ranks in table.values()
            for token, weight in ranks
        ),
        default=top,
    )


def _top(table: Strongest) -> float:
    """The largest weight, by which the picture is scaled; 1 where all are 0, as with one class."""
    return max((weight for ranks in table.values() for _, weight in ranks), default=0.0) or 1.0
