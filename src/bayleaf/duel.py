"""Duel: one label against another in an explanation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayleaf.logarithms import LARGEST

if TYPE_CHECKING:
    from bayleaf.arrays import Floats
    from bayleaf.explanation import Clue, Explanation


@dataclass(frozen=True, eq=False)
class Duel:
    """What prior and clues add to the log-odds of the label number `first` against the label number `second`."""

    explanation: Explanation
    first: int
    second: int

    def odds(self, summands: Floats) -> float:
        """What these summands add; finite, also where one label is impossible."""
        bounded = np.clip(summands, -LARGEST, LARGEST)
        return float(bounded[self.first] - bounded[self.second])

    def steps(self, count: int) -> list[tuple[str | Clue, Floats]]:
        """The prior, the `count` clues that add most, and the others together: what each is and its summands.

        The clues of `Explanation.strongest` would be others: those by which any two labels differ most.
        """
        why = self.explanation
        ranked = sorted(why.clues, key=lambda clue: -abs(self.odds(clue.summands)))
        shown, hidden = ranked[:count], ranked[count:]
        steps: list[tuple[str | Clue, Floats]] = [("prior", why.prior), *((clue, clue.summands) for clue in shown)]
        others = np.sum([why.rest, *(clue.summands for clue in hidden)], axis=0)
        if hidden or others.any():
            steps.append((f"{len(hidden)} more" if hidden else "rest", others))
        return steps
