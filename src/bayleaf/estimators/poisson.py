"""PoissonNB: independent counts with a rate each."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from bayleaf.estimators.discrete import PRIOR_CONSTRAINTS
from bayleaf.estimators.linear import LinearNB
from bayleaf.families import Poisson

if TYPE_CHECKING:
    from bayleaf.arrays import Floats


class PoissonNB(LinearNB):
    """Naive Bayes for counts per unit of time or space, such as calls per hour.

    P(x | c) is the product of Poisson probabilities with rates λ[c,j]; unlike in the multinomial, how much there is in
    all counts as evidence. See `bayleaf.families.poisson` for the smoothing.

    Parameters
    ----------
    alpha : float, default 1.0
        Imaginary rows by which each class is drawn towards the rate of all; 0 is maximum likelihood.
    fit_prior, class_prior, new_labels
        As in `MultinomialNB`.

    Examples
    --------
    >>> from bayleaf import PoissonNB
    >>> nb = PoissonNB().fit([[1], [2], [9], [11]], ["quiet", "quiet", "busy", "busy"])
    >>> nb.predict([[3], [8]]).tolist()
    ['quiet', 'busy']
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "alpha": [Interval(Real, 0, None, closed="left")],
        **PRIOR_CONSTRAINTS,
    }
    force_alpha = True

    def __init__(
        self, *, alpha: float = 1.0, fit_prior: bool = True, class_prior: Any = None, new_labels: str = "error"
    ) -> None:
        self.alpha = alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.new_labels = new_labels

    def _families(self) -> tuple[Poisson, ...]:
        return (Poisson(float(self.alpha)),)

    @property
    def theta_(self) -> Floats:
        """Rates λ per class and column."""
        return np.ascontiguousarray(self._families()[0].rate(self._fitted.tallies[0]).T)
