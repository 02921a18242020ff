"""The text classifier in plain Python: slow, short, and obviously right. ASCII texts, the default encoder.

A feature is a tuple of one or two neighbouring tokens. What is said of "order" o is said of features of o + 1 tokens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import ceil, exp, log, log1p, log2, sqrt

ORDERS, HELD, EDGES = (0, 1), 13, (0.5, 1.0, 1.5, 2.5, 4.0)
KINDS = len(ORDERS) * (HELD * (len(EDGES) + 1) + 4 + 4) + HELD


def tokens(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text.lower())


def features(text: str) -> dict[tuple[str, ...], tuple[int, int]]:
    """How often each feature occurs, and the number of the token where it first begins."""
    t, found = tokens(text), {}
    for order in ORDERS:
        grams = [tuple(t[i : i + order + 1]) for i in range(len(t) - order)]
        found |= {gram: (n, grams.index(gram)) for gram, n in Counter(grams).items()}
    return found


def lifted(text: str) -> dict[tuple[str, ...], int]:
    """What a document adds to the counts: 128 ln(1 + x) over the norm of that within its order, at least 1."""
    found = features(text)
    norm = {o: sqrt(sum(log1p(n) ** 2 for g, (n, _) in found.items() if len(g) == o + 1)) for o in ORDERS}
    return {gram: max(1, round(128 * log1p(n) / norm[len(gram) - 1])) for gram, (n, _) in found.items()}


class Seen:
    """F[w, c], N[o, c], df[w] and D[c] of documents; V keeps its value when documents are left out."""

    def __init__(self, texts: Sequence[str], labels: Sequence, alpha: float = 1.6) -> None:
        self.classes, self.alpha = sorted(set(labels)), alpha
        self.F, self.N, self.df, self.D = Counter(), Counter(), Counter(), Counter(labels)
        for text, label in zip(texts, labels, strict=True):
            self._add(text, label, 1)
        self.V = {o: sum(len(w) == o + 1 for w in self.df) for o in ORDERS}

    def _add(self, text: str, label: object, sign: int) -> None:
        for gram, f in lifted(text).items():
            self.F[gram, label] += sign * f
            self.N[len(gram) - 1, label] += sign * f
            self.df[gram] += sign

    def without(self, texts: Sequence[str], labels: Sequence) -> Seen:
        left = Seen([], [], self.alpha)
        left.classes, left.D, left.V = self.classes, self.D, self.V
        left.F, left.N, left.df = self.F.copy(), self.N.copy(), self.df.copy()
        for text, label in zip(texts, labels, strict=True):
            left._add(text, label, -1)
        return left

    def row(self, w: tuple[str, ...]) -> list[float]:
        """z[w, c]: the multinomial and the complement view in one, less the mean."""
        a, k, v = self.alpha, max(len(self.classes) - 1, 1), self.V[len(w) - 1]
        own = {c: self.F[w, c] for c in self.classes}
        size = {c: self.N[len(w) - 1, c] for c in self.classes}
        rest, others = sum(own.values()), sum(size.values())
        z = [
            log(own[c] + a) - log(size[c] + a * v) - log(rest - own[c] + a * k) + log(others - size[c] + a * v * k)
            for c in self.classes
        ]
        return [x - sum(z) / len(z) for x in z]

    def sums(self, text: str) -> list[list[float]]:
        """S, P, T and R of a document, one list of kinds for each class."""
        out = [[0.0] * KINDS for _ in self.classes]
        strong = len(EDGES) + 1
        positions, repeats = 2 * HELD * strong, 2 * HELD * strong + 8
        for gram, (n, first) in features(text).items():
            if self.df[gram] == 0:
                continue
            o, z, held = len(gram) - 1, self.row(gram), min(12, ceil(log2(self.df[gram])))
            strength = sum(max(z) > edge for edge in EDGES)
            places = [
                (o * HELD + held) * strong + strength,
                positions + o * 4 + sum(first >= edge for edge in (8, 32, 128)),
                repeats + o * 4 + sum(n >= edge for edge in (2, 3, 5)),
            ]
            for c in range(len(self.classes)):
                for place in places:
                    out[c][place] += log1p(n) * z[c]
                if o == 1:
                    out[c][repeats + 8 + held] -= log1p(n) / 2 * sum(self.row((word,))[c] for word in gram)
        return out

    def joint(self, text: str, table, keys: dict) -> list[float]:
        """The score of a document for each class under a table; `keys` has those of features that may lean."""
        length = table.scale * max(len(tokens(text)), 1) ** -table.power
        heard = [length * sum(u * s for u, s in zip(table.worth, sums, strict=True)) for sums in self.sums(text)]
        k = len(heard)
        mix = table.mix or [0.0] * k**2
        scores = [heard[c] + sum(heard[d] * mix[d * k + c] for d in range(k)) for c in range(k)]
        prior = [table.prior * log(q) for q in self.shares()]
        said = [(s + p + b) / table.temperature for s, p, b in zip(scores, prior, table.offsets, strict=True)]
        for gram, (n, _) in features(text).items():
            if self.df[gram] and keys.get(gram) in table.common:
                row = table.leanings[table.common.index(keys[gram]) * k :]
                said = [s + log1p(n) / sqrt(len(tokens(text))) * d for s, d in zip(said, row[:k], strict=True)]
        return said

    def shares(self) -> list[float]:
        return [(self.D[c] + 0.5) / (self.D.total() + 0.5 * len(self.classes)) for c in self.classes]

    def posterior(self, text: str, table, keys: dict) -> list[float]:
        joint = self.joint(text, table, keys)
        scores = [exp(s - max(joint)) for s in joint]
        pairs = zip(scores, self.shares(), strict=True)
        return [(1 - table.floor) * s / sum(scores) + table.floor * q for s, q in pairs]
