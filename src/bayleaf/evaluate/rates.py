"""Rates of a spam filter, as TREC reports them. Standard library only."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log, nan
from typing import NamedTuple

from bayleaf.evaluate.wilson import wilson

BINS = 10  # of calibration
STRETCHES = (50, 200, 1000, 5000, 20_000)  # mails after which another stretch begins


class Judged(NamedTuple):
    """One mail: what it is, how spammy it scored, what it was called, and its probability of being spam."""

    spam: bool
    score: float
    verdict: str
    probability: float

    @property
    def label(self) -> str:
        """What it is, as TREC writes it."""
        return "spam" if self.spam else "ham"


def steps(scores: Sequence[tuple[bool, float]]) -> list[tuple[int, int]]:
    """Ham and spam per distinct score, ascending."""
    table: dict[float, list[int]] = {}
    for spam, score in scores:
        table.setdefault(score, [0, 0])[spam] += 1
    return [(ham, spam) for _, (ham, spam) in sorted(table.items())]


def above_roc(counts: Sequence[tuple[int, int]]) -> float:
    """1 − area under the ROC curve: how often a ham scores above a spam, ties by half."""
    below, bad, hams, spams = 0, 0.0, 0, 0
    for ham, spam in counts:
        bad += ham * (below + spam / 2)
        below += spam
        hams += ham
        spams += spam
    return bad / (hams * spams) if hams and spams else nan


def interval(counts: Sequence[tuple[int, int]], replicates: int) -> tuple[float, float]:
    """95 % bootstrap interval of `above_roc`, mails drawn again within each class.

    Where all spam scores above all ham, or below, every draw does: then Wilson's interval of none among as many as the
    rarer label has mails.
    """
    generator = random.Random(1)
    # The place of each mail: drawing mails takes a third of the time of drawing places by weight, with the same result.
    ranks = [[place for place, pair in enumerate(counts) for _ in range(pair[side])] for side in (0, 1)]
    if not all(ranks):
        return nan, nan
    doubt = wilson(0, min(map(len, ranks)))[1]
    value = above_roc(counts)
    if value in (0, 1):
        return value * (1 - doubt), value + (1 - value) * doubt
    values = []
    for _ in range(replicates):
        drawn = [[0] * len(counts), [0] * len(counts)]
        for side in (0, 1):
            for place in generator.choices(ranks[side], k=len(ranks[side])):
                drawn[side][place] += 1
        values.append(above_roc(list(zip(*drawn, strict=True))))
    values.sort()
    return values[round(0.025 * (replicates - 1))], values[round(0.975 * (replicates - 1))]


def lam(ham_errors: int, hams: int, spam_errors: int, spams: int) -> float:
    """Logistic average of both error rates, each smoothed as (errors + ½) / (n + 1); NaN where one was not measured."""
    if not hams or not spams:
        return nan
    odds = [log((errors + 0.5) / (n - errors + 0.5)) for errors, n in ((ham_errors, hams), (spam_errors, spams))]
    return 1 / (1 + exp(-sum(odds) / 2))


def recall(counts: Sequence[tuple[int, int]], loss: float) -> float:
    """Share of spam above the lowest threshold that loses at most this share of ham; NaN without either."""
    hams, spams = (sum(pair[side] for pair in counts) for side in (0, 1))
    lost = caught = 0
    for ham, spam in reversed(counts):
        if lost + ham > loss * hams:
            break
        lost += ham
        caught += spam
    return caught / spams if hams and spams else nan


def calibration(mails: Sequence[Judged]) -> float:
    """Expected calibration error: |mean probability − share of spam| per tenth, weighted by mails."""
    sums = [0.0] * BINS
    for mail in mails:
        sums[min(int(mail.probability * BINS), BINS - 1)] += mail.probability - mail.spam
    return sum(map(abs, sums)) / max(len(mails), 1)


def rates(mails: Sequence[Judged], replicates: int) -> dict[str, float]:
    """Everything in one table; shares in percent, NaN where there was nothing to measure."""
    counts = steps([(mail.spam, mail.score) for mail in mails])
    spams = sum(mail.spam for mail in mails)
    hams = len(mails) - spams
    lost = sum(mail.verdict == "spam" for mail in mails if not mail.spam)
    missed = sum(mail.verdict != "spam" for mail in mails if mail.spam)
    low, high = interval(counts, replicates) if replicates else (nan, nan)
    return {
        "mails": len(mails),
        "ham": hams,
        "spam": spams,
        "1-ROCA%": 100 * above_roc(counts),
        "low%": 100 * low,
        "high%": 100 * high,
        "hm%": 100 * lost / hams if hams else nan,
        "sm%": 100 * missed / spams if spams else nan,
        "lam%": 100 * lam(lost, hams, missed, spams),
        "unsure%": 100 * sum(mail.verdict == "unsure" for mail in mails) / max(len(mails), 1),
        "recall@0.1%": 100 * recall(counts, 0.001),
        "recall@0.5%": 100 * recall(counts, 0.005),
        "ECE": calibration(mails),
    }


def stretches(mails: Sequence[Judged]) -> dict[str, dict[str, float]]:
    """The same for stretches of mails in the order in which they were judged."""
    edges = [0, *[edge for edge in STRETCHES if edge < len(mails)], len(mails)]
    return {f"{start + 1}-{end}": rates(mails[start:end], 0) for start, end in pairwise(edges)}
