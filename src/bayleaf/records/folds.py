"""Folds: cross-validation by subtraction."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.errors import BayleafError
from bayleaf.families.evidence import EvidenceTable
from bayleaf.records.alone import alike

if TYPE_CHECKING:
    from bayleaf.arrays import Floats, Ints
    from bayleaf.records.classifier import RecordClassifier
    from bayleaf.text.classifier import TextClassifier


def fold_predict_log_proba(model: RecordClassifier, X: Any, y: Any, folds: int = 10, seed: int = 0) -> Floats:
    """Log probabilities (n, k) of learned records, each from the counts without its whole fold.

    Nothing is counted twice: a fold is taken away, judged and put back. Derived numbers stay as they are, and have seen
    the records, so that the level is a little optimistic. Each label has its share in each fold, and copies of a text
    are in the same one, as leave-one-out leaves them out together; where texts are not alone copies count, since rows
    of a few categories are the same by the thousand. What common words lean to is left out, as in leave-one-out: it
    was derived from the labels of all folds. The model itself is not touched.

    >>> from bayleaf import RecordClassifier
    >>> X, y = {"size": [1.1, 1.3, 1.2, 4.0, 4.2, 4.1]}, ["s", "s", "s", "l", "l", "l"]
    >>> fold_predict_log_proba(RecordClassifier().fit(X, y), X, y, folds=3).argmax(axis=1).tolist()
    [1, 1, 1, 0, 0, 0]
    """
    records = model._records(X)
    codes = model._codes(y, len(records))
    if int(folds) != folds or not 2 <= folds <= len(codes):
        raise BayleafError(f"Found folds={folds}, expected a whole number from 2 up to that of records, {len(codes)}")
    model._worth()  # derived before the counts are copied
    twin = model._twin()
    twin._parts = model._parts.copy()
    if twin._parts.bins is not None:
        twin._parts.edges = [column.edges for column in model._parts.binned]  # derived numbers, as those of the worths
    if twin._parts.text is not None:
        without_leanings(twin._parts.text)
    log_proba = np.zeros((len(codes), len(model.classes_)))
    fold = dealt(codes, folds, seed, alike(records) if model._parts.alone else np.arange(len(codes)))
    for number in np.unique(fold).tolist():
        rows = np.flatnonzero(fold == number)
        some, given = records[rows], model.classes_[codes[rows]]
        twin._parts.unlearn(some, given)
        with np.errstate(divide="ignore"):
            log_proba[rows] = np.log(twin._posterior(twin._joint(some)))
        twin._parts.learn(some, given, model.classes_)
    return log_proba


def dealt(codes: Ints, folds: int, seed: int, alike: Ints) -> Ints:
    """The fold of each record: shuffled, then dealt out class by class, those that are alike with the first of them."""
    order = np.random.default_rng(seed).permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    first = order[np.sort(np.unique(alike[order], return_index=True)[1])]
    fold = np.empty(len(codes), dtype=np.int64)
    fold[alike[first]] = np.arange(len(first)) % folds
    return fold[alike]


def without_leanings(text: TextClassifier) -> None:
    """Have it read its counts without what common words lean to."""
    if isinstance(text._derived, EvidenceTable):
        text._derived, text._ready = replace(text._derived, common=(), leanings=()), None
