"""Copied: a copy of an estimator learns for itself, a call that fails leaves no trace, and parameters are checked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator


class Copied(BaseEstimator):
    """Makes `copy.copy` safe: learning adds to the counts in place, so that a copy needs counts of its own.

    Parameters and whatever is replaced rather than changed stay shared, as in any shallow copy.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {}

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name in self._parameter_constraints:
            self.__dict__.pop("_accepted", None)

    def _accept(self) -> None:
        """Refuse parameters that were set since the last call, if they are wrong or do not fit what was learned.

        Every call asks, and scikit-learn's check takes longer than a row.
        """
        if "_accepted" not in self.__dict__:
            self._validate_params()
            self._refuse_parameters()
            self._accepted = True

    def _refuse_parameters(self) -> None:
        """Refuse parameters that do not fit what was learned. Only asked of what is fitted."""
        raise NotImplementedError

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
