"""Clues: the summands of a score in words."""

from __future__ import annotations

from collections.abc import Sequence

from bayleaf._core import MailFeatures, Weighed
from bayleaf.mail.clue import Clue
from bayleaf.mail.evidence import FAMILIES, Evidence
from bayleaf.mail.layer import clip


def explain(evidence: Evidence, weighed: Weighed, named: MailFeatures, label: int) -> tuple[Clue, ...]:
    """Every summand of the score for a label, the strongest first. `named` are the features that were weighed."""
    k, layer = len(evidence.labels), evidence.layer

    def contrast(values: Sequence[float]) -> float:
        return evidence.contrast(values, label)

    def shown(counts: Sequence[int]) -> tuple[int, ...]:
        return tuple(counts[c] for c in evidence.known)

    def clipped(at: int) -> float:
        raw = means[at * k : (at + 1) * k]
        return layer.worth[at] / 2 * contrast([after - before for before, after in zip(raw, clip(raw), strict=True)])

    clues, means = [Clue("base", "layer", contrast(layer.base), shown(evidence.totals))], weighed.means
    for at, family in enumerate(FAMILIES):
        if taken := sum(map(clipped, range(at, len(layer.worth), len(FAMILIES)))):  # of its mean and of its tails
            clues.append(Clue(f"clip:{family}", family, taken, ()))
    summands = weighed.summands(named, layer.worth)
    for at, group in enumerate(named.groups):
        counts = weighed.counts(at)
        if any(counts):
            summand = contrast(summands[at * k : (at + 1) * k])
            clues.append(Clue(named.name(at), FAMILIES[group], summand, shown(counts)))
    return tuple(sorted(clues, key=lambda clue: -abs(clue.summand)))
