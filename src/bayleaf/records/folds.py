"""Folds: cross-validation, counted by subtraction."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.errors import BayleafError
from bayleaf.records.alone import alike

if TYPE_CHECKING:
    from bayleaf.arrays import Floats, Ints
    from bayleaf.records.classifier import RecordClassifier


def fold_predict_log_proba(model: RecordClassifier, X: Any, y: Any, folds: int = 10, seed: int = 0) -> Floats:
    """Log probabilities (n, k) of learned records, each by a model of the records of other folds.

    Nothing is counted twice: a fold is taken away from the counts, and what is derived from them is derived anew from
    the other records, so that no number has seen the fold. Each label has its share in each fold, and copies of a text
    are in the same one, as leave-one-out leaves them out together; where texts are not alone copies count, since rows
    of a few categories are the same by the thousand. The model itself is not touched.

    >>> from bayleaf import RecordClassifier
    >>> X, y = {"size": [1.1, 1.3, 1.2, 4.0, 4.2, 4.1]}, ["s", "s", "s", "l", "l", "l"]
    >>> fold_predict_log_proba(RecordClassifier().fit(X, y), X, y, folds=3).argmax(axis=1).tolist()
    [1, 1, 1, 0, 0, 0]
    """
    records = model._records(X)
    codes = model._codes(y, len(records))
    if int(folds) != folds or not 2 <= folds <= len(codes):
        raise BayleafError(f"Found folds={folds}, expected a whole number from 2 up to that of records, {len(codes)}")
    labels = model.classes_[codes]
    log_proba = np.zeros((len(codes), len(model.classes_)))
    fold = dealt(codes, folds, seed, alike(records) if model._parts.alone else np.arange(len(codes)))
    for number in np.unique(fold).tolist():
        rows, others = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        rest = copy(model).unlearn(records[rows], labels[rows])
        if len(others):
            rest.retune(records[others], labels[others])
        log_proba[rows] = rest.predict_log_proba(records[rows])
    return log_proba


def dealt(codes: Ints, folds: int, seed: int, alike: Ints) -> Ints:
    """The fold of each record: shuffled, then dealt out class by class, those that are alike with the first of them."""
    order = np.random.default_rng(seed).permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    first = order[np.sort(np.unique(alike[order], return_index=True)[1])]
    fold = np.empty(len(codes), dtype=np.int64)
    fold[alike[first]] = np.arange(len(first)) % folds
    return fold[alike]
