"""Verdict: the answer to "what is this mail?"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bayleaf.mail.clue import Clue


class Verdict:
    """What a mail is, how sure that is and why.

    Attributes
    ----------
    label : str
        One of the labels, or ``"unsure"``.
    best : str
        The likeliest label, also when unsure.
    probability : float
        Of `best`.
    score : float
        Evidence for `best`: its score less the mean of the others'. With two labels, the log-odds.
    probabilities, scores : dict
        The same for every label that has mails; for all labels while fewer than two have some.
    notes : list of str
        What was odd about the mail or about the verdict.
    """

    __slots__ = ("_clues", "_explain", "best", "label", "notes", "probabilities", "scores")

    def __init__(
        self,
        label: str,
        best: str,
        probabilities: Mapping[str, float],
        scores: Mapping[str, float],
        notes: list[str],
        explain: Callable[[], tuple[Clue, ...]],
    ) -> None:
        self.label, self.best = label, best
        self.probabilities, self.scores = dict(probabilities), dict(scores)
        self.notes = notes
        self._explain = explain
        self._clues: tuple[Clue, ...] | None = None

    @property
    def probability(self) -> float:
        """Probability of `best`."""
        return self.probabilities[self.best]

    @property
    def score(self) -> float:
        """Evidence for `best`."""
        return self.scores[self.best]

    @property
    def clues(self) -> tuple[Clue, ...]:
        """Every summand of `score`, the strongest first; they add up to it. Found when first asked for."""
        if self._clues is None:
            self._clues = self._explain()
        return self._clues

    def to_dict(self, clues: int | None = None) -> dict[str, Any]:
        """The verdict as JSON has it; with `clues`, so many of the strongest."""
        found: dict[str, Any] = {
            "label": self.label,
            "best": self.best,
            "probability": self.probability,
            "score": self.score,
            "probabilities": self.probabilities,
            "notes": self.notes,
        }
        return found if clues is None else {**found, "clues": [clue._asdict() for clue in self.clues[:clues]]}

    def __repr__(self) -> str:
        return f"Verdict({self.label!r}, best={self.best!r}, probability={self.probability:.4f})"
