"""jobs: how many threads `n_jobs` asks for."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sklearn.utils._param_validation import Interval

from bayleaf._core import threads

JOBS: list[Any] = [Interval(Integral, None, -1, closed="right"), Interval(Integral, 1, None, closed="left"), None]
MOST = 256


def jobs(wanted: int | None) -> int:
    """The number asked for; None and -1 are all that may be used (see `threads`), -2 is one less.

    >>> jobs(3)
    3
    """
    if wanted is None:
        return threads()
    return min(wanted, MOST) if wanted > 0 else max(1, threads() + 1 + wanted)
