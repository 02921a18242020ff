"""GaussianNB: measured numbers."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from bayleaf.errors import BayleafError
from bayleaf.estimators.base import NaiveBayes
from bayleaf.families import Gaussian, Prior

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats
    from bayleaf.rows import Rows


class GaussianNB(NaiveBayes):
    """Naive Bayes with a normal distribution per class and column; a drop-in for `sklearn.naive_bayes.GaussianNB`.

    Batches may come in any size and order, and go again, with no more than rounding between the results, also far
    from zero (1e9 ± 1).

    Parameters
    ----------
    priors : array of shape (k,) or "uniform", optional
        Class priors; the shares seen by default.
    var_smoothing : float, default 1e-9
        Share of a variance that is added to the variances, so that none is zero.
    var_scope : {"max", "feature"}, default "max"
        Which variance that is: the largest of all columns over all classes, as in scikit-learn, or the column's own, so
        that the unit of a column does not matter.
    new_labels : {"error", "grow"}, default "error"
        What an unknown label in `partial_fit` does.

    Examples
    --------
    >>> from bayleaf import GaussianNB
    >>> nb = GaussianNB().fit([[1.6], [1.8], [1.1], [1.3]], ["adult", "adult", "child", "child"])
    >>> nb.predict([[1.7], [1.0]]).tolist()
    ['adult', 'child']
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "priors": ["array-like", StrOptions({"uniform"}), None],
        "var_smoothing": [Interval(Real, 0, None, closed="left")],
        "var_scope": [StrOptions({"feature", "max"})],
        "new_labels": [StrOptions({"error", "grow"})],
    }

    def __init__(
        self, *, priors: Any = None, var_smoothing: float = 1e-9, var_scope: Any = "max", new_labels: str = "error"
    ) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.var_scope = var_scope
        self.new_labels = new_labels

    def _families(self) -> tuple[Gaussian, ...]:
        return (Gaussian(float(self.var_smoothing), self.var_scope),)

    def _prior(self) -> Prior:
        if self.priors is None:
            return Prior()
        if isinstance(self.priors, str):
            return Prior("uniform")
        return Prior.given(self.priors)

    def _blocks(
        self, X: Any, reset: bool = False, learning: bool = False, known: bool = False, weights: Floats | None = None
    ) -> list[Rows]:
        blocks = super()._blocks(X, reset, learning, known, weights)
        if reset:
            self._dtype = np.float32 if blocks[0].values.dtype == np.float32 else np.float64
        return blocks

    def _notes(self) -> tuple[dict[str, Any], dict[str, Array]]:
        return {"dtype": np.dtype(self._dtype).name}, {}

    def _recall(self, about: dict[str, Any], arrays: dict[str, Array]) -> None:
        if about["dtype"] not in ("float32", "float64"):
            raise BayleafError(f"Found attributes of {str(about['dtype'])[:80]}, expected float32 or float64")
        self._dtype = np.float32 if about["dtype"] == "float32" else np.float64

    # Sums are float64 whatever comes in; only the attributes take the dtype of X, as scikit-learn's do.

    @property
    def theta_(self) -> Array:
        """Mean per class and column; of a class without a value in it, that of all classes, as its score takes it."""
        return self._families()[0].mean(self._fitted.tallies[0]).astype(self._dtype)

    @property
    def var_(self) -> Array:
        """Variance per class and column, smoothed; of a class without a value in it, that of all classes."""
        return self._families()[0].variance(self._fitted.tallies[0]).astype(self._dtype)

    @property
    def epsilon_(self) -> Any:
        """What was added to the variances: one number per column, or one for all with ``var_scope="max"``."""
        epsilon = self._families()[0].epsilon(self._fitted.tallies[0])
        return epsilon[0] if self.var_scope == "max" else epsilon

    @property
    def class_prior_(self) -> Array:
        """Prior per class."""
        return np.exp(self._prior().log(self._fitted.weight)).astype(self._dtype)

    @staticmethod
    def _update_mean_variance(n_past: float, mu: Any, var: Any, X: Array, sample_weight: Any = None) -> tuple[Any, Any]:
        """Mean and variance after more rows (Chan, Golub & LeVeque 1979); scikit-learn's tests call it by this name."""
        weight = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        n_new = float(weight.sum())
        if n_new == 0:
            return mu, var
        mean = np.average(X, axis=0, weights=weight)
        spread = np.average((X - mean) ** 2, axis=0, weights=weight)
        n = n_past + n_new
        gap = mean - mu
        return mu + gap * (n_new / n), (n_past * var + n_new * spread + n_past * n_new / n * gap**2) / n
