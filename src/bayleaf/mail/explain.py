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

    clues = [Clue("base", "layer", contrast(layer.base), shown(evidence.totals))]
    means = weighed.means
    for at, worth in enumerate(layer.worth):
        raw = means[at * k : (at + 1) * k]
        excess = [after - before for before, after in zip(raw, clip(raw), strict=True)]
        if any(excess):
            family = FAMILIES[at % len(FAMILIES)]
            clues.append(Clue(f"clip:{family}", family, worth / 2 * contrast(excess), ()))
    summands = weighed.summands(named, layer.worth)
    for at, group in enumerate(named.groups):
        counts = weighed.counts(at)
        if any(counts):
            summand = contrast(summands[at * k : (at + 1) * k])
            clues.append(Clue(named.name(at), FAMILIES[group], summand, shown(counts)))
    return tuple(sorted(clues, key=lambda clue: -abs(clue.summand)))
