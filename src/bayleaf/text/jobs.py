"""jobs: how many threads `n_jobs` asks for."""

from __future__ import annotations

import os
from numbers import Integral
from typing import Any

from sklearn.utils._param_validation import Interval

from bayleaf._core import threads

JOBS: list[Any] = [Interval(Integral, None, -1, closed="right"), Interval(Integral, 1, None, closed="left"), None]
MOST = 256


def jobs(wanted: int | None) -> int:
    """The number asked for; -1 is one per core, -2 one less, None leaves it to the environment.

    >>> jobs(3)
    3
    """
    if wanted is None:
        return threads()
    return min(wanted, MOST) if wanted > 0 else max(1, (os.cpu_count() or 1) + 1 + wanted)
