"""Leave-one-out for families whose columns each hold one of a few outcomes.

All rows of one class and one weight take the same amount away from their class, whatever they hold: so one scorer
serves them all, in which every outcome is counted as if it were the row's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.rows import Rows
    from bayleaf.scorers import Linear


def _alike(codes: Ints, weights: Floats) -> Iterator[tuple[int, float, Array]]:
    """Class, weight and row numbers of the rows that share both."""
    keys, place = np.unique(np.stack([codes, weights]), axis=1, return_inverse=True)
    order = np.argsort(place, kind="stable")
    ends = np.searchsorted(place[order], np.arange(keys.shape[1] + 1))
    for i in range(keys.shape[1]):
        yield int(keys[0, i]), float(keys[1, i]), order[ends[i] : ends[i + 1]]


def loo(rows: Rows, codes: Ints, weights: Floats, k: int, scorer: Callable[[int, float], Linear]) -> Floats:
    """Scores of all rows, with `scorer(class, weight)` made once for all rows that are alike."""
    joint = np.zeros((len(rows), k))
    for code, weight, members in _alike(codes, weights):
        frozen = scorer(code, weight)
        part = np.tile(frozen.bias, (len(members), 1))
        frozen.add_to(rows[members], part)
        joint[members] = part
    return joint
