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
from bayleaf.families.evidence import HELD, STRENGTHS, EvidenceTable, shares
from bayleaf.families.leaning import leaning
from bayleaf.families.least import least
from bayleaf.families.mixing import PINNED, most
from bayleaf.logarithms import softmax

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bayleaf.arrays import Array, Floats, Ints

POWERS = (0.5, 0.75)  # of the length; 1 was worse in the pilot
UNLIKELY = 1e-2  # classes below this share are left out of the curvature: as many steps, each a third cheaper
ROUNDS = 30
PIVOTS = 20  # three to six are usual; where more would be needed, the step is cut back to the bounds
ENOUGH = 1e-5  # per document: a fall of the objective that is worth no further round
PIECE = 512  # documents whose features are in the cache together; more are slower, whatever the threads


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
        heard: Floats = length[:, None] * (self.sums @ np.asarray(table.worth, dtype=np.float32)).astype(np.float64)
        return heard


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
    problem = _Problem(evidence, np.asarray(table.worth), np.float32(scale) * length, prior, len(table.orders), pool)
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


class _Problem:
    """Minus the log posterior of worth u ≥ 0, prior weight b ≥ 0 and offsets β.

    Every weight is what the fit began with ± 1, and neighbouring kinds move together but for ± 1: the scale is factored
    out, so these spreads are relative and need no choice.
    """

    def __init__(
        self, evidence: Evidence, mean: Floats, length: Floats, prior: float, orders: int, pool: ThreadPoolExecutor
    ) -> None:
        self.pool = pool
        self.sums, self.length, self.codes, self.log_prior = evidence.sums, length, evidence.codes, evidence.log_prior
        self.pieces = [slice(start, start + PIECE) for start in range(0, len(self.codes), PIECE)]
        k = len(self.log_prior)
        # Fewer documents than classes say nothing of most offsets, and a step takes the cube of their number.
        self.offsets = k if k <= len(self.codes) else 0
        self.bounded = len(mean)
        self.mean = np.concatenate([mean, [prior], np.zeros(self.offsets)])
        self.precision = np.eye(len(self.mean))
        if self.offsets:  # what never was the answer here need not be unlikely: most of these had one document only
            absent = self.bounded + 1 + np.setdiff1d(np.arange(k), self.codes)
            self.precision[absent, absent] = PINNED
        grid = np.arange(orders * len(HELD) * len(STRENGTHS)).reshape(orders, len(HELD), len(STRENGTHS))
        for a, b in ((grid[:, 1:], grid[:, :-1]), (grid[:, :, 1:], grid[:, :, :-1])):
            i, j = a.ravel(), b.ravel()
            np.add.at(self.precision, (i, i), 1.0)
            np.add.at(self.precision, (j, j), 1.0)
            self.precision[i, j] -= 1.0
            self.precision[j, i] -= 1.0

    def scores(self, point: Floats) -> Floats:
        worth = point[: self.bounded].astype(np.float32)
        plain = np.concatenate(list(self.pool.map(lambda piece: self.sums[piece] @ worth, self.pieces)))
        scores: Floats = self.length[:, None] * plain + point[self.bounded] * self.log_prior
        if self.offsets:
            scores += point[self.bounded + 1 :]
        return scores

    def value(self, point: Floats) -> float:
        _, log_share = softmax(self.scores(point))
        loss = -log_share[np.arange(len(self.codes)), self.codes].sum()
        away = point - self.mean
        return float(loss + 0.5 * away @ self.precision @ away)

    def slope_and_curvature(self, point: Floats) -> tuple[Floats, Floats]:
        share, _ = softmax(self.scores(point))
        wrong = share.copy()
        wrong[np.arange(len(self.codes)), self.codes] -= 1.0
        slope = np.concatenate(
            [
                np.einsum("nk,nkj->j", (wrong * self.length[:, None]).astype(np.float32), self.sums, optimize=True),
                [(wrong @ self.log_prior).sum()],
                wrong.sum(axis=0)[: self.offsets],
            ]
        )
        return slope + self.precision @ (point - self.mean), self.curvature(share) + self.precision

    def curvature(self, share: Floats) -> Floats:
        """Sum over documents of the covariance of the features under the shares of the likely classes."""
        total = np.zeros_like(self.precision)
        for part in self.pool.map(lambda piece: self.covariance(share[piece], piece), self.pieces):
            total += part
        return total

    def covariance(self, share: Floats, piece: slice) -> Floats:
        """The part of a piece of the documents."""
        sums, length = self.sums[piece], self.length[piece]
        row, column = np.nonzero(share > UNLIKELY)
        rooted = np.sqrt(share[row, column]).astype(np.float32)
        features = np.empty((len(row), len(self.mean)), dtype=np.float32)
        means = (share.astype(np.float32)[:, None, :] @ sums)[:, 0]
        features[:, : self.bounded] = (sums[row, column] - means[row]) * length[row][:, None]
        features[:, self.bounded] = self.log_prior[column] - (share @ self.log_prior)[row]
        if self.offsets:
            features[:, self.bounded + 1 :] = -share[row]
            features[np.arange(len(row)), self.bounded + 1 + column] += 1.0
        features *= rooted[:, None]
        part: Floats = features.T @ features
        return part

    def solve(self, near: Floats | None) -> tuple[Floats, float]:
        """Newton steps within the bounds, from a point near by if there is one."""
        point = self.mean.copy() if near is None else near
        value = self.value(point)
        for _ in range(ROUNDS):
            step = self.step(point, *self.slope_and_curvature(point))
            point, fall = self.descend(point, value, step)
            value -= fall
            if fall < ENOUGH * len(self.codes):
                break
        return point, value

    def step(self, point: Floats, slope: Floats, curvature: Floats) -> Floats:
        """To the least value of the quadratic model within the bounds, by block pivoting (Kim & Park, SISC 2011)."""
        fixed = np.zeros(len(point), dtype=bool)
        pull = curvature @ point - slope
        for _ in range(PIVOTS):
            free = np.flatnonzero(~fixed)
            there = np.zeros_like(point)
            there[free] = np.linalg.solve(curvature[np.ix_(free, free)], pull[free])
            outside, inwards = ~fixed & (there < 0), fixed & (curvature @ there < pull)
            outside[self.bounded + 1 :] = False
            if not (outside | inwards).any():
                break
            fixed ^= outside | inwards
        return there - point

    def descend(self, point: Floats, value: float, step: Floats) -> tuple[Floats, float]:
        """The first point along the step, halved as often as needed, where the objective falls."""
        for halvings in range(20):
            there = point + step * 0.5**halvings
            there[: self.bounded + 1] = np.maximum(there[: self.bounded + 1], 0.0)
            fall = value - self.value(there)
            if fall > 0:
                return there, fall
        return point, 0.0
