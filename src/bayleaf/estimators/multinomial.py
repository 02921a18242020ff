"""MultinomialNB: counts, such as words in a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bayleaf.estimators.linear import LinearNB
from bayleaf.families import Multinomial, Smoothing

if TYPE_CHECKING:
    from bayleaf.arrays import Floats


class MultinomialNB(LinearNB):
    """Naive Bayes for counts; a drop-in for `sklearn.naive_bayes.MultinomialNB`.

    P(x | c) is proportional to the product over the columns of θ[c,j]^x[j], with θ[c,j] the smoothed share of column j
    among all counts of class c; see `bayleaf.families.multinomial` for the source.

    Parameters
    ----------
    alpha : float, array of shape (d,) or "auto", default 1.0
        Strength of the smoothing; "auto" chooses by leave-one-out: the least log loss among those with the
        fewest errors, or so few more that chance may have made them; see `alpha_`.
    force_alpha : bool, default True
        If False, an alpha below 1e-10 is raised to that.
    fit_prior : bool, default True
        Whether class priors are the shares seen; uniform otherwise.
    class_prior : array of shape (k,), optional
        Class priors given.
    smoothing : {"lidstone", "background", "jelinek-mercer", "absolute"}, default "lidstone"
        How counts become probabilities; see `bayleaf.families.smoothing.Smoothing`. The last two want an alpha below 1
        or "auto": with 1, "jelinek-mercer" is the same for all classes.
    denominator : float, optional
        With "lidstone" only, (n + alpha) / (N + denominator x alpha) instead of the number of columns. These are no
        probabilities: `score_samples` and `sample` go by those that add up to 1, the number of columns.
    binary : bool, default False
        Count presence instead of values. Once rows are learned another one needs `fit`.
    new_labels : {"error", "grow"}, default "error"
        What an unknown label in `partial_fit` does.

    Examples
    --------
    >>> from bayleaf import MultinomialNB
    >>> nb = MultinomialNB().fit([[2, 1, 0], [1, 0, 0], [0, 1, 3]], ["ham", "ham", "spam"])
    >>> nb.predict([[1, 0, 0], [0, 0, 2]]).tolist()
    ['ham', 'spam']
    >>> nb.unlearn([[1, 0, 0]], ["ham"]).feature_count_.tolist()
    [[2.0, 1.0, 0.0], [0.0, 1.0, 3.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {**LinearNB._parameter_constraints, "binary": ["boolean"]}

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        smoothing: str = "lidstone",
        denominator: float | None = None,
        binary: bool = False,
        new_labels: str = "error",
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.smoothing = smoothing
        self.denominator = denominator
        self.binary = binary
        self.new_labels = new_labels

    def _family(self, smoothing: Smoothing) -> Multinomial:
        return Multinomial(smoothing, self.binary)

    @property
    def feature_log_prob_(self) -> Floats:
        """log θ per class and column."""
        family = self._family(self._smoothing())
        return np.ascontiguousarray(family.log_prob(self._fitted.tallies[0]).T)
