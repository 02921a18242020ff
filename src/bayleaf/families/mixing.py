"""Mixing: what the evidence for one class says about the others.

Evidence is added up as if every word said something of its own. Where two classes share most of their words (a library
and its manual), the sums of both are large together, and what tells them apart is a small difference of large numbers.
Which sums go together is seen in leave-one-out evidence e (n, k): the scores s become

    s[c] + Σ_d e[d] M[d,c] + δ[c],

with M[d,c] 0 ± 0.1 and δ[c] 0 ± 1, of greatest posterior given the labels. It is linear: explanations still add up. In
TRIED.md: what it is worth, and that several maps for kinds of evidence apart are worth no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayleaf.families.least import least
from bayleaf.logarithms import softmax

if TYPE_CHECKING:
    from bayleaf.arrays import Floats, Ints

SPREAD = 0.1  # of M of texts; 0.05 and 0.2 are nearly as good: how much of it counts is decided on other documents
EACH = 8  # documents of each class that M asks for
SIZE = 1 << 26  # documents times classes², some ten seconds of work; no limit below 58 classes
CURVED = 1 << 31  # documents times classes³ that the curvature is computed of
PINNED = 1e6  # precision of what stays 0
ROUNDS = 20
STEPS = 40  # of a round; then the curvature is another
ENOUGH = 1e-9  # per document: a fall of the objective in a round that is worth no further one


def most(k: int) -> int:
    """How many documents may be mixed."""
    return SIZE // k**2


def is_fitted(halves: Ints, k: int) -> bool:
    """Whether the documents of the halves 0 and 1 are enough, and not too many, to tell how classes mix.

    Two classes have one difference, which needs no map.
    """
    sizes = np.bincount(halves, minlength=2)[:2]
    return k > 2 and 2 * sizes.min() >= EACH * k and sizes.sum() <= 2 * most(k)


def mixing(scores: Floats, evidence: Floats, codes: Ints, times: Floats, spread: float = SPREAD) -> Floats:
    """M and, as the last row, δ, (k + 1, k), for scores and evidence (n, k) of documents of these classes.

    `times`: how often each was learned.
    """
    n, k = evidence.shape
    features = np.column_stack([evidence, np.ones(n)])
    precision = np.full((k + 1, k), spread**-2)
    precision[-1] = 1.0
    precision[:, np.setdiff1d(np.arange(k), codes)] = PINNED  # what is no answer here need not be unlikely
    rows = np.arange(n)
    map_, value = np.zeros((k + 1, k)), np.inf
    for _ in range(ROUNDS):
        near, roots = map_, _roots(scores + features @ map_, features, precision, times)

        def loss(point: Floats, near: Floats = near, roots: Floats = roots) -> tuple[float, Floats]:
            there = near + _unrooted(roots, point)
            share, log_share = softmax(scores + features @ there)
            value = -times @ log_share[rows, codes] + 0.5 * (precision * there**2).sum()
            share[rows, codes] -= 1.0
            share *= times[:, None]
            slope = features.T @ share + precision * there
            return float(value / n), (roots.transpose(0, 2, 1) @ slope.T[:, :, None]).ravel() / n

        point, found = least(loss, np.zeros(k * (k + 1)), steps=STEPS)
        map_ = near + _unrooted(roots, point)
        if value - found < ENOUGH:
            break
        value = found
    return map_


def _unrooted(roots: Floats, point: Floats) -> Floats:
    k = len(roots)
    return (roots @ point.reshape(k, k + 1, 1))[:, :, 0].T


def _roots(scores: Floats, features: Floats, precision: Floats, times: Floats) -> Floats:
    """For each class a root of the inverse curvature where the scores are these, (k, k + 1, k + 1).

    In coordinates of the curvature near by a search takes some dozens of steps; in those of M itself, some hundreds.
    """
    n, k = scores.shape
    step = n * k**3 // CURVED + 1
    share, some = softmax(scores[::step])[0], features[::step]
    spread = share * (1 - share) * times[::step, None] * (n / len(some))
    curvature = np.array([(some * column[:, None]).T @ some for column in spread.T])
    curvature[:, range(k + 1), range(k + 1)] += precision.T
    return np.linalg.inv(np.linalg.cholesky(curvature)).transpose(0, 2, 1)
