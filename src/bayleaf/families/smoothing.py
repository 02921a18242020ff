"""Smoothing: from counts to log probabilities. It happens when a tally is weighed, never when it is counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from bayleaf.errors import BayleafError

if TYPE_CHECKING:
    from bayleaf.arrays import Floats, Ints

Kind = Literal["lidstone", "background", "jelinek-mercer", "absolute"]
KINDS: tuple[str, ...] = get_args(Kind)

# What `alpha="auto"` chooses from: half decades for pseudo-counts, tenths for shares.
PSEUDO_COUNTS = tuple(float(f"{10 ** (e / 2):.3g}") for e in range(-8, 5))
SHARES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99)
STRONGEST = 1e120  # of an alpha or a denominator: times each other and the number of columns still a number
GRIDS = {"lidstone": PSEUDO_COUNTS, "background": PSEUDO_COUNTS, "jelinek-mercer": SHARES, "absolute": SHARES}
# What is taken where nothing speaks for another: a share of 1 would leave the background alone, the same for all.
USUAL = {kind: 0.5 if grid is SHARES else 1.0 for kind, grid in GRIDS.items()}


@dataclass(frozen=True)
class Smoothing:
    """How a count n of N becomes a probability; b is the share of the outcome in all classes together.

    ==================  ==========================================================================
    lidstone            (n + a) / (N + a |V|); a = 1 is Laplace; `denominator` m: (n + a) / (N + m a)
    background          (n + a b) / (N + a): a Dirichlet prior centred on the background
    jelinek-mercer      (1 - a) n / N + a b
    absolute            (max(n - a, 0) + f b) / N, with f what was taken off all outcomes together
    ==================  ==========================================================================

    a = 0 is maximum likelihood in each of them, and a = 1 the background alone in Jelinek-Mercer. An outcome that no
    class has seen says nothing where the background is used: each class gives it 1 / |V|, which the posterior cancels.
    Source: Zhai & Lafferty, "A study of smoothing methods for language models", ACM TOIS 22 (2004); Lidstone (1920).

    Examples
    --------
    >>> import numpy as np
    >>> laplace = Smoothing("lidstone", 1.0)
    >>> np.exp(laplace.log_prob(np.array([3.0, 0.0]), np.array([3.0, 3.0]), alpha=1.0, mass=2.0, size=2))
    array([0.8, 0.2])
    """

    kind: Kind = "lidstone"
    strength: float | tuple[float, ...] = 1.0
    denominator: float | None = None
    proper: bool = False  # see `generative`

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise BayleafError(f"Unknown smoothing {self.kind!r}; expected one of {', '.join(KINDS)}")
        strength = np.asarray(self.strength)
        refuse_strong("alpha", float(strength.max(initial=0.0)))
        refuse_strong("denominator", self.denominator or 0.0)
        if self.kind != "lidstone" and (strength.ndim or not strength >= 0):
            raise BayleafError(f"smoothing={self.kind!r} takes one alpha, zero or more; found {self.strength!r}")
        if self.kind in ("jelinek-mercer", "absolute") and strength > 1:
            raise BayleafError(f"smoothing={self.kind!r} takes an alpha from 0 to 1; found {self.strength!r}")
        if self.kind != "lidstone" and self.denominator is not None:
            raise BayleafError(
                f"smoothing={self.kind!r} takes no denominator; found {self.denominator!r}. Leave it out, or take "
                '"lidstone"'
            )

    @property
    def needs_background(self) -> bool:
        """Whether b, the share of an outcome in all classes, is used."""
        return self.kind != "lidstone"

    @property
    def generative(self) -> Smoothing:
        """The same whose probabilities add up to 1, for log P(x) and for drawing; itself if they do.

        With another denominator they do not, so here it is the number of outcomes again. With a background, what no
        class has seen has the probability b = 0, not the 1 / |V| by which it says nothing in a posterior; a class
        without counts has the background.
        """
        return replace(self, proper=self.needs_background, denominator=None)

    @property
    def discounts(self) -> bool:
        """Whether f, what is taken off the counts, is used."""
        return self.kind == "absolute"

    def taken(self, count: Floats) -> Floats:
        """What absolute discounting takes off each count."""
        return np.minimum(count, self.strength if self.discounts else 0.0)

    def grid(self) -> list[Smoothing]:
        """What ``alpha="auto"`` tries."""
        return [replace(self, strength=strength) for strength in GRIDS[self.kind]]

    def doubts(self) -> Floats:
        """What each strength of the grid costs before a row has spoken, in nats of log loss: the usual one nothing.

        A normal prior on the logarithm with a deviation of a decade: where all of a few rows are right, nothing else
        would keep the strength from the edge of the grid. Hundreds of rows outweigh it.

        >>> Smoothing().doubts()[[0, 8, 12]].tolist()
        [8.0, 0.0, 2.0]
        """
        decades: Floats = np.log10(np.array(GRIDS[self.kind]) / USUAL[self.kind])
        return 0.5 * decades**2

    def alpha(self, columns: Ints | None = None) -> Floats | float:
        """Strength per column as (m, 1), or the one strength of all."""
        if isinstance(self.strength, tuple):
            alpha: Floats = np.asarray(self.strength)[:, None]
            return alpha if columns is None else alpha[columns]
        return self.strength

    def mass(self, outcomes: Floats | float) -> Floats | float:
        """What Lidstone adds to N, given the sum of the pseudo-counts of all outcomes."""
        if self.denominator is None:
            return outcomes
        return self.denominator * float(np.mean(self.strength))

    def log_prob(
        self,
        count: Floats,
        total: Floats,
        *,
        alpha: Floats | float,
        mass: Floats | float,
        size: Floats | float,
        freed: Floats | float = 0.0,
    ) -> Floats:
        """The log of the smoothed count / total, -inf where that is 0 and 1 / size where nothing is known at all.

        All arguments broadcast: they may be the columns of a whole table or the entries of single rows, classes across.
        """
        share = self._background(count, total, size) if self.needs_background else 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.kind == "lidstone":
                numerator, denominator = count + alpha, total + mass
            elif self.kind == "background":
                numerator, denominator = count + alpha * share, total + alpha
            elif self.kind == "jelinek-mercer":
                numerator, denominator = (1 - alpha) * count + alpha * total * share, total
            else:
                numerator, denominator = np.maximum(count - alpha, 0.0) + freed * share, total
            known = np.log(numerator, out=numerator)  # in place: of a large table each copy costs as much as the logs
            known -= np.log(denominator)
            if self.proper:
                return np.where(denominator > 0, known, np.log(share))
            unheard = (denominator <= 0) | ((share == 0) & self.needs_background & (self.strength != 0))
            return np.where(unheard, -np.log(size), known) if np.any(unheard) else known

    def _background(self, count: Floats, total: Floats, size: Floats | float) -> Floats:
        """b, the share of each outcome in all classes together."""
        pooled = total.sum(axis=1, keepdims=True)
        return np.where(pooled > 0, count.sum(axis=1, keepdims=True) / np.where(pooled > 0, pooled, 1.0), 1 / size)


def refuse_strong(name: str, value: float) -> None:
    """Refuse a strength whose sums are beyond float64."""
    if value > STRONGEST:
        raise BayleafError(
            f"Found {name}={value:g}; expected at most {STRONGEST:g}. Smaller ones already make all classes alike"
        )
