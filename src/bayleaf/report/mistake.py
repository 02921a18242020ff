"""Mistake: a row that got the wrong answer, with the reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.duel import Duel
from bayleaf.report.markup import name, percent, prose, safe, table

if TYPE_CHECKING:
    from bayleaf.arrays import Floats
    from bayleaf.explanation import Clue, Explanation

SHOWN = 8  # clues in the arithmetic
MOST = 1500  # characters of a text
LEVELS = 4  # shades of a highlight


@dataclass(frozen=True, eq=False)
class Mistake:
    """A wrong answer: where the row was, what it is, why the model said otherwise, and the text the clues point into.

    `text` is the document, or {field: document} where clues are called "field:token".
    """

    place: str
    truth: Any
    explanation: Explanation
    text: str | Mapping[str, str] | None = None

    @property
    def sides(self) -> tuple[int, int]:
        """The numbers of the answer and of the truth; of the runner-up where the model never learned the truth."""
        labels, (answer, second) = list(self.explanation.labels), self.explanation.rivals
        return answer, labels.index(self.truth) if self.truth in labels else second

    def odds(self, summands: Floats) -> float:
        """What summands add to the log-odds of the answer against the truth."""
        return Duel(self.explanation, *self.sides).odds(summands)

    def html(self) -> str:
        """The card of this mistake."""
        why = self.explanation
        most = float(why.posterior.max())
        sure = percent(most) if most < 0.9995 else "over 99.9%"
        answer, truth = (f"<strong>{name(label)}</strong>" for label in (why.predicted, self.truth))
        head = f"called {answer} ({sure} sure), is {truth}"
        return (
            f'<article class="mistake"><h3><span class="place">{safe(self.place, 80)}</span> {head}</h3>'
            f"{self._texts()}<details><summary>The arithmetic</summary>{self._arithmetic()}</details></article>"
        )

    def _texts(self) -> str:
        if self.text is None:
            return ""
        if isinstance(self.text, str):
            return f'<p class="text" dir="auto">{self.marked(self.text, self.explanation.clues)}</p>'
        parts = []
        for field, text in self.text.items():
            own = [clue for clue in self.explanation.clues if clue.name.startswith(f"{field}:")]
            parts.append(f'<p class="text" dir="auto"><b>{name(field)}</b> {self.marked(text, own)}</p>')
        return "".join(parts)

    def marked(self, text: str, clues: list[Clue]) -> str:
        """The text as HTML, each stretch shaded by what its tokens add for the answer or for the truth.

        A token found twice shares its summand among its places; tokens that overlap add up.
        """
        weight = np.zeros(len(text) + 1)
        for clue in clues:
            share = self.odds(clue.summands) / max(len(clue.spans), 1)
            for start, end in clue.spans:
                weight[start:end] += share
        top = float(np.abs(weight).max()) or 1.0
        level = np.ceil(np.abs(weight) / top * LEVELS - 0.15).astype(int) * np.sign(weight).astype(int)
        edges = [0, *(np.flatnonzero(np.diff(level[: len(text)])) + 1).tolist(), len(text)]
        shown = [(a, min(b, MOST)) for a, b in pairwise(edges) if a < min(b, MOST)]
        marks = "".join(_mark(prose(text[a:b]), int(level[a])) for a, b in shown)
        return marks + ("…" if len(text) > MOST else "")

    def _arithmetic(self) -> str:
        why = self.explanation
        answer, truth = self.sides
        duel = Duel(why, answer, truth)
        steps = [*duel.steps(SHOWN), ("<strong>sum</strong>", why.joint)]
        rows = [[_titled(what), _log(s[answer]), _log(s[truth]), _signed(duel.odds(s))] for what, s in steps]
        head = ["clue", name(why.labels[answer]), name(why.labels[truth]), "difference"]
        return table("Natural logarithms that add up to the scores of both classes", head, rows, "sums")


def _titled(what: str | Clue) -> str:
    return what if isinstance(what, str) else f"{name(what.name)} = {safe(what.told, 40)}"


def _mark(html: str, level: int) -> str:
    if not level:
        return html
    return f'<mark class="{"for" if level > 0 else "against"}{min(abs(level), LEVELS)}">{html}</mark>'


def _log(value: float) -> str:
    return "impossible" if np.isneginf(value) else f"{value:.2f}".replace("-", "−")


def _signed(value: float) -> str:
    side = "for" if value > 0 else "against"
    return f'<td class="{side}">{value:+.2f}</td>'.replace("-", "−")
