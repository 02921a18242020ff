"""Copied: a copy of an estimator learns for itself, and a call that fails leaves no trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

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

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """A call that fails leaves the estimator as it was."""
        before = dict(self.__dict__)
        try:
            yield
        except BaseException:
            self._restore(before)
            raise

    def _restore(self, before: dict[str, Any]) -> None:
        self.__dict__.clear()
        self.__dict__.update(before)

    def __sklearn_is_fitted__(self) -> bool:
        raise NotImplementedError

    def _twin(self) -> Self:
        """The same parameters and the same counts, not copied: for callers that put others in their place."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin
