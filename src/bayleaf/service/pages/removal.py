"""Removal: what a mail would be called if one token were not there."""

from __future__ import annotations

import struct
from math import log
from typing import NamedTuple

from bayleaf.mail import Filter, Verdict
from bayleaf.mail.layer import clip


class Removal(NamedTuple):
    """Verdict and probability of `target` with the token and without it; `change` is what it adds to the log-odds."""

    target: str
    label: str
    probability: float
    label_without: str
    probability_without: float

    @property
    def change(self) -> float:
        """Log-odds with the token less those without."""
        return odds(self.probability) - odds(self.probability_without)

    @classmethod
    def of(cls, own: Filter, raw: bytes | str, key: int) -> Removal | None:
        """None when the mail does not have the token."""
        features = own.read(raw)
        keys = features.keys
        try:
            at = struct.unpack(f"<{len(keys) // 8}Q", keys).index(key)
        except ValueError:
            return None
        held, left = _judged(own, keys), _judged(own, keys[: 8 * at] + keys[8 * at + 8 :])
        target = "spam" if "spam" in held.probabilities else held.best
        return cls(target, held.label, held.probabilities[target], left.label, left.probabilities[target])


def _judged(own: Filter, keys: bytes) -> Verdict:
    """As `Filter.judge_features`, for keys."""
    evidence = own.evidence()
    return own.decided(evidence, clip(evidence.weigh(keys).means))


def odds(share: float) -> float:
    """Log-odds of a probability that may have been rounded to 0 or 1."""
    held = min(max(share, 1e-15), 1 - 1e-15)
    return log(held / (1 - held))
