"""Sums: the arithmetic of a verdict, clue by clue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bayleaf.mail import Clue, Verdict

SHOWN = 24  # clues one by one; there are hundreds
FAMILIES = {"raw": "bytes", "word": "words", "pair": "pairs of words", "header": "headers", "layer": "balance"}


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
        tokens = [clue for clue in verdict.clues if is_token(clue)]
        shown = [*tokens[:SHOWN], *(clue for clue in verdict.clues if not is_token(clue))]
        shown.sort(key=lambda clue: -abs(clue.summand))
        top = max((abs(clue.summand) for clue in shown), default=0.0) or 1.0
        rows = [_row(clue, sign, top) for clue in shown]
        return cls(target, sign, rows + _rest(tokens[SHOWN:], sign), verdict.scores[target])


def is_token(clue: Clue) -> bool:
    """Whether a clue is something in the mail, and not of the filter's own arithmetic."""
    return clue.family != "layer" and not clue.name.startswith("clip:")


def _row(clue: Clue, sign: float, top: float) -> Row:
    words = {"base": "how often each label comes"}.get(clue.name, clue.name)
    if clue.name.startswith("clip:"):
        words = f"limit on what {FAMILIES[clue.family]} may say"
    width = 100 * abs(clue.summand) / top
    return Row(words, FAMILIES[clue.family], sign * clue.summand, clue.counts, width, is_token(clue))


def _rest(clues: Sequence[Clue], sign: float) -> list[Row]:
    rows = []
    for family, kind in FAMILIES.items():
        own = [clue.summand for clue in clues if clue.family == family]
        if own:
            rows.append(Row(f"{len(own):,} more {kind}", kind, sign * sum(own), (), 0.0, False))
    return rows
