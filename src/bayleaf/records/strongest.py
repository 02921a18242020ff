"""Strongest: what speaks most for each label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.families import Categorical, Gaussian
from bayleaf.records.parts import NAMES
from bayleaf.text.evidence import EvidenceReader

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bayleaf.arrays import Floats
    from bayleaf.families.binned import Binned
    from bayleaf.records.classifier import RecordClassifier
    from bayleaf.records.parts import Parts
    from bayleaf.records.worth import Worth
    from bayleaf.tally import Moments

Ranked = list[tuple[float, str, float]]  # rank, text, weight
SEARCHED = 2_000  # tokens of most weight per label: the most telling ones are not the rarest


def strongest(classifier: RecordClassifier, count: int) -> dict[Any, list[tuple[str, float]]]:
    """For each label the features that add most to its score, above the average of the labels, in its records."""
    derived, parts = classifier._worth(), classifier._parts
    worth, k = derived.worth, len(classifier.classes_)
    mixed = np.eye(k) + derived.linear(np.eye(k))  # what evidence for one class adds to the scores of all
    ranks: list[Ranked] = [[] for _ in classifier.classes_]
    if parts.table is not None:
        model = parts.table._read()
        for (family, _), tally, how in zip(parts.table._parts, model.tallies, model.families, strict=True):
            names = parts.columns(NAMES[family])
            if isinstance(how, Gaussian):
                by = worth["numbers"] * derived.by("numbers", names)
                _add_numbers(ranks, names, tally, how.variance(tally), by, mixed)
            elif isinstance(how, Categorical):
                assert parts.table._encoder is not None
                values = parts.table._encoder.categories
                shown = [f"{name} = {v}" for name, some in zip(names, values, strict=True) for v in some]
                by = worth["categories"] * derived.by("categories", names)[tally.feature]
                _add_categories(ranks, shown, tally.table.T, how.log_prob(tally), by, mixed)
    for name, own, binned in _binned(parts, derived):
        by = np.full(len(binned.log_prob), own)
        _add_categories(ranks, binned.names(name), binned.counts.T, binned.log_prob, by, mixed)
    if parts.text is not None:
        _add_tokens(ranks, classifier, worth["text"], mixed - np.eye(k), count)
    best = [sorted(rank, key=lambda one: (-one[0], one[1]))[:count] for rank in ranks]
    found = [[(text, weight) for _, text, weight in rank] for rank in best]
    return dict(zip(classifier.classes_.tolist(), found, strict=True))


def _binned(parts: Parts, derived: Worth) -> Iterable[tuple[str, float, Binned]]:
    """Columns of numbers with what their cells are worth, and how these are read."""
    if parts.bins is None:
        return ()
    names = parts.columns("bins")
    return zip(names, (derived.worth["bins"] * derived.by("bins", names)).tolist(), parts.binned, strict=True)


def _add_categories(
    ranks: list[Ranked], shown: list[str], counts: Floats, log_prob: Floats, worth: Floats, mixed: Floats
) -> None:
    above = worth[:, None] * (log_prob - log_prob.mean(axis=1, keepdims=True)) @ mixed
    above -= above.mean(axis=1, keepdims=True)
    average = above * np.exp(log_prob)
    for c, rank in enumerate(ranks):
        told = np.flatnonzero((counts[:, c] > 0) & (above[:, c] > 0)).tolist()
        rank += [(float(average[j, c]), shown[j], float(above[j, c])) for j in told]


def _add_numbers(
    ranks: list[Ranked], names: list[str], tally: Moments, variance: Floats, worth: Floats, mixed: Floats
) -> None:
    """What the values of a class add on average: the logs of the normals of all classes, averaged over its own."""
    mean, n = tally.mean, tally.n
    for c, rank in enumerate(ranks):
        for j, name in enumerate(names):
            there = (n[:, j] > 0) & (variance[:, j] > 0)
            others = np.flatnonzero(there & (np.arange(len(n)) != c))
            if not there[c] or not len(others):
                continue
            known, above = variance[there, j], np.zeros(len(n))
            logs = -0.5 * (np.log(known) + (variance[c, j] + (mean[c, j] - mean[there, j]) ** 2) / known)
            above[there] = logs - logs.mean()
            added = worth[j] * above @ mixed
            weight = float(added[c] - added.mean())
            rest = float(np.average(mean[others, j], weights=n[others, j]))
            if weight > 0:
                rank.append((weight, f"{name}: mean {mean[c, j]:.4g} against {rest:.4g}", weight))


def _add_tokens(ranks: list[Ranked], classifier: RecordClassifier, worth: float, further: Floats, count: int) -> None:
    """Weights of the table as they act once in a text of average length."""
    text = classifier._parts.text
    assert text is not None
    reader = text._reader()
    assert isinstance(reader, EvidenceReader)
    table, (first, *others) = reader.derived, classifier._parts.columns("text")
    factor = worth * table.scale / table.temperature * classifier._length**-table.power * np.log(2)
    sizes = np.maximum(classifier.class_count_, 1.0).tolist()
    for rank, size, keys in zip(ranks, sizes, reader.strongest(SEARCHED + count, further), strict=True):
        told = [(text._tally.native.name(key), float(factor * weight), held) for key, weight, held in keys if held]
        names = [name if others else f"{first}:{name}" for name, _, _ in told]
        rank += [(w * min(held / size, 1.0), n, w) for n, (_, w, held) in zip(names, told, strict=True) if w > 0]
