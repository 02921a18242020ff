"""Problem: what each kind of evidence is worth, as a convex problem, and Newton steps to its solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayleaf.families.evidence import HELD, STRENGTHS
from bayleaf.families.mixing import PINNED
from bayleaf.logarithms import softmax

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from bayleaf.arrays import Floats
    from bayleaf.families.tuning import Evidence

UNLIKELY = 1e-2  # classes below this share are left out of the curvature: as many steps, each a third cheaper
ROUNDS = 30
PIVOTS = 20  # three to six are usual; where more would be needed, the step is cut back to the bounds
ENOUGH = 1e-5  # per document: a fall of the objective that is worth no further round
PIECE = 512  # documents whose features are in the cache together; more are slower, whatever the threads


class Problem:
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
        return features.T @ features

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
