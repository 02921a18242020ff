"""Explanation: the sum that makes a verdict, summand by summand."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.logarithms import LARGEST, log_sum
from bayleaf.plain import padded, width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bayleaf.arrays import Array, Floats

SHOWN = 12
LONGEST = 60  # letters of a name or value in the table


@dataclass(frozen=True, eq=False)
class Clue:
    """One reason: a column, its value in the row, and what it adds to the log score of each class.

    A token of a text also has its places there: ``text[start:end]`` for each (start, end) of `spans`.
    """

    name: str
    value: Any
    summands: Floats
    spans: tuple[tuple[int, int], ...] = ()
    known: bool = True
    """False of a category that was never learned: it is left out, as a missing value is."""

    @property
    def told(self) -> Any:
        """The value, and that it was never learned."""
        return self.value if self.known else f"{self.value} (never learned)"

    @property
    def spread(self) -> float:
        """How far the classes are apart in this clue alone."""
        finite = np.maximum(self.summands, -LARGEST)
        return float(finite.max() - finite.min())


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why one row gets its verdict: prior + clues + rest = joint, class by class, in natural logs.

    Examples
    --------
    >>> from bayleaf import BernoulliNB
    >>> nb = BernoulliNB().fit([[1, 0], [1, 1], [0, 1]], ["ham", "ham", "spam"])
    >>> print(nb.explain([[1, 0]])[0])
                     ham      spam
    prior         0.6667    0.3333
    x0 = 1          0.75    0.3333
    x1 = 0           0.5    0.3333
    product         0.25   0.03704
    normaliser   1/0.287   1/0.287
    posterior     0.8710    0.1290
    => ham
    """

    labels: Array
    prior: Floats
    clues: list[Clue]
    rest: Floats
    joint: Floats
    posterior: Floats
    predicted: Any

    @property
    def rivals(self) -> tuple[int, int]:
        """The numbers of the answer and of the runner-up: where probabilities are alike, as many 0s are, by score."""
        answer = list(self.labels).index(self.predicted)
        order = np.lexsort((-self.joint, -self.posterior)).tolist()
        return answer, next((place for place in order if place != answer), answer)

    def strongest(self, count: int = SHOWN) -> list[Clue]:
        """The clues in which the classes differ most."""
        return sorted(self.clues, key=lambda clue: -clue.spread)[:count]

    def __str__(self) -> str:
        shown = self.clues
        if len(shown) > SHOWN:  # what was never learned says nothing, and is told: it may be mistyped
            kept = self.strongest()
            shown = kept + [clue for clue in shown if not clue.known and not any(clue is other for other in kept)]
        hidden = [clue.summands for clue in self.clues if not any(clue is kept for kept in shown)]
        lines = [("prior", [_prior(p) for p in self.prior])]
        lines += [(f"{_brief(clue.name)} = {_value(clue.told)}", _factors(clue.summands)) for clue in shown]
        other = np.sum([*hidden, self.rest], axis=0)
        if hidden or other.any():
            lines.append((f"{len(hidden)} more" if hidden else "rest", _factors(other)))
        lines.append(("product", _factors(self.joint)))
        total = float(log_sum(self.joint[None])[0, 0])
        lines.append(("normaliser", [f"1/{_factor(total)}"] * len(self.labels)))
        share = self.posterior if np.isneginf(total) else _shares(self.joint)
        if not np.allclose(share, self.posterior, atol=5e-5):
            lines.append(("share", [f"{p:.4f}" for p in share]))
        lines.append(("posterior", [f"{p:.4f}" for p in self.posterior]))
        lines.insert(0, ("", [_brief(str(label)) for label in self.labels]))
        left = max(width(name) for name, _ in lines)
        wide = max(9, *(width(cell) for _, cells in lines for cell in cells))
        rows = (
            " ".join([padded(name, left, "l"), *(padded(cell, wide, "r") for cell in cells)]) for name, cells in lines
        )
        return "\n".join([*rows, f"=> {_brief(str(self.predicted))}"])

    __repr__ = __str__  # whoever types nb.explain(...) at a prompt wants the table, not the arrays

    def plot(self, ax: Axes | None = None, count: int = SHOWN) -> Axes:
        """The axes with what each clue adds to the log-odds of the winner against the runner-up: `plot.waterfall`."""
        # The picture is drawn two floors up, so this is a name that is looked up when somebody calls, not an import.
        waterfall: Any = import_module("bayleaf.plot").waterfall
        axes: Axes = waterfall(self, ax, count)
        return axes


class Explanations(list[Explanation]):
    """The explanations of several rows, in order; printed one after the other."""

    def __str__(self) -> str:
        return "\n\n".join(str(explanation) for explanation in self)

    __repr__ = __str__

    def plot(self, ax: Axes | None = None) -> Axes:
        """The picture of the first row."""
        return self[0].plot(ax)


def _value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else _brief(str(value))


def _brief(text: str) -> str:
    """Text on one line of a table: its end left out where it is long, line breaks and the like shown, not obeyed."""
    line = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text[:LONGEST])
    return line if len(text) <= LONGEST else f"{line}..."


def _prior(log: float) -> str:
    """A share in four decimals; what was derived may be no share, and of any size."""
    return f"{np.exp(log):.4f}" if log < 2 else _factor(log)


def _factors(logs: Floats) -> list[str]:
    return [_factor(log) for log in logs]


def _factor(log: float) -> str:
    """exp(log) in four digits, written as a power where that underflows."""
    if np.isneginf(log) or abs(log) < 600:
        return f"{np.exp(log):.4g}"
    return f"e^{log:.1f}" if abs(log) < 1e6 else f"e^{log:.4g}"  # of 1e600 one figure takes three lines


def _shares(logs: Floats) -> Floats:
    """What each class has of the sum; the largest goes off first, since scores of 1e16 have no room for a log of 2."""
    parts = np.exp(logs - logs.max())
    shares: Floats = parts / parts.sum()
    return shares
