"""Layer: what each kind of evidence is worth, from scores that were made before the label was known.

    s_c = b_c + ½ Σ_i v_i a_ic        P(c) = exp(s_c) / Σ exp(s)

The inputs a are what the families of keys say: the mean of each, then the tails of each.

Everything else of a filter is exact counts; these ten numbers (with two labels) are derived, and refitted as mails
come in.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from math import exp
from operator import mul
from typing import NamedTuple

from bayleaf._core import fit_layer

CLIP = 2.0  # no input says more than e² to 1 for a label
CENTRE, PRECISION = 0.5, 30.0  # the prior: when all inputs say half of the clip, 98 % sure
LEAST = 30  # pairs before the prior is left
GROWTH = 1.3  # refitted when there are this many times as many pairs, or as few
MOST = 10_000  # the most recent pairs


class Layer(NamedTuple):
    """Worth per input and base per label, fitted when so many mails had been learned."""

    worth: tuple[float, ...]
    base: tuple[float, ...]
    mails: int = 0

    @classmethod
    def read(cls, text: str, inputs: int, labels: int) -> Layer:
        """The layer as stored, widened to labels that came later; the prior when there is none."""
        worth, base, mails = json.loads(text) if text else ([CENTRE] * inputs, [], 0)
        return cls(tuple(worth), (*base, *[0.0] * (labels - len(base))), mails)

    def dump(self) -> str:
        """As text."""
        return json.dumps(self)

    @classmethod
    def fit(cls, rows: Iterable[tuple[int, bytes]], inputs: int, labels: int, mails: int) -> Layer:
        """The most probable layer given pairs of label and inputs."""
        pairs = [(label, unpack(means)) for label, means in rows]
        if len(pairs) < LEAST:
            return cls.read("", inputs, labels)._replace(mails=mails)
        worth, base = fit_layer(pairs, inputs, labels, CENTRE, PRECISION)
        return cls(tuple(worth), tuple(base), mails)

    def stale(self, mails: int) -> bool:
        """Whether so many learned mails ask for another fit."""
        return (mails >= LEAST and mails >= GROWTH * self.mails) or mails * GROWTH <= self.mails

    def scores(self, means: Sequence[float]) -> list[float]:
        """s per label, from clipped means by input and label."""
        k = len(self.base)
        return [b + sum(map(mul, self.worth, means[c::k])) / 2 for c, b in enumerate(self.base)]


def clip(means: Sequence[float]) -> list[float]:
    """Means no larger than the clip."""
    return [CLIP if mean > CLIP else max(mean, -CLIP) for mean in means]


def softmax(scores: Sequence[float]) -> list[float]:
    """Probabilities that add up to 1."""
    top = max(scores)
    parts = [exp(score - top) for score in scores]
    total = sum(parts)
    return [part / total for part in parts]


def pack(means: Sequence[float]) -> bytes:
    """Means as they are kept in the ledger."""
    return struct.pack(f"<{len(means)}f", *means)


def unpack(pair: bytes) -> tuple[float, ...]:
    """And back."""
    return struct.unpack(f"<{len(pair) // 4}f", pair)
