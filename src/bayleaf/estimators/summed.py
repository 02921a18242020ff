"""Summed: estimators that add up to one that has learned what both have."""

from __future__ import annotations

from typing import Self


class Summed:
    """Gives `merge`, ``+`` and ``-`` to an estimator that can say what its sum with another is."""

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

    def __sub__(self, other: Self) -> Self:
        return self._merged(other, -1)
