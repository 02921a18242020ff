"""Worth: what numbers, categories and texts count for beside each other, from leave-one-out scores.

    s[c] = ln π[c] + Σ_p w[p] ln P_p(x | c),        P(c | x) = (1 - ε) softmax(s)[c] + ε q[c]

with one worth w ≥ 0 per part and q the shares of the classes. Numbers are two parts: as normal ones, and by the cells
of a grid. Naive Bayes counts dependent columns several times; one exponent per part takes that back, where w = 1 is the
textbook (0 for the cells). The floor ε is for rows that no class explains: one value far out in the tail of a Gaussian
would otherwise decide what all the others are worth. What each column is worth beside others of its kind, and how
classes mix, is added to that: see `weighing` and `mixing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

from bayleaf.families import Prior
from bayleaf.families.calibrating import LOGITS, START
from bayleaf.families.floored import floored
from bayleaf.families.least import least

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints

FAR = 1e6  # nats: as good as impossible
GROUPS = 10  # that the cells of a column of numbers are read in, where nothing is known
LOW = -50.0  # nats below the best class that a class is mixed with


@dataclass(frozen=True)
class Worth:
    """The derived numbers of a record classifier, and their leave-one-out figures on `rows` records."""

    worth: dict[str, float]
    alpha: float = 1.0
    var_smoothing: float = 1e-9
    floor: float = 0.0
    rows: int = 0
    loo_log_loss: float | None = None
    loo_accuracy: float | None = None
    mix: tuple[float, ...] = ()
    offsets: tuple[float, ...] = ()
    columns: dict[str, dict[str, float]] = field(default_factory=dict)  # by part
    groups: int = GROUPS

    def smoothed(self, setting: str, value: float) -> Worth:
        """The same with another alpha, var_smoothing or number of groups."""
        return replace(self, **{setting: value})  # type: ignore[arg-type]

    def by(self, part: str, names: Sequence[str]) -> Floats:
        """What columns of a part are worth beside each other."""
        return np.array([self.columns.get(part, {}).get(name, 1.0) for name in names])

    def textbook(self) -> Worth:
        """The same smoothing, where every part counts as much as in a textbook."""
        return replace(self, worth=usual(self.worth), floor=0.0)

    def joint(self, log_prior: Floats, parts: Mapping[str, Floats]) -> Floats:
        """Scores (n, k) from the log-likelihoods of the parts."""
        heard = self.heard(parts)
        if not self.mix:
            return log_prior + heard
        return log_prior + heard + self.linear(bounded(heard, log_prior)) + self.offsets

    def heard(self, parts: Mapping[str, Floats]) -> Floats:
        """What the parts say by their worth, (n, k)."""
        heard: Floats = np.zeros(next(iter(parts.values())).shape)
        for name, part in parts.items():
            if self.worth[name] > 0:  # 0 times -inf is nothing
                heard += self.worth[name] * part
        return heard

    def linear(self, evidence: Floats) -> Floats:
        """What evidence (n, k) for each class says about the others; where that is not known, nothing."""
        if not self.mix:
            return np.zeros_like(evidence)
        k = len(self.offsets)
        return (evidence - evidence.mean(axis=1, keepdims=True)) @ np.reshape(self.mix, (k, k))

    def relabelled(self, places: Ints, classes: int) -> Worth:
        """The same with its classes at other places; new ones are not mixed."""
        if not self.mix:
            return self
        mix, offsets = np.zeros((classes, classes)), np.zeros(classes)
        mix[np.ix_(places, places)] = np.reshape(self.mix, (len(places), len(places)))
        offsets[places] = self.offsets
        return replace(self, mix=tuple(mix.ravel().tolist()), offsets=tuple(offsets.tolist()))

    def posterior(self, joint: Floats, share: Floats) -> Floats:
        """P(c | x) for scores and the shares of the classes, the same for all records or of each, (n, k).

        A record that no class can have gets the shares.
        """
        return floored(joint, share, self.floor)


def usual(parts: Iterable[str]) -> dict[str, float]:
    """The worths of a textbook: numbers are normal, and their cells say nothing more."""
    return {part: float(part != "bins") for part in parts}


def bounded(heard: Floats, log_prior: Floats) -> Floats:
    """Evidence (n, k) less its mean, at most 50 nats below the best; 0 for a class that has no record any more."""
    gone = np.isneginf(heard) | np.isneginf(log_prior)
    heard = np.where(gone, -np.inf, heard)
    top = np.where(gone.all(axis=1, keepdims=True), 0.0, heard.max(axis=1, keepdims=True))
    held = np.where(gone, 0.0, np.maximum(heard - top, LOW))
    mean = held.sum(axis=1, keepdims=True) / np.maximum((~gone).sum(axis=1, keepdims=True), 1)
    return np.where(gone, 0.0, held - mean)


@dataclass(frozen=True, eq=False)
class Lesson:
    """Leave-one-out log-likelihoods of learned records by part, their classes, and how often each was learned."""

    parts: dict[str, Floats]
    codes: Ints
    times: Ints
    weight: Floats  # of the classes; it keeps the record, or the fit would read the label off it (TRIED.md)
    share: Floats

    @property
    def log_prior(self) -> Floats:
        """ln π."""
        return Prior().log(self.weight)

    def first(self, count: int) -> Lesson:
        """The first so many of the records."""
        parts = {name: scores[:count] for name, scores in self.parts.items()}
        return replace(self, parts=parts, codes=self.codes[:count], times=self.times[:count])


def unfloored(lesson: Lesson, start: Worth) -> Worth:
    """The worths of least leave-one-out log loss without a floor, pulled towards the usual ± 1: a convex problem."""
    with threadpool_limits(1, user_api="blas"):  # as in the tuning of texts: sums are the same for any number of cores
        found, _ = least(_Problem(lesson).value, list(start.worth.values()), [(0.0, None)] * len(start.worth))
    return replace(start, worth=dict(zip(lesson.parts, found.tolist(), strict=True)))


def fitted(lesson: Lesson, starts: Sequence[Worth]) -> tuple[Worth, float]:
    """The worths and floor of least leave-one-out log loss, with that pull, and that loss in all.

    With the floor it is not convex: the better of what is found from some starts, smoothed as the first.
    """
    problem = _Problem(lesson)
    edges = [*[(0.0, None)] * len(lesson.parts), LOGITS]
    with threadpool_limits(1, user_api="blas"):
        found = [least(problem.floored, [*start.worth.values(), _logit(start.floor)], edges) for start in starts]
    best, loss = min(found, key=lambda one: one[1])
    floor = max(_sigmoid(best[-1]), 1 / (int(lesson.times.sum()) + 2))
    worth = replace(starts[0], worth=dict(zip(lesson.parts, best[:-1].tolist(), strict=True)), floor=floor)
    return measured(lesson, worth, worth.joint(lesson.log_prior, lesson.parts)), loss


def measured(lesson: Lesson, worth: Worth, joint: Floats) -> Worth:
    """The same numbers with the figures of leave-one-out scores."""
    posterior = worth.posterior(joint, lesson.share)
    own = np.maximum(posterior[np.arange(len(lesson.codes)), lesson.codes], np.finfo(np.float64).tiny)
    return replace(
        worth,
        rows=int(lesson.times.sum()),
        loo_log_loss=float(np.average(-np.log(own), weights=lesson.times)),
        loo_accuracy=float(np.average(posterior.argmax(axis=1) == lesson.codes, weights=lesson.times)),
    )


class _Problem:
    """Minus the log posterior of the worths, and its slope."""

    def __init__(self, lesson: Lesson) -> None:
        # Bounded: a lone number of a constant column is 1e300 nats away from it, and the search multiplies that.
        self.parts = np.stack(list(lesson.parts.values()))
        self.parts -= self.parts.max(axis=2, keepdims=True)
        np.maximum(self.parts, -FAR, out=self.parts)
        self.codes, self.times, self.own = lesson.codes, lesson.times.astype(np.float64), lesson.share[lesson.codes]
        self.rows, self.log_prior = np.arange(len(lesson.codes)), lesson.log_prior
        self.usual = np.array(list(usual(lesson.parts).values()))

    def value(self, worth: Array) -> tuple[float, Floats]:
        loss, slope, _ = self._slopes(worth, 0.0)
        return loss, slope

    def floored(self, point: Array) -> tuple[float, Floats]:
        floor = _sigmoid(point[-1])
        loss, slope, by_floor = self._slopes(point[:-1], floor)
        return loss, np.append(slope, by_floor * floor * (1 - floor))

    def _slopes(self, worth: Array, floor: float) -> tuple[float, Floats, float]:
        scores = np.tensordot(worth, self.parts, 1)
        scores += self.log_prior
        scores -= scores.max(axis=1, keepdims=True)
        log_own = scores[self.rows, self.codes]
        wrong = np.exp(scores, out=scores)
        total = wrong.sum(axis=1)
        log_own -= np.log(total)
        sure, by_floor = self.times, 0.0
        if floor > 0.0:
            own = np.exp(log_own)
            mixed = (1 - floor) * own + floor * self.own
            log_own, sure = np.log(mixed), self.times * (1 - floor) * own / mixed
            by_floor = float((self.times * (own - self.own) / mixed).sum())
        wrong *= (sure / total)[:, None]
        wrong[self.rows, self.codes] -= sure
        slope = np.tensordot(self.parts, wrong, 2) + (worth - self.usual)
        loss = -float(self.times @ log_own) + 0.5 * float(np.sum((worth - self.usual) ** 2))
        return loss, slope, by_floor


def _logit(floor: float) -> float:
    return float(np.clip(np.log(floor / (1 - floor)), *LOGITS)) if floor else START


def _sigmoid(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))
