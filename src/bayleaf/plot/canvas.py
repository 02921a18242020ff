"""Canvas: axes in the house's style. Everything is set on the axes themselves, nothing in matplotlib's settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bayleaf.errors import BayleafError
from bayleaf.plain import plain, width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, MUTED, FAINT, PAPER = "#1f2328", "#656d76", "#d1d9e0", "#ffffff"
# Okabe and Ito, "Color universal design", 2008: told apart by people with any kind of colour vision.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
SIZE = (4.4, 3.6)  # inches; text of 9 points in it can be read on a telephone
SHORT = {"c": "color", "lw": "linewidth", "ls": "linestyle", "ms": "markersize", "ec": "edgecolors"}
LABEL = 28  # characters of a name
LETTER = 5.6  # points: the width of one in text of 9 points
LINES = 4  # of names above the axes
ENTRIES = 10  # of names one below the other


def canvas(ax: Axes | None, xlabel: str, ylabel: str, size: tuple[float, float] = SIZE) -> Axes:
    """The axes, or new ones, with thin spines and names."""
    if ax is None:
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise BayleafError('Pictures need matplotlib; install it with: pip install "bayleaf[plot]"') from None
        ax = plt.subplots(figsize=size, layout="constrained")[1]
    return dress(ax, xlabel, ylabel)


def dress(ax: Axes, xlabel: str, ylabel: str) -> Axes:
    """The same axes, again in our style after somebody else drew on them."""
    ax.spines[["top", "right"]].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set(linewidth=0.7, color=MUTED)
    ax.tick_params(length=3, width=0.7, color=MUTED, labelcolor=MUTED, labelsize=9)
    for set_label, words in ((ax.set_xlabel, xlabel), (ax.set_ylabel, ylabel)):
        set_label(words, fontsize=9.5, color=INK, parse_math=False)
    legend = ax.get_legend()
    if legend is not None:
        legend.remove()
    return ax


def headline(ax: Axes, words: str) -> None:
    """A title at the left; dollar signs are dollar signs."""
    ax.set_title(words, loc="left", fontsize=10, color=INK, parse_math=False)


def name(label: Any) -> str:
    """A label as it is shown: one line, nothing hidden, not too long."""
    return plain(label, LABEL)


def colours(labels: Any) -> list[str]:
    """One colour per label; with more than six they repeat."""
    return [COLOURS[place % len(COLOURS)] for place in range(len(labels))]


def look(style: dict[str, Any], **ours: Any) -> dict[str, Any]:
    """How an artist looks: our way, unless the caller says otherwise, in matplotlib's long names or its short ones."""
    return ours | {SHORT.get(word, word): value for word, value in style.items()}


def words(ax: Axes, x: float, y: float, text: str, **style: Any) -> Any:
    """Text on the axes; dollar signs are dollar signs."""
    return ax.text(x, y, text, **look(style, fontsize=9, color=INK, parse_math=False))


def key(ax: Axes, entries: Sequence[tuple[str, str]], x: float, y: float, ha: str = "left") -> None:
    """Names beside dots in their colours from (x, y) upwards, in parts of the axes: a legend without a box.

    The names are ink: half of the colours are too pale for letters.
    """
    step = 0.04 if ha == "left" else -0.04
    for place, (text, colour) in enumerate(reversed(few(entries))):
        height = y + 0.07 * place
        words(ax, x, height, "●", color=colour, ha=ha, va="center", transform=ax.transAxes)
        words(ax, x + step, height, text, ha=ha, va="center", transform=ax.transAxes)


def few(entries: Sequence[tuple[str, str]], most: int = ENTRIES) -> list[tuple[str, str]]:
    """The entries of a key, or as many as there is room for and how many more there are."""
    if len(entries) <= most:
        return list(entries)
    return [*entries[: most - 1], (f"{len(entries) - most + 1} more", FAINT)]


def along(ax: Axes, entries: Sequence[tuple[str, str]], limit: int = LINES) -> None:
    """Names beside dots in their colours, side by side above the axes, in as many lines as they need up to so many."""
    room = ax.bbox.width / getattr(ax.get_figure(root=True), "dpi", 72) * 72
    most = len(entries)
    while len(lines := _lines(few(entries, most), room)) > limit and most > limit:
        most -= 1
    style: dict[str, Any] = {"textcoords": "offset points", "fontsize": 9, "va": "bottom", "parse_math": False}
    for number, line in enumerate(reversed(lines)):
        beside: Any = ax.transAxes
        for place, (text, colour) in enumerate(line):
            at, shift = ((0.0, 1.0), (0, 5 + 13 * number)) if place == 0 else ((1.0, 0.0), (12, 0))
            dot = ax.annotate("●", at, shift, xycoords=beside, color=colour, **style)
            beside = ax.annotate(text, (1.0, 0.0), (3, 0), xycoords=dot, color=INK, **style)


def _lines(entries: Sequence[tuple[str, str]], room: float) -> list[list[tuple[str, str]]]:
    """Entries in lines of so many points."""
    lines: list[list[tuple[str, str]]] = []
    left = 0.0
    for entry in entries:
        need = LETTER * (width(entry[0]) + 1) + 15  # a dot and the gaps around it
        if not lines or need > left:
            lines.append([])
            left = room
        lines[-1].append(entry)
        left -= need
    return lines


def percent(ax: Axes, axes: str) -> None:
    """Ticks of x, y or both as percentages."""
    for letter in axes:
        getattr(ax, f"{letter}axis").set_major_formatter(lambda share, _: f"{100 * share:.4g}%")
