"""Wilson's interval of a share; without NumPy, since the mail commands live on the standard library alone."""

from __future__ import annotations

from math import sqrt

Z = 1.959963984540054  # 95 % of a normal distribution lies within so many deviations


def wilson(hits: float, n: float) -> tuple[float, float]:
    """The 95 % interval (1927) of `hits` of `n`, which stays inside [0, 1] and is honest for 0 of n and n of n.

    >>> [round(limit, 3) for limit in wilson(95, 100)]
    [0.888, 0.978]
    """
    p = hits / n
    middle = (p + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * sqrt(p * (1 - p) / n + Z**2 / (4 * n**2))
    return max(min(middle - half, p), 0.0), min(max(middle + half, p), 1.0)
