"""Logarithms of probabilities: where they end, and what they add up to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bayleaf.arrays import Floats

LARGEST = 745.0  # -log of the smallest float64, 5e-324: whoever says more says impossible


def log_sum(joint: Floats) -> Floats:
    """log of the sum of the exponentials of each row, (n, 1); -inf where all are."""
    top = joint.max(axis=1, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)
    with np.errstate(divide="ignore"):
        total: Floats = top + np.log(np.exp(joint - top).sum(axis=1, keepdims=True))
    return total


def softmax(scores: Floats) -> tuple[Floats, Floats]:
    """Shares (n, k) of finite scores, and their logs."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    powers = np.exp(shifted)
    total = powers.sum(axis=1, keepdims=True)
    return powers / total, shifted - np.log(total)
