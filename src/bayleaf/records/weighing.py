"""Weighing: what each column of numbers and categories is worth beside the others of its kind.

    ln P_p(x | c) = Σ_j v[j] ln P(x[j] | c),        v[j] ≥ 0, 1 ± 1,

of greatest posterior given the labels of records that are each judged without themselves. A column that says what
others have said gets less, one that alone says something more. Weighted naive Bayes; by the labels as in Zaidi,
Cerquides, Carman & Webb, JMLR 2013.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bayleaf.families.calibrating import sure
from bayleaf.families.least import least
from bayleaf.logarithms import softmax
from bayleaf.records.worth import FAR, Lesson, Worth

if TYPE_CHECKING:
    from collections.abc import Iterable
    from concurrent.futures import Executor

    from bayleaf.arrays import Floats, Ints

SIZE = 1 << 22  # scores of columns, records and classes that are held: 32 MB, which a search reads some hundred times
EACH = 8  # records that each column asks for
LOW = -1e3  # nats below the best class that a column may say: as good as impossible


def room(columns: int, k: int) -> int:
    """How many records columns can be weighed by."""
    return SIZE // max(columns * k, 1)


def weighed(
    lesson: Lesson, worth: Worth, columns: Iterable[tuple[str, str, Floats]], pool: Executor
) -> tuple[Worth, dict[str, dict[str, Floats]]]:
    """The worths with those of columns: parts, names and leave-one-out log-likelihoods (n, k) of these are given.

    How much of it counts is decided on records that it was not fitted on: those of the other half. With it comes what
    each column is worth by the half that a record is not in, (n,).
    """
    parts, names, single = zip(*columns, strict=True)
    heard = np.stack(single)
    heard -= heard.max(axis=2, keepdims=True)
    np.maximum(heard, LOW, out=heard)
    heard *= np.array([worth.worth[part] for part in parts])[:, None, None]
    rest = replace(worth, worth=worth.worth | dict.fromkeys(parts, 0.0))
    scores = np.maximum(rest.joint(lesson.log_prior, lesson.parts), -FAR) + heard.sum(axis=0)
    codes, times = lesson.codes, lesson.times.astype(np.float64)
    chosen = slice(0, None, 2), slice(1, None, 2), slice(None)
    one, other, both = pool.map(lambda some: _fit(scores[some], heard[:, some], codes[some], times[some]), chosen)
    by = np.where(np.arange(len(scores)) % 2 == 0, other[:, None], one[:, None])
    moved = np.einsum("jn,jnk->nk", by, heard)
    _, floor, part = sure(scores, moved, codes, times, lesson.share, widest=0.0)
    worths: dict[str, dict[str, float]] = {name: {} for name in parts}
    others: dict[str, dict[str, Floats]] = {name: {} for name in parts}
    for of, name, all_, some in zip(parts, names, (1 + part * both).tolist(), 1 + part * by, strict=True):
        worths[of][name], others[of][name] = all_, some
    return replace(worth, floor=floor, columns=worths), others


def _fit(scores: Floats, heard: Floats, codes: Ints, times: Floats) -> Floats:
    """What the worth of each column shall be more than 1, which is 0 ± 1."""
    rows, total = np.arange(len(codes)), times.sum()
    flat = heard.reshape(len(heard), -1)  # every other record is a copy in order here, once

    def loss(more: Floats) -> tuple[float, Floats]:
        share, log_share = softmax(scores + (more @ flat).reshape(scores.shape))
        value = -times @ log_share[rows, codes] + 0.5 * more @ more
        share[rows, codes] -= 1.0
        share *= times[:, None]
        return float(value / total), (flat @ share.ravel() + more) / total

    return least(loss, np.zeros(len(heard)), [(-1.0, None)] * len(heard))[0]
