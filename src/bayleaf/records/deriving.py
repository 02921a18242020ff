"""Deriving: the worths of the parts, and how they are smoothed, from the retained records."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

from bayleaf.estimators.labelling import codes_of
from bayleaf.families.evidence import shares
from bayleaf.records.mixing import mixed
from bayleaf.records.weighing import EACH, room, weighed
from bayleaf.records.worth import Lesson, Worth, fitted, measured, unfloored, usual

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Executor

    from bayleaf.arrays import Floats, Ints
    from bayleaf.records.parts import Parts
    from bayleaf.records.records import Records
    from bayleaf.records.sample import RecordSample

ALPHAS = (1.0, 0.3, 0.1, 0.03, 3.0)  # the first is taken where they are as good
ALIKE = 1e-6  # nats in all: losses that differ by less differ by rounding, so by the order of the records
SPREADS = (1e-2, 1e-4, 1e-9, 0.1, 0.5)  # share of a column's variance that is added to those of the classes
COARSE = (10, 5, 20, 40)  # groups that numbers are read in
GRIDS = {"numbers": ("var_smoothing", SPREADS), "bins": ("groups", COARSE), "categories": ("alpha", ALPHAS)}
ROWS = 20_000  # records that the worths are fitted on
TRIALS = 4_000  # records that the smoothing is chosen by; fewer from a hundred classes on


def derived(parts: Parts, sample: RecordSample, jobs: int) -> Worth:
    """What explains the labels of the retained records best, each judged without itself.

    First the share of the variance, the groups of numbers and alpha, on some records; then the worths of the parts on
    all, those of their columns, and how classes mix. The parts are left as they are read by it.
    """
    best = Worth(usual(parts.names))
    parts.read_with(best)
    records, codes, times = retained(parts, sample)
    if len(parts.classes) < 2 or not len(codes):
        unjudged = replace(best, var_smoothing=SPREADS[0], floor=1 / 2)  # 1 / (n + 2), as `fitted` has it, of nothing
        parts.read_with(unjudged)
        return unjudged
    some = np.arange(min(TRIALS, max(100 * TRIALS // len(parts.classes), TRIALS // 4), len(codes)))
    few = lesson(parts, records[some], codes[some], times[some])
    best = fitted(few, [unfloored(few, best), best])[0]
    for part, (setting, grid) in GRIDS.items():
        if part in few.parts:
            trials = [_trial(parts, few, records[some], best.smoothed(setting, value), part) for value in grid]
            least = min(loss for _, loss, _ in trials)
            best, _, scores = next(trial for trial in trials if trial[1] <= least + ALIKE)
            few = replace(few, parts={**few.parts, **scores})
    parts.read_with(best)
    whole = lesson(parts, records, codes, times)
    best = fitted(whole, [best, best.textbook()])[0]
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(jobs) as pool:
        found = mixed(whole, best, pool)
        told = _weighed(parts, whole, records, best, pool)
        if told is None:
            return found
        best, others = told
        whole = lesson(parts, records, codes, times, others)
        other = mixed(whole, measured(whole, best, best.joint(whole.log_prior, whole.parts)), pool)
    # Where mixing takes back all that columns say twice, it may do so better without them: waveforms, cars.
    return min(found, other, key=lambda one: one.loo_log_loss or 0.0)


def _weighed(
    parts: Parts, whole: Lesson, records: Records, best: Worth, pool: Executor
) -> tuple[Worth, dict[str, dict[str, Floats]]] | None:
    """The worths with those of the columns, and those for each record by others; nothing where records are too few."""
    counted = [part for part in parts.names if part != "text" and best.worth[part] > 0]
    columns = [name for part in counted for name in parts.columns(part)]
    few = whole.first(room(len(columns), len(whole.share)))
    if len(columns) < 2 or len(few.codes) < EACH * len(set(columns)):
        return None
    found = parts.loo_columns(records[np.arange(len(few.codes))], few.codes, counted)
    best, others = weighed(few, best, found, pool)
    more = len(whole.codes) - len(few.codes)
    return best, {
        part: {name: np.append(some, np.full(more, best.columns[part][name])) for name, some in single.items()}
        for part, single in others.items()
    }


def _trial(
    parts: Parts, few: Lesson, records: Records, worth: Worth, part: str
) -> tuple[Worth, float, dict[str, Floats]]:
    """What is best under other smoothing of one part, its loss, and the scores of that part.

    One start will do: worths hardly change with the smoothing, and looking from the textbook too takes twice as long.
    """
    parts.read_with(worth)
    scores = parts.loo(records, few.codes, (part,), {})
    return *fitted(replace(few, parts={**few.parts, **scores}), [worth]), scores


def lesson(
    parts: Parts,
    records: Records,
    codes: Ints,
    times: Ints,
    worth: Mapping[str, Mapping[str, float | Floats]] | None = None,
) -> Lesson:
    """What these learned records teach, each judged without itself; columns have this worth, for all or each, or 1."""
    return Lesson(parts.loo(records, codes, parts.names, worth or {}), codes, times, parts.weight, shares(parts.weight))


def retained(parts: Parts, sample: RecordSample) -> tuple[Records, Ints, Ints]:
    """Records of the sample, their class numbers and how often each was learned.

    Those that are the only one of their class are left out: without them nothing is known of it.
    """
    records, labels, times = sample.first(min(ROWS, max(10 * ROWS // len(parts.classes), TRIALS)), parts.kinds)
    if not len(labels):
        return records, np.zeros(0, dtype=np.int64), times
    codes = codes_of(labels, parts.classes)[0]
    told = np.flatnonzero(parts.weight[codes] > 1)
    return records[told], codes[told], times[told]
