"""Prior: how likely each class is before anything is seen of a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from bayleaf.errors import BayleafError

if TYPE_CHECKING:
    from bayleaf.arrays import Floats


@dataclass(frozen=True)
class Prior:
    """Empirical (the share of the weight seen), uniform, given, or ignored (left out of the score).

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(Prior().log(np.array([2.0, 4.0])))
    array([0.33333333, 0.66666667])
    """

    kind: Literal["empirical", "uniform", "given", "ignored"] = "empirical"
    values: tuple[float, ...] = ()

    @classmethod
    def of(cls, fit_prior: bool, class_prior: Any) -> Prior:
        """The prior that scikit-learn's two parameters mean."""
        if class_prior is not None:
            return cls.given(class_prior)
        return cls("empirical" if fit_prior else "uniform")

    @classmethod
    def given(cls, values: Any) -> Prior:
        """These priors, one per class; refuses what is no list of numbers."""
        try:
            numbers = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError):
            numbers = np.empty(())
        if numbers.ndim != 1:
            raise BayleafError(
                f"Found priors {values!r}; expected one number per class, in the order of "
                "classes_, for example [0.3, 0.7]"
            )
        return cls("given", tuple(numbers.tolist()))

    def log(self, weight: Floats) -> Floats:
        """Log priors for class weights (..., k); -inf for a class that cannot occur."""
        k = weight.shape[-1]
        if self.kind == "ignored":
            return np.zeros(weight.shape)
        if self.kind == "uniform":
            return np.full(weight.shape, -np.log(k))
        if self.kind == "given":
            return np.broadcast_to(_log(self._checked(k)), weight.shape).copy()
        total = weight.sum(axis=-1, keepdims=True)
        uniform = np.full(weight.shape, 1.0 / k)
        return _log(np.divide(weight, total, out=uniform, where=total > 0))

    def refuse_fewer(self, k: int) -> None:
        """Refuse priors that can fit neither so many classes nor those and more that are to come."""
        if self.kind == "given" and len(self.values) <= k:
            self._checked(k)

    def share(self, weight: Floats) -> Floats:
        """How the classes share out before anything is seen, (k,): what rows are drawn from and fall back to."""
        return np.exp(self.generative.log(weight))

    @property
    def generative(self) -> Prior:
        """The one that probabilities have: itself, or the share seen where scores leave it out."""
        return Prior() if self.kind == "ignored" else self

    def _checked(self, k: int) -> Floats:
        values = np.asarray(self.values, dtype=np.float64)
        if values.shape != (k,):
            raise BayleafError(f"Number of priors must match number of classes. Found {len(values)}, expected {k}.")
        if not np.isfinite(values).all() or (values < 0).any():
            raise BayleafError(f"Priors must be non-negative. Found {values.tolist()}.")
        if not np.isclose(values.sum(), 1.0):
            raise BayleafError(f"The sum of the priors should be 1. Found {values.sum():g}; divide them by their sum.")
        return values


def _log(values: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.log(values)
