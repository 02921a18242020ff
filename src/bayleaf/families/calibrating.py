"""Calibrating: how classes mix and how sure an evidence table may be, from leave-one-out scores."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bayleaf.families.evidence import EvidenceTable, shares
from bayleaf.families.least import least
from bayleaf.families.mixing import SPREAD, is_fitted, mixing
from bayleaf.logarithms import softmax

if TYPE_CHECKING:
    from bayleaf.arrays import Floats, Ints

NEITHER = 2  # is the half of documents that mixing is not fitted on
LOGITS = (-14.0, 0.0)  # of the floor
START = float(np.log(0.02 / 0.98))  # of the logit of the floor, where a search begins
GUARD = 20.0  # documents: below a few hundred the temperature is overfitted; 50 was too timid on R8


@dataclass(frozen=True)
class Heard:
    """Leave-one-out evidence (n, k) of documents under a table, their classes, and a half that copies share."""

    evidence: Floats
    codes: Ints
    halves: Ints


def calibrated(table: EvidenceTable, heard: Heard, documents: Floats, pool: Executor) -> tuple[EvidenceTable, Floats]:
    """The table with the mixing, temperature and floor of least leave-one-out log loss, its figures, and its scores.

    How much of the mixing counts, and how sure its scores are, is decided on documents that it was not fitted on: those
    of the other half or, where there are too many for it, of neither.
    """
    scores, n, share = heard.evidence + table.bias(documents), len(heard.codes), shares(documents)
    times = np.ones(n)
    map_: Floats = np.zeros((1, 1))
    moved: Floats = np.zeros_like(scores)
    if is_fitted(heard.halves, len(documents)):
        map_, moved = halved(scores, heard, times, SPREAD, pool)
    temperature, floor, part = sure(scores, moved, heard.codes, times, share)
    fitted = replace(table, temperature=temperature * (1 + GUARD / n), floor=floor, documents=n)
    scores = (scores + part * moved) / fitted.temperature
    posterior = fitted.posterior(scores, share)
    map_ = part * map_
    judged = replace(
        fitted,
        offsets=tuple((np.asarray(table.offsets) + map_[-1]).tolist()),
        mix=tuple(map_[:-1].ravel().tolist()),
        loo_log_loss=float(-np.log(posterior[np.arange(n), heard.codes]).mean()),
        loo_accuracy=float((posterior.argmax(axis=1) == heard.codes).mean()),
    )
    return judged, scores


def halved(scores: Floats, heard: Heard, times: Floats, spread: float, pool: Executor) -> tuple[Floats, Floats]:
    """The mixing (k + 1, k) of both halves, and what one that a document is not in adds to its scores, (n, k)."""
    chosen = [heard.halves == 0, heard.halves == 1, heard.halves != NEITHER]
    parts = [(scores[some], heard.evidence[some], heard.codes[some], times[some], spread) for some in chosen]
    one, other, both = pool.map(lambda part: mixing(*part), parts)
    features = np.column_stack([heard.evidence, np.ones(len(scores))])
    unseen = np.where(chosen[0][:, None], features @ other, features @ one)
    unseen[heard.halves == NEITHER] = features[heard.halves == NEITHER] @ both
    return both, unseen


def sure(
    scores: Floats, moved: Floats, codes: Ints, times: Floats, share: Floats, widest: float = 3.0
) -> tuple[float, float, float]:
    """Temperature and floor of scores, and how much of what mixing adds to them shall count, of least log loss.

    ln T is 0 ± 1 and at most `widest`: where every document is right, nothing else would keep it from its bound. The
    floor is what one error more would make of it, at least.
    """
    rows, own, n = np.arange(len(codes)), share[codes], times.sum()

    def loss(point: Floats) -> tuple[float, Floats]:
        temperature, floor, part = np.exp(point[0]), 1 / (1 + np.exp(-point[1])), point[2]
        now = scores + part * moved
        posterior, log_posterior = softmax(now / temperature)
        right = np.exp(log_posterior[rows, codes])
        mixed = (1 - floor) * right + floor * own
        ahead, further = (some[rows, codes] - (posterior * some).sum(axis=1) for some in (now, moved))
        weight = times / temperature * (1 - floor) * right / mixed
        by_floor = times * floor * (1 - floor) * (own - right) / mixed
        slope = np.array([point[0] + weight @ ahead, -by_floor.sum(), -weight @ further]) / n
        return float((0.5 * point[0] ** 2 - times @ np.log(mixed)) / n), slope

    edges = [(-widest, widest), LOGITS, (0.0, 1.0)]
    (log_temperature, logit, part), _ = least(loss, [0.0, START, 0.5], edges)
    floor = max(1 / (1 + np.exp(-logit)), 1 / (n + 2))
    return float(np.exp(log_temperature)), float(floor), float(part)
