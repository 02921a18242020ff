"""Naive Bayes in plain Python and exact fractions: slow, short, and obviously right. Everything fast answers to it.

A row is a list of numbers with None for a missing value. The joint log score of a row x and a class c is

    log P(c) + sum over the columns f that are present of log P(x[f] | c)

up to terms that are the same for all classes (the multinomial coefficient, the x! of the Poisson).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, fsum, inf, log, pi
from typing import Any

Row = Sequence[float | int | None]
LogLikelihood = Callable[[Row, Any], float]


def ln(p: Fraction) -> float:
    return log(p.numerator) - log(p.denominator) if p > 0 else -inf


def times(x: Fraction, y: float) -> float:
    return float(x) * y if x else 0.0  # 0 log 0 = 0


def smooth(seen: dict, everywhere: dict, kind: str, alpha: Any, denominator: int | None = None) -> dict[Any, Fraction]:
    """Probabilities of the outcomes of one class from its counts and those of all classes together."""
    n_all, b_all, a = sum(seen.values()), sum(everywhere.values()), {v: Fraction(alpha) for v in seen}
    share = {v: everywhere[v] / b_all if b_all else Fraction(1, len(seen)) for v in seen}
    if kind == "lidstone":
        spread = sum(a.values()) if denominator is None else denominator * Fraction(alpha)
        return {v: (seen[v] + a[v]) / (n_all + spread) for v in seen}
    if kind == "background":
        return {v: (seen[v] + a[v] * share[v]) / (n_all + a[v]) for v in seen}
    if kind == "jelinek-mercer":
        return {v: (1 - a[v]) * seen[v] / n_all + a[v] * share[v] for v in seen}
    if kind == "absolute":
        distinct = sum(n > 0 for n in seen.values())
        return {v: (max(seen[v] - a[v], Fraction(0)) + a[v] * distinct * share[v]) / n_all for v in seen}
    raise ValueError(kind)


def gaussian(rows, labels, weights, var_smoothing=1e-9, var_scope="feature") -> LogLikelihood:
    def moments(f: int, c: Any = None) -> tuple[Fraction, Fraction]:
        seen = [
            (Fraction(r[f]), w)
            for r, y, w in zip(rows, labels, weights, strict=True)
            if r[f] is not None and c in (None, y)
        ]
        n = sum(w for _, w in seen)
        mean = sum(w * x for x, w in seen) / n
        return mean, sum(w * (x - mean) ** 2 for x, w in seen) / n

    spread = [moments(f)[1] for f in range(len(rows[0]))]
    epsilon = [Fraction(var_smoothing) * (max(spread) if var_scope == "max" else s) for s in spread]
    fitted = {c: [moments(f, c) for f in range(len(rows[0]))] for c in set(labels)}

    def likelihood(row: Row, c: Any) -> float:
        total = 0.0
        for x, (mean, var), eps in zip(row, fitted[c], epsilon, strict=True):
            if x is not None:
                total -= (log(2 * pi) + ln(var + eps) + float((Fraction(x) - mean) ** 2 / (var + eps))) / 2
        return total

    return likelihood


def _words(rows, labels, weights, binary: bool) -> dict[Any, dict[int, Fraction]]:
    counts = {c: dict.fromkeys(range(len(rows[0])), Fraction(0)) for c in set(labels)}
    for row, c, w in zip(rows, labels, weights, strict=True):
        for f, x in enumerate(row):
            counts[c][f] += w * Fraction((x or 0) > 0 if binary else x or 0)
    return counts


def _add(many) -> dict:
    many = list(many)
    return {v: sum((m[v] for m in many), Fraction(0)) for v in many[0]}


def multinomial(rows, labels, weights, smoothing="lidstone", alpha=1, denominator=None, binary=False) -> LogLikelihood:
    counts = _words(rows, labels, weights, binary)
    theta = {c: smooth(counts[c], _add(counts.values()), smoothing, alpha, denominator) for c in counts}
    value = (lambda x: Fraction((x or 0) > 0)) if binary else (lambda x: Fraction(x or 0))
    return lambda row, c: sum(times(value(x), ln(theta[c][f])) for f, x in enumerate(row))


def complement(rows, labels, weights, smoothing="lidstone", alpha=1, denominator=None, norm=False) -> LogLikelihood:
    counts = _words(rows, labels, weights, binary=False)
    everywhere = _add(counts.values())
    w = {}
    for c in counts:
        others = {f: everywhere[f] - counts[c][f] for f in everywhere}
        w[c] = {f: -ln(p) for f, p in smooth(others, everywhere, smoothing, alpha, denominator).items()}
        if norm:
            w[c] = {f: v / sum(w[c].values()) for f, v in w[c].items()}
    return lambda row, c: sum(times(Fraction(x or 0), w[c][f]) for f, x in enumerate(row))


def categorical(rows, labels, weights, smoothing="lidstone", alpha=1, n_categories=None) -> LogLikelihood:
    theta: dict[Any, list[dict]] = {c: [] for c in set(labels)}
    for f in range(len(rows[0])):
        size = n_categories or 1 + max(int(r[f]) for r in rows if r[f] is not None)
        counts = {c: dict.fromkeys(range(size), Fraction(0)) for c in theta}
        for row, c, w in zip(rows, labels, weights, strict=True):
            if row[f] is not None:
                counts[c][int(row[f])] += w
        for c, found in theta.items():
            found.append(smooth(counts[c], _add(counts.values()), smoothing, alpha))
    return lambda row, c: sum(ln(theta[c][f][int(x)]) for f, x in enumerate(row) if x is not None)


def bernoulli(rows, labels, weights, smoothing="lidstone", alpha=1) -> LogLikelihood:
    return categorical(rows, labels, weights, smoothing, alpha, n_categories=2)


def poisson(rows, labels, weights, alpha=1) -> LogLikelihood:
    def rate(f: int, c: Any) -> Fraction:
        seen = [(w * Fraction(r[f]), w, y) for r, y, w in zip(rows, labels, weights, strict=True) if r[f] is not None]
        pooled = (sum(s for s, _, _ in seen) + Fraction(1, 2)) / sum(w for _, w, _ in seen)
        own = [(s, w) for s, w, y in seen if y == c]
        return (sum(s for s, _ in own) + Fraction(alpha) * pooled) / (sum(w for _, w in own) + Fraction(alpha))

    rates = {c: [rate(f, c) for f in range(len(rows[0]))] for c in set(labels)}
    return lambda row, c: sum(
        times(Fraction(x), ln(rates[c][f])) - float(rates[c][f]) for f, x in enumerate(row) if x is not None
    )


FAMILIES = {f.__name__: f for f in (gaussian, multinomial, complement, bernoulli, categorical, poisson)}


def joint(family: str, rows, labels, row: Row, *, weights=None, prior=None, **settings) -> list[float]:
    """Joint log scores of a row, one per class in sorted order. prior: None (shares of the weight) or a list."""
    weights = [Fraction(w) for w in weights or [1] * len(rows)]
    classes = sorted(set(labels))
    shares = prior or [sum(w for w, y in zip(weights, labels, strict=True) if y == c) / sum(weights) for c in classes]
    likelihood = FAMILIES[family](rows, labels, weights, **settings)
    if family == "complement":  # Rennie et al.: the score alone, unless a prior is asked for (or there is one class)
        base = [ln(Fraction(p)) for p in prior] if prior else [0.0] * len(classes)
    else:
        base = [ln(Fraction(p)) for p in shares]
    return [b + likelihood(row, c) for b, c in zip(base, classes, strict=True)]


def normalise(scores: Sequence[float]) -> list[float]:
    """Log probabilities from joint log scores."""
    top = max(scores)
    z = top + log(fsum(exp(s - top) for s in scores))
    return [s - z for s in scores]
