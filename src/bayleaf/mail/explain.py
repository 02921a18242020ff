"""Clues: the summands of a score in words."""

from __future__ import annotations

from bayleaf._core import MailFeatures, Weighed
from bayleaf.mail.clue import Clue
from bayleaf.mail.evidence import FAMILIES, Evidence
from bayleaf.mail.layer import clip


def explain(evidence: Evidence, weighed: Weighed, named: MailFeatures, label: int) -> tuple[Clue, ...]:
    """Every summand of the score for a label, the strongest first. `named` are the features that were weighed."""
    k = len(evidence.labels)

    def contrast(values: list[float]) -> float:
        return values[label] - (sum(values) - values[label]) / max(k - 1, 1)

    base = contrast(list(evidence.layer.base))
    clues = [Clue("base", "layer", base, evidence.totals)]
    worth = [v / 2 for v in evidence.layer.worth]
    sizes, means = weighed.sizes, weighed.means
    for family, name in enumerate(FAMILIES):
        raw = means[family * k : (family + 1) * k]
        if raw != clip(raw):
            excess = [after - before for before, after in zip(raw, clip(raw), strict=True)]
            clues.append(Clue(f"clip:{name}", name, worth[family] * contrast(excess), ()))
    for at, group in enumerate(named.groups):
        counts = weighed.counts(at)
        if any(counts):
            summand = worth[group] * contrast(weighed.ratios(at)) / sizes[group]
            clues.append(Clue(named.name(at), FAMILIES[group], summand, tuple(counts)))
    return tuple(sorted(clues, key=lambda clue: -abs(clue.summand)))
