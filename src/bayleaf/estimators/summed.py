"""Summed: estimators that add up to one that has learned what both have."""

from __future__ import annotations

from copy import copy
from typing import Self


class Summed:
    """Gives `merge`, ``+``, ``-`` and so `sum` to an estimator that can say what its sum with another is."""

    def _merged(self, other: Self, sign: int) -> Self:
        """The sum, or the difference, with the parameters of this one."""
        raise NotImplementedError

    def merge(self, other: Self) -> Self:
        """A new estimator, as if trained on what both have learned, with the parameters of this one.

        For texts and records, the reading of the one that has learned more is kept until it is derived anew.
        """
        return self._merged(other, 1)

    def __add__(self, other: Self) -> Self:
        return self._merged(other, 1)

    def __radd__(self, other: object) -> Self:
        """What `sum` begins with is 0."""
        return copy(self) if type(other) is int and other == 0 else NotImplemented

    def __sub__(self, other: Self) -> Self:
        return self._merged(other, -1)
