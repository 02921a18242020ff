"""Floored: probabilities that leave a little to every class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayleaf._core import normalise

if TYPE_CHECKING:
    from bayleaf.arrays import Floats


def floored(joint: Floats, share: Floats, floor: float) -> Floats:
    """P(c | x) = (1 - ε) softmax(s) + ε q for scores (n, k) and the shares of the classes, for all or of each.

    Where no class is possible these are the shares.
    """
    posterior = joint.copy()
    if normalise(posterior, np.zeros(joint.shape[1]), False):
        impossible = np.isneginf(joint).all(axis=1)
        posterior[impossible] = np.broadcast_to(share, joint.shape)[impossible]
    posterior *= 1 - floor
    posterior += floor * share
    return posterior
