"""Explanation: the sum that makes a verdict, summand by summand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.logarithms import LARGEST, log_sum
from bayleaf.plain import padded, shortened, width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bayleaf.arrays import Array, Floats, Ints

SHOWN = 12
LONGEST = 60  # letters of a name or value in the table
ABREAST = 4  # labels side by side; of more than these, the first by probability

Line = tuple[str, list[str]]  # of the table: its name, and a cell for each label


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
        answer, *others = self._ranked()
        return answer, others[0] if others else answer

    def _ranked(self) -> list[int]:
        """The numbers of all labels, the answer first."""
        answer = list(self.labels).index(self.predicted)
        order = np.lexsort((-self.joint, -self.posterior)).tolist()
        return [answer, *(place for place in order if place != answer)]

    def strongest(self, count: int = SHOWN) -> list[Clue]:
        """The clues in which the classes differ most."""
        return sorted(self.clues, key=lambda clue: -clue.spread)[:count]

    def __str__(self) -> str:
        total = float(log_sum(self.joint[None])[0, 0])
        share = self.posterior if np.isneginf(total) else _shares(self.joint)
        if len(self.labels) <= ABREAST:
            rows = _aligned([_brief(str(label)) for label in self.labels], self._lines(total, share))
            return "\n".join([*rows, f"=> {_brief(str(self.predicted))}"])
        first = np.array(self._ranked()[:ABREAST])
        lines = self._of(first)._lines(total, share[first])
        names, lines = _fitting([_brief(str(self.labels[place])) for place in first], lines)
        others = np.delete(self.posterior, first[: len(names)])
        remark = f"{len(others):,} other labels: {others.sum():.4f}; the most probable one {others.max():.4f}"
        remark = f"1 other label: {others[0]:.4f}" if len(others) == 1 else remark
        return "\n".join([*_aligned(names, lines), remark, f"=> {_brief(str(self.predicted))}"])

    def _of(self, places: Ints) -> Explanation:
        """The same with some of the labels only."""
        return replace(
            self,
            labels=self.labels[places],
            prior=self.prior[places],
            clues=[replace(clue, summands=clue.summands[places]) for clue in self.clues],
            rest=self.rest[places],
            joint=self.joint[places],
            posterior=self.posterior[places],
        )

    def _lines(self, total: float, share: Floats) -> list[Line]:
        """The table, a cell for each label: of all labels, or of some whose sum and shares are those of all."""
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
        lines.append(("normaliser", [f"1/{_factor(total)}"] * len(self.labels)))
        if not np.allclose(share, self.posterior, atol=5e-5):
            lines.append(("share", [f"{p:.4f}" for p in share]))
        lines.append(("posterior", [f"{p:.4f}" for p in self.posterior]))
        return lines

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


def _fitting(names: list[str], lines: list[Line]) -> tuple[list[str], list[Line]]:
    """As many of the labels as fit the screen, two at least; where these do not, their middles are left out.

    Numbers are never cut.
    """
    columns = get_terminal_size().columns
    for count in range(len(names), 1, -1):
        some = names[:count], [(name, cells[:count]) for name, cells in lines]
        left, wide = _widths(*some)
        if left + count * (1 + wide) <= columns:
            return some
    room = max((columns - left) // 2 - 1, _widths([], some[1])[1])
    return [_cut(name, room) for name in some[0]], some[1]


def _cut(text: str, room: int) -> str:
    """A text in so many columns of the screen, which a sign may take two of."""
    shorter = (shortened(text, most) for most in range(len(text), 1, -1))
    return next((words for words in shorter if width(words) <= room), shortened(text, 2))


def _aligned(names: list[str], lines: list[Line]) -> list[str]:
    """The lines under the names of the labels."""
    left, wide = _widths(names, lines)
    return [
        " ".join([padded(name, left, "l"), *(padded(cell, wide, "r") for cell in cells)])
        for name, cells in [("", names), *lines]
    ]


def _widths(names: list[str], lines: list[Line]) -> tuple[int, int]:
    """How wide the names of the lines are, and the cells."""
    cells = [names, *(some for _, some in lines)]
    return max(width(name) for name, _ in lines), max(9, *(width(cell) for some in cells for cell in some))


def _value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else _brief(str(value))


def _brief(text: str) -> str:
    """Text on one line of a table: its middle left out where it is long, line breaks and the like shown, not obeyed."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in shortened(text, LONGEST))


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
