"""Tuning: an evidence table from leave-one-out sums, by a small convex fit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from bayleaf.families.calibrating import GUARD, NEITHER, Heard, calibrated
from bayleaf.families.evidence import EvidenceTable, shares
from bayleaf.families.leaning import leaning
from bayleaf.families.least import least
from bayleaf.families.mixing import most
from bayleaf.families.problem import Problem
from bayleaf.logarithms import softmax

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bayleaf.arrays import Array, Floats, Ints

POWERS = (0.5, 0.75)  # of the length; 1 was worse in the pilot


@dataclass(frozen=True)
class Evidence:
    """Leave-one-out sums (n, k, kinds) of documents, their tokens, classes and groups, and the class sizes.

    `said`: what common words say in each, (n, m), where they are learned from.
    """

    sums: Floats
    tokens: Floats
    codes: Ints
    documents: Floats
    groups: Ints
    said: sparse.csr_array | None = None

    @property
    def log_prior(self) -> Floats:
        """ln π; it keeps the document, or the fit would read the label off it (TRIED.md)."""
        return np.log(shares(self.documents))

    def told(self) -> Evidence:
        """Those of the documents that leave others of their class behind, when they or their groups are left out.

        Without the others all classes are alike, and a fit would learn that what nobody knows is of a rare class.
        """
        _, places, times = np.unique(
            self.groups * len(self.documents) + self.codes, return_inverse=True, return_counts=True
        )
        kept = np.flatnonzero(self.documents[self.codes] > times[places])
        if len(kept) == len(places):
            return self
        said = None if self.said is None else self.said[kept]
        return Evidence(self.sums[kept], self.tokens[kept], self.codes[kept], self.documents, self.groups[kept], said)

    def heard(self, table: EvidenceTable) -> Floats:
        """What the documents say (n, k) under a table, before the classes are mixed."""
        length = table.scale * self.tokens**-table.power
        return length[:, None] * (self.sums @ np.asarray(table.worth, dtype=np.float32)).astype(np.float64)


def tune(
    parts: Iterable[Evidence], orders: tuple[int, ...], jobs: int = 1, common: Array | None = None
) -> EvidenceTable:
    """The table that explains the labels best, leave-one-out; the same for any number of threads.

    What each kind is worth is fitted on the first part of the documents, which need not all be in memory at once. Its
    own leave-one-out figures are a little optimistic: two hundred numbers were chosen by them. What the `common` words
    (the columns of `said`) lean to is not in these figures. Of no documents it is the table that every fit begins with.
    """
    parts = iter(parts)
    evidence = next(parts)
    start = EvidenceTable.start(orders, len(evidence.documents))
    if not len(evidence.codes):
        n = float(evidence.documents.sum())
        return replace(start, temperature=1 + GUARD / n, floor=1 / (n + 2))
    best, lowest, point = start, np.inf, None
    # One thread for each product: the systems are small, a second one waited for the first more than it helped (0.4
    # times the speed on a busy machine). Ours share the documents instead, in pieces that do not hang on their number.
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(jobs) as pool:
        for power in POWERS:
            table, point, value = _fit(evidence, replace(start, power=power), point, pool)
            best, lowest = (table, value) if value < lowest else (best, lowest)
        heard: list[tuple[Floats, Ints, Ints, sparse.csr_array | None]] = []
        for part in chain([evidence], parts):
            mixed = sum(len(told[1]) for told in heard) < most(len(part.documents))
            halves = part.groups % 2 if mixed else np.full_like(part.groups, NEITHER)
            heard.append((part.heard(best), part.codes, halves, part.said))
        *told, said = zip(*heard, strict=True)
        whole = Heard(*map(np.concatenate, told))
        table, scores = calibrated(best, whole, evidence.documents, pool)
        if common is None:
            return table
        return leaning(table, common, sparse.vstack(said, format="csr"), scores, whole.codes, pool)


def _fit(
    evidence: Evidence, table: EvidenceTable, near: Floats | None, pool: ThreadPoolExecutor
) -> tuple[EvidenceTable, Floats, float]:
    length = (evidence.tokens**-table.power).astype(np.float32)
    scale, prior = _scale(evidence, table, length)
    problem = Problem(evidence, np.asarray(table.worth), np.float32(scale) * length, prior, len(table.orders), pool)
    point, value = problem.solve(near)
    count = len(table.worth)
    fitted = replace(
        table,
        worth=tuple(point[:count].tolist()),
        scale=scale,
        prior=float(point[count]),
        offsets=tuple(point[count + 1 :].tolist()) or table.offsets,
    )
    return fitted, point, value


def _scale(evidence: Evidence, table: EvidenceTable, length: Floats) -> tuple[float, float]:
    """Factor of the evidence and weight of the prior, 1 ± 1, if every kind is worth what the table says.

    Without that, one class a little larger than the other had its whole offset made of this weight: -25 on Turkish SMS,
    so that more spam made spam less likely.
    """
    plain = length[:, None] * (evidence.sums @ np.asarray(table.worth, dtype=np.float32)).astype(np.float64)
    rows, codes, log_prior = np.arange(len(plain)), evidence.codes, evidence.log_prior
    ridge, usual = np.array([1e-3 * np.mean(plain**2), 1.0]), np.array([0.0, 1.0])

    def loss(point: Floats) -> tuple[float, Floats]:
        scores = point[0] * plain + point[1] * log_prior
        share, log_share = softmax(scores)
        wrong = share.copy()
        wrong[rows, codes] -= 1.0
        gradient = np.array([(wrong * plain).sum(), (wrong @ log_prior).sum()]) + ridge * (point - usual)
        return float(-log_share[rows, codes].sum() + 0.5 * ridge @ (point - usual) ** 2), gradient

    (scale, prior), _ = least(loss, [0.1, 1.0], [(1e-4, None), (0.0, None)])
    return float(scale), float(prior)
