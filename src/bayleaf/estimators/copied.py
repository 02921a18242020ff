"""Copied: a copy of an estimator learns for itself."""

from __future__ import annotations

from typing import Self

from sklearn.base import BaseEstimator


class Copied(BaseEstimator):
    """Makes `copy.copy` safe: learning adds to the counts in place, so that a copy needs counts of its own.

    Parameters and whatever is replaced rather than changed stay shared, as in any shallow copy.
    """

    def _detach(self) -> None:
        """Put what learning changes in place into places of its own. Only asked of what is fitted."""
        raise NotImplementedError

    def __copy__(self) -> Self:
        """The same parameters and counts; what one of the two learns from now on, the other does not."""
        twin = self._twin()
        if twin.__sklearn_is_fitted__():
            twin._detach()
        return twin

    def __sklearn_is_fitted__(self) -> bool:
        raise NotImplementedError

    def _twin(self) -> Self:
        """The same parameters and the same counts, not copied: for callers that put others in their place."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin
