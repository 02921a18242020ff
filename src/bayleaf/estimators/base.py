"""NaiveBayes: the scikit-learn face of a model. Each estimator adds its parameters, its family and its attributes."""

from __future__ import annotations

from typing import Any

from sklearn.base import ClassifierMixin

from bayleaf.estimators.keeper import Keeper
from bayleaf.estimators.reader import Reader


class NaiveBayes(ClassifierMixin, Reader, Keeper):
    """What all estimators share: learning from `Learner`, answers from `Reader`, files from `Keeper`.

    Nothing is weighed until asked.
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._sparse
        tags.input_tags.allow_nan = True
        return tags
