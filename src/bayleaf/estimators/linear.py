"""LinearNB: discrete estimators whose score is linear in the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayleaf.estimators.discrete import DiscreteNB
from bayleaf.scorers import Linear

if TYPE_CHECKING:
    from bayleaf.arrays import Floats


class LinearNB(DiscreteNB):
    """A count and a weight for each class and column; a category has no such weight."""

    @property
    def feature_count_(self) -> Floats:
        """Sum of the values per class and column."""
        table: Floats = self._fitted.tallies[0].table.copy()
        return table

    @property
    def coef_(self) -> Floats:
        """Weights of the linear view: one row of log-odds for two classes, one row per class for more."""
        weights = self._linear()[0].T
        return weights[1:] - weights[:1] if len(weights) == 2 else weights.copy()

    @property
    def intercept_(self) -> Floats:
        """Constant of the linear view, the prior included."""
        constant = self._linear()[1]
        return constant[1:] - constant[:1] if len(constant) == 2 else constant

    def _linear(self) -> tuple[Floats, Floats]:
        self._fitted  # noqa: B018  (an AttributeError where nothing is fitted)
        model = self._read()
        scorer = model.scorers[0]
        assert isinstance(scorer, Linear)
        if scorer.barrier is not None:
            raise AttributeError("no linear view without smoothing: a probability is 0. Use alpha > 0")
        return scorer.weights, scorer.bias + model.log_prior
