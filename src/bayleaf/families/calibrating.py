"""Calibrating: how classes mix and how sure an evidence table may be, from leave-one-out scores."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bayleaf.families.evidence import EvidenceTable, shares
from bayleaf.families.least import least
from bayleaf.families.mixing import is_fitted, mixing
from bayleaf.logarithms import softmax

if TYPE_CHECKING:
    from bayleaf.arrays import Floats, Ints

GUARD = 20.0  # documents: below a few hundred the temperature is overfitted; 50 was too timid on R8


@dataclass(frozen=True)
class Heard:
    """Leave-one-out evidence (n, k) of documents under a table, their classes, and a half that copies share."""

    evidence: Floats
    codes: Ints
    halves: Ints


def calibrated(table: EvidenceTable, heard: Heard, documents: Floats, pool: Executor) -> EvidenceTable:
    """The table with the mixing, temperature and floor of least leave-one-out log loss, and with its figures.

    How much of the mixing counts, and how sure its scores are, is decided on documents that it was not fitted on: those
    of the other half.
    """
    bias = table.numbers(documents)[3]
    scores, n, k = heard.evidence + bias, len(heard.codes), len(documents)
    if not is_fitted(n, k):
        return _sure(table, scores, np.zeros_like(scores), heard.codes, shares(documents))[0]
    chosen = [heard.halves == 0, heard.halves == 1, np.ones(n, dtype=bool)]
    fits = pool.map(lambda some: mixing(scores[some], heard.evidence[some], heard.codes[some]), chosen)
    one, other, both = fits
    features = np.column_stack([heard.evidence, np.ones(n)])
    moved = np.where(chosen[0][:, None], features @ other, features @ one)
    fitted, part = _sure(table, scores, moved, heard.codes, shares(documents))
    offsets = np.asarray(table.offsets) + part * both[-1]
    return replace(fitted, offsets=tuple(offsets.tolist()), mix=tuple((part * both[:-1]).ravel().tolist()))


def _sure(
    table: EvidenceTable, scores: Floats, moved: Floats, codes: Ints, share: Floats
) -> tuple[EvidenceTable, float]:
    """The table with a temperature and floor for scores, and how much of what mixing adds to them shall count.

    ln T is 0 ± 1: where every document is right, nothing else would keep the temperature from its bound.
    """
    n, rows, own = len(codes), np.arange(len(codes)), share[codes]

    def loss(point: Floats) -> tuple[float, Floats]:
        temperature, floor, part = np.exp(point[0]), 1 / (1 + np.exp(-point[1])), point[2]
        now = scores + part * moved
        posterior, log_posterior = softmax(temperature * now)
        right = np.exp(log_posterior[rows, codes])
        mixed = (1 - floor) * right + floor * own
        ahead, further = (some[rows, codes] - (posterior * some).sum(axis=1) for some in (now, moved))
        weight = temperature * (1 - floor) * right / mixed
        by_floor = floor * (1 - floor) * (own - right) / mixed
        slope = np.array([point[0] - (weight * ahead).sum(), -by_floor.sum(), -(weight * further).sum()]) / n
        return float((0.5 * point[0] ** 2 - np.log(mixed).sum()) / n), slope

    start = [0.0, np.log(0.02 / 0.98), 0.5]
    (log_temperature, logit, part), _ = least(loss, start, [(-3, 3), (-14, 0), (0, 1)])
    temperature, floor = float(np.exp(log_temperature)), float(1 / (1 + np.exp(-logit)))
    fitted = replace(table, temperature=temperature * n / (n + GUARD), floor=max(floor, 1 / (n + 2)), documents=n)
    posterior = fitted.mixed(fitted.temperature * (scores + part * moved), share)
    figures = replace(
        fitted,
        loo_log_loss=float(-np.log(posterior[rows, codes]).mean()),
        loo_accuracy=float((posterior.argmax(axis=1) == codes).mean()),
    )
    return figures, float(part)
