"""Removal: what a mail would be called if one token were not there."""

from __future__ import annotations

import struct
from math import log
from typing import NamedTuple

from bayleaf.mail import Filter
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
        label, best, shares = _judge(own, keys)
        label_without, _, shares_without = _judge(own, keys[: 8 * at] + keys[8 * at + 8 :])
        target = "spam" if "spam" in shares else best
        return cls(target, label, shares[target], label_without, shares_without[target])


def _judge(own: Filter, keys: bytes) -> tuple[str, str, dict[str, float]]:
    """As `Filter.judge_features`, for keys."""
    evidence = own.evidence()
    means = clip(evidence.weigh(keys).means)
    shares = evidence.shares(evidence.scores(means))
    label, best, _ = own.policy.decide(evidence.labels, evidence.totals, shares, evidence.headers(means))
    return label, best, {evidence.labels[c]: shares[c] for c in evidence.known}


def odds(share: float) -> float:
    """Log-odds of a probability that may have been rounded to 0 or 1."""
    held = min(max(share, 1e-15), 1 - 1e-15)
    return log(held / (1 - held))
