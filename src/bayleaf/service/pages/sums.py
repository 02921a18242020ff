"""Sums: the arithmetic of a verdict, clue by clue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bayleaf.mail import Clue, Verdict

SHOWN = 24  # clues one by one; there are hundreds
FAMILIES = {
    "raw": "bytes",
    "word": "words",
    "pair": "pairs of words",
    "header": "headers",
    "layer": "balance",
}


class Row(NamedTuple):
    """One line: what it is, what it adds, how many learned mails of each label have it. `width` is that of its bar."""

    name: str
    kind: str
    value: float
    counts: tuple[int, ...]
    width: float
    token: bool


class Sums(NamedTuple):
    """Rows that add up to `total`, the log-odds of `target`."""

    target: str
    sign: float
    rows: list[Row]
    total: float

    @classmethod
    def of(cls, verdict: Verdict) -> Sums:
        """The strongest clues and, kind by kind, the rest."""
        target = "spam" if set(verdict.scores) == {"spam", "ham"} else verdict.best
        sign = 1.0 if target == verdict.best else -1.0
        clues = verdict.clues
        top = max((abs(clue.summand) for clue in clues), default=0.0) or 1.0
        rows = [_row(clue, sign, top) for clue in clues[:SHOWN]]
        return cls(target, sign, rows + _rest(clues[SHOWN:], sign, top), verdict.scores[target])


def _row(clue: Clue, sign: float, top: float) -> Row:
    words = {"base": "how often each label comes"}.get(clue.name, clue.name)
    if clue.name.startswith("clip:"):
        words = f"limit on what {FAMILIES[clue.family]} may say"
    token = clue.family != "layer" and not clue.name.startswith("clip:")
    return Row(words, FAMILIES[clue.family], sign * clue.summand, clue.counts, 100 * abs(clue.summand) / top, token)


def _rest(clues: Sequence[Clue], sign: float, top: float) -> list[Row]:
    rows = []
    for family, kind in FAMILIES.items():
        own = [clue.summand for clue in clues if clue.family == family]
        if own:
            value = sign * sum(own)
            rows.append(Row(f"{len(own):,} more {kind}", kind, value, (), min(100 * abs(value) / top, 100.0), False))
    return rows
