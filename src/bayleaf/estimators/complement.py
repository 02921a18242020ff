"""ComplementNB: counts again, seen from the other classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bayleaf.estimators.linear import LinearNB
from bayleaf.families import Complement, Prior, Smoothing

if TYPE_CHECKING:
    from bayleaf.arrays import Floats, Ints


class ComplementNB(LinearNB):
    """Complement Naive Bayes of Rennie et al. (2003); a drop-in for `sklearn.naive_bayes.ComplementNB`.

    The weight of column j for class c is -log of the smoothed share of the column in all *other* classes. A
    `class_prior` that is given counts; otherwise the score has no prior, as in scikit-learn, and ties go to the class
    seen more often. Other parameters as in `MultinomialNB`.

    Parameters
    ----------
    norm : bool, default False
        Divide the weights of a class by the sum of their sizes. With ``alpha="auto"`` all columns are then weighed
        again for each row and strength; see `alpha_`.

    Examples
    --------
    >>> from bayleaf import ComplementNB
    >>> nb = ComplementNB().fit([[2, 1, 0], [1, 0, 0], [0, 1, 3]], ["ham", "ham", "spam"])
    >>> nb.predict([[0, 0, 0], [0, 0, 2]]).tolist()
    ['ham', 'spam']
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **LinearNB._parameter_constraints,
        "norm": ["boolean"],
        "binary": ["boolean"],
    }

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        norm: bool = False,
        smoothing: str = "lidstone",
        denominator: float | None = None,
        binary: bool = False,
        new_labels: str = "error",
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.norm = norm
        self.smoothing = smoothing
        self.denominator = denominator
        self.binary = binary
        self.new_labels = new_labels

    def _family(self, smoothing: Smoothing) -> Complement:
        return Complement(smoothing, self.binary, self.norm)

    def _read_by(self) -> dict[str, Any]:
        return {**super()._read_by(), "norm": self.norm}

    def _prior(self) -> Prior:
        return Prior("ignored") if self.class_prior is None else super()._prior()

    @property
    def class_log_prior_(self) -> Floats:
        """Log prior per class, empirical or uniform where none is given; the score uses only a given one."""
        return super()._prior().log(self._fitted.weight)

    @property
    def feature_all_(self) -> Floats:
        """Sum of the values per column."""
        everything: Floats = self.feature_count_.sum(axis=0)
        return everything

    @property
    def feature_log_prob_(self) -> Floats:
        """Weights per class and column."""
        family = self._family(self._smoothing())
        return np.ascontiguousarray(family.weights(self._fitted.tallies[0]).T)

    def _best(self, posterior: Floats) -> Ints:
        order = np.argsort(-self.class_count_, kind="stable")  # ties go to the class seen more often
        best: Ints = order[posterior[:, order].argmax(axis=1)]
        return best
