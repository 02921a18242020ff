"""Mixing: what the evidence of a record for one class says about the others.

As for texts (`families.mixing`): columns are not independent, so the sums of classes that are alike go together. The
scores of `Worth` become

    s[c] = ln π[c] + e[c] + Σ_d ē[d] M[d,c] + δ[c],        e[c] = Σ_p w[p] ln P_p(x | c),

with ē the sums e about their mean, at most 50 nats below the best: one value far out in the tail of a Gaussian says
that a class is wrong, but not how much another is right.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import replace

import numpy as np

from bayleaf.families.calibrating import Heard, halved, sure
from bayleaf.families.mixing import is_fitted
from bayleaf.records.worth import FAR, Lesson, Worth, bounded, measured

SIZE = 1 << 22  # records times classes², some seconds of work; no limit below 15 classes
SPREAD = 0.3  # of M; tables take more than texts: 0.2 and 0.4 are nearly as good


def mixed(lesson: Lesson, worth: Worth, pool: Executor) -> Worth:
    """The worths with how classes mix, where records are enough to tell, and with their figures.

    How much of it counts is decided on records that it was not fitted on: those of the other half.
    """
    lesson = lesson.first(SIZE // len(lesson.share) ** 2)
    heard = worth.heard(lesson.parts)
    found = Heard(bounded(heard, lesson.log_prior), lesson.codes, np.arange(len(lesson.codes)) % 2)
    if not is_fitted(found.halves, len(lesson.share)):
        return worth
    scores, times = found.evidence + np.maximum(lesson.log_prior, -FAR), lesson.times.astype(np.float64)
    map_, moved = halved(scores, found, times, SPREAD, pool)
    _, floor, part = sure(scores, moved, lesson.codes, times, lesson.share, widest=0.0)
    fitted = replace(
        worth,
        floor=floor,
        mix=tuple((part * map_[:-1]).ravel().tolist()),
        offsets=tuple((part * map_[-1]).tolist()),
    )
    return measured(lesson, fitted, lesson.log_prior + heard + part * moved)
