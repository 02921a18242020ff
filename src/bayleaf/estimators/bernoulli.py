"""BernoulliNB: presence and absence."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from bayleaf.estimators.linear import LinearNB
from bayleaf.families import Bernoulli, Smoothing

if TYPE_CHECKING:
    from bayleaf.arrays import Floats


class BernoulliNB(LinearNB):
    """Naive Bayes for what is there or not; a drop-in for `sklearn.naive_bayes.BernoulliNB`.

    P(x | c) is the product of p[c,j] for the columns that are there and 1 - p[c,j] for those that are not. Parameters
    as in `MultinomialNB`, without `binary`.

    Parameters
    ----------
    binarize : float or None, default 0.0
        Values above it count as present; None expects 0 and 1. Once rows are learned another one needs `fit`.

    Examples
    --------
    >>> from bayleaf import BernoulliNB
    >>> nb = BernoulliNB(alpha=0).fit([[1, 0], [1, 1], [0, 1]], ["ham", "ham", "spam"])
    >>> nb.predict_proba([[1, float("nan")]]).tolist()
    [[1.0, 0.0]]
    """

    _positive = False
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **LinearNB._parameter_constraints,
        "binarize": [None, Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
        smoothing: str = "lidstone",
        denominator: float | None = None,
        new_labels: str = "error",
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.smoothing = smoothing
        self.denominator = denominator
        self.new_labels = new_labels

    def _family(self, smoothing: Smoothing) -> Bernoulli:
        return Bernoulli(smoothing, None if self.binarize is None else float(self.binarize))

    @property
    def feature_log_prob_(self) -> Floats:
        """log p per class and column."""
        family = self._family(self._smoothing())
        return np.ascontiguousarray(family.log_probs(self._fitted.tallies[0])[0].T)
