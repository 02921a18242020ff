"""Clue: one reason for a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Clue(NamedTuple):
    """One summand of a score. `counts` are the learned mails that have the token, label by label as in the verdict."""

    name: str
    family: str
    summand: float
    counts: tuple[int, ...]


def telling(clues: Sequence[Clue], most: int) -> tuple[list[Clue], list[Clue]]:
    """The clues to be shown, and the others: the strongest, but a third of them on each side where there are so many.

    Where many weak clues outweigh a few strong ones, the strongest alone would all speak against the verdict.

    >>> clues = [Clue(name, "", part, ()) for name, part in (("a", 3.0), ("b", 2.0), ("c", 1.0), ("d", -1.0))]
    >>> shown, others = telling(clues, 3)
    >>> [clue.name for clue in shown], [clue.name for clue in others]
    (['a', 'b', 'd'], ['c'])
    """
    speaks_for = [clue.summand > 0 for clue in clues]
    sides = ([at for at, side in enumerate(speaks_for) if side is wanted][: most // 3] for wanted in (True, False))
    kept = set().union(*sides)
    kept |= set([at for at in range(len(clues)) if at not in kept][: most - len(kept)])
    shown, others = ([clue for at, clue in enumerate(clues) if (at in kept) is wanted] for wanted in (True, False))
    return shown, others
