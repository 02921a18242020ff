"""Bars: ratios as a picture that is legible on white and on black, wins and losses alike."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, LEFT, RIGHT, ROW, TOP = 930, 500, 60, 22, 46
GREY, WIN, LOSS = "#808080", "#2e9e5b", "#d1568a"  # each 3:1 or more against white and against #1e2129
LONGEST = 78  # letters of a name that fit beside the bars
SIZE = re.compile(r", [\d,]+ texts, \d+ MB")  # which the table tells
NUMBER = 45  # a number's room
FONT = 'font-family="system-ui,sans-serif" font-size="12"'


@dataclass(frozen=True)
class Bar:
    """A ratio, above 1 where bayleaf is better, and the goal it has."""

    key: str
    name: str
    ratio: float
    goal: float | None = None


def bars(title: str, rows: Sequence[Bar]) -> str:
    """An SVG: one bar a row on a logarithmic axis, to the right of 1 when better, to the left when worse."""
    shown = [row for row in rows if row.ratio > 0 and math.isfinite(row.ratio)]
    low = min([1 / 1.5, *(row.ratio / 1.5 for row in shown)])
    high = max([1.5, *(1.25 * max(row.ratio, row.goal or 0) for row in shown)])
    height = TOP + ROW * len(shown) + 26

    def place(ratio: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(ratio / low) / math.log(high / low)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" {FONT} fill="{GREY}">',
        f"<title>{escape(title)}</title>",
        f'<text x="8" y="20" font-size="14" font-weight="bold">{escape(title)}</text>',
        '<text x="8" y="37">times better than the peer; left of 1 is worse; a tick is the goal</text>',
    ]
    for mark in ticks(low, high):
        x, last = place(mark), height - 22
        lines.append(f'<path d="M{x:.1f} {TOP}V{last}" stroke="{GREY}" stroke-opacity="{1 if mark == 1 else 0.25}"/>')
        lines.append(f'<text x="{x:.1f}" y="{height - 8}" text-anchor="middle">{mark:g}x</text>')
    for number, row in enumerate(shown):
        lines += drawn(row, TOP + ROW * number, place(1), place(row.ratio), place(row.goal) if row.goal else None)
    return "\n".join([*lines, "</svg>", ""])


def drawn(row: Bar, y: float, one: float, end: float, goal: float | None) -> list[str]:
    """The name, the bar, its number, and a tick at the goal."""
    left, colour = min(one, end), WIN if end >= one else LOSS
    name = SIZE.sub("", row.name)
    head, dash, peer = name.rpartition(" – ")
    text = escape(name if len(name) <= LONGEST else f"{head[: LONGEST - 4 - len(peer)]}…{dash}{peer}")
    free = goal if goal is not None and end < goal < end + NUMBER else end  # the tick would cross the number
    side, anchor = (free + 5, "start") if end >= one else (end - 5, "end")
    lines = [
        f'<text x="8" y="{y + 15}">{text}</text>',
        f'<rect x="{left:.1f}" y="{y + 4}" width="{max(abs(end - one), 1):.1f}" height="14" rx="2" fill="{colour}"/>',
        f'<text x="{side:.1f}" y="{y + 15}" text-anchor="{anchor}">{row.ratio:.3g}x</text>',
    ]
    if goal is not None:
        lines.append(f'<path d="M{goal:.1f} {y + 2}v18" stroke="{GREY}" stroke-width="2"/>')
    return lines


def ticks(low: float, high: float) -> list[float]:
    """1 and round numbers around it, at most three to a decade."""
    steps = (1.0, 2.0, 5.0) if high / low < 300 else (1.0,)
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [mark for e in exponents for step in steps if low <= (mark := float(f"{step * 10.0**e:.3g}")) <= high]
