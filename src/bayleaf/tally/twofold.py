"""Sums of two float64, a number and what rounding took off it: 106 binary digits (Dekker 1971, Knuth, TAOCP 4.2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from bayleaf.arrays import Floats

SPLIT = 2.0**27 + 1  # halves of 26 digits, whose products are exact


class Twofold(NamedTuple):
    """Numbers rounded to the nearest float64, and the rest of each."""

    high: Floats
    low: Floats

    def __neg__(self) -> Twofold:
        return Twofold(-self.high, -self.low)

    def plus(self, other: Twofold) -> Twofold:
        """The sums."""
        high, low = two_sum(self.high, other.high)
        return two_sum(high, low + (self.low + other.low))

    def times(self, other: Twofold) -> Twofold:
        """The products."""
        (a, b), (c, d) = _halves(self.high), _halves(other.high)
        high = self.high * other.high
        low = b * d - (((high - a * c) - b * c) - a * d)
        return two_sum(high, low + (self.high * other.low + self.low * other.high))

    def over(self, divisor: Floats) -> Twofold:
        """The quotients."""
        high = self.high / divisor
        rest = self.plus(-Twofold(high, np.zeros_like(high)).times(Twofold(divisor, np.zeros_like(high))))
        return two_sum(high, rest.high / divisor)


def two_sum(a: Floats, b: Floats) -> Twofold:
    """The sums of numbers of any size, and what rounding takes off them."""
    high = a + b
    added = high - a
    return Twofold(high, (a - (high - added)) + (b - added))


def _halves(a: Floats) -> tuple[Floats, Floats]:
    wide = SPLIT * a
    upper = wide - (wide - a)
    return upper, a - upper
