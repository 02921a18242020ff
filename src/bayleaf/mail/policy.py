"""Policy: from probabilities to a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bayleaf.mail.verdict import UNSURE


class Policy(NamedTuple):
    """A label is given when it is at least this probable."""

    sure: float = 0.9

    def decide(
        self, labels: Sequence[str], totals: Sequence[int], shares: Sequence[float], headers: Sequence[float]
    ) -> tuple[str, str, list[str]]:
        """Verdict, likeliest label, and notes in words. `headers`: what the header family says per label."""
        best = max(range(len(labels)), key=lambda c: (totals[c] > 0, shares[c]))
        learned = [label for label, mails in zip(labels, totals, strict=True) if mails]
        if len(learned) < 2:
            seen = f"only {learned[0]} has" if learned else "nothing has"
            return UNSURE, labels[best], [f"{seen} been learned so far: teach it at least two labels"]
        if shares[best] < self.sure:
            return UNSURE, labels[best], []
        return labels[best], labels[best], []
