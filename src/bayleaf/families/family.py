"""Family: what to count of a row, and what the counts mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bayleaf.errors import BayleafError
from bayleaf.tally import Counts

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.rows import Rows
    from bayleaf.scorers import Scorer


class Family(ABC):
    """One kind of distribution per class. Frozen settings; `weigh` is the only place where they act."""

    name: ClassVar[str]

    def zero(self, k: int, d: int) -> Any:
        """The empty tally."""
        return Counts.zero(k, d)

    def lift(self, rows: Rows) -> Rows:
        """What to count of the rows."""
        return rows

    @property
    def counted(self) -> str:
        """The settings that `lift` follows, in words: tallies counted under others cannot be read or merged."""
        return ""

    def refuse_nonsense(self, tally: Any) -> None:
        """Refuse a tally that no rows can have left, after some were taken away."""
        return

    def room(self, tally: Any, rows: Rows) -> Any:
        """The tally with room for what the rows hold; the same unless categories are new."""
        return tally

    def admit(self, tally: Any, rows: Rows) -> Rows:
        """Lifted rows as the scorer of this tally takes them; refuses what it must not see."""
        return rows

    @abstractmethod
    def weigh(self, tally: Any) -> Scorer:
        """The scorer that a tally amounts to."""

    @abstractmethod
    def sample(self, tally: Any, codes: Ints, rng: np.random.Generator) -> Array:
        """One row per class number, drawn from the model."""

    @property
    def generative(self) -> Family:
        """The family that gives P(x | c) as a probability; itself unless its scores are none."""
        return self

    def carrier(self, rows: Rows) -> Floats | float:
        """The part of log P(x | c) that is the same for every class, which scores leave out."""
        return 0.0

    def loo(self, tally: Any, rows: Rows, codes: Ints, weights: Floats) -> Floats:
        """Scores of the rows, each against the tally without it, (n, k).

        Here literally: take the row away, weigh, score. Families override it where counting allows one pass.
        """
        joint = np.zeros((len(rows), len(tally.weight)))
        for i in range(len(rows)):
            one, code = rows[i : i + 1], codes[i : i + 1]
            without = tally.copy()
            without.learn(one, code, weights[i : i + 1], sign=-1.0)
            scorer = self.weigh(without.after_removal(tally))
            joint[i] = scorer.bias
            scorer.add_to(one, joint[i : i + 1])
        return joint


LARGEST_MEAN = 9.2e18  # of a Poisson number that fits into 64 bits


def refuse_undrawable(mean: Floats) -> None:
    """Refuse counts that no random number can be drawn for."""
    if mean.max(initial=0.0) > LARGEST_MEAN:
        raise BayleafError(
            f"Found a mean count of {mean.max():g}; expected at most {LARGEST_MEAN:g}, or none can be drawn. Rescale "
            "the columns before fitting"
        )
