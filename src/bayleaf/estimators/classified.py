"""Classified: the answers and files that classifiers of texts and of records have in common."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayleaf.archive.archived import Archived

if TYPE_CHECKING:
    from bayleaf.archive import Archive
    from bayleaf.arrays import Array, Floats


class Classified(ClassifierMixin, Archived):
    """Labels and logarithms from `predict_proba`; files by functions that only those who save or load pay for."""

    _home: ClassVar[str]  # the module of `archive_of` and `fill`
    classes_: Array

    def predict_proba(self, X: Any) -> Floats:
        """P(label | x), (n, k)."""
        raise NotImplementedError

    def predict(self, X: Any) -> Array:
        """The most probable label of each text or record."""
        best = self.predict_proba(X).argmax(axis=1)
        labels: Array = self.classes_[best]
        return labels

    def predict_log_proba(self, X: Any) -> Floats:
        """The log of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def _archive(self) -> Archive:
        check_is_fitted(self)
        archive: Archive = import_module(self._home).archive_of(self)
        return archive

    @classmethod
    def _from_archive(cls, archive: Archive) -> Self:
        classifier = cls()
        import_module(cls._home).fill(classifier, archive)
        return classifier
