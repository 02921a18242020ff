"""Clues: the summands of a score in words."""

from __future__ import annotations

from collections.abc import Sequence

from bayleaf._core import MailFeatures, Weighed
from bayleaf.mail.clue import Clue
from bayleaf.mail.evidence import FAMILIES, Evidence
from bayleaf.mail.layer import clip


def explain(evidence: Evidence, weighed: Weighed, named: MailFeatures, label: int) -> tuple[Clue, ...]:
    """Every summand of the score for a label, the strongest first. `named` are the features that were weighed."""
    k = len(evidence.labels)

    def contrast(values: Sequence[float]) -> float:
        return values[label] - (sum(values) - values[label]) / max(k - 1, 1)

    layer = evidence.layer
    clues = [Clue("base", "layer", contrast(layer.base), evidence.totals)]
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
            clues.append(Clue(named.name(at), FAMILIES[group], summand, tuple(counts)))
    return tuple(sorted(clues, key=lambda clue: -abs(clue.summand)))
