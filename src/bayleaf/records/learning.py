"""RecordLearning: fit, partial_fit, unlearn, merge and retune of the record classifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayleaf.errors import BayleafError, MismatchError
from bayleaf.estimators.labelling import labels
from bayleaf.estimators.summed import Summed
from bayleaf.model import united
from bayleaf.plain import listed
from bayleaf.records.columns import KINDS, Guess, guess
from bayleaf.records.fingerprints import fingerprints
from bayleaf.records.parts import Parts
from bayleaf.records.reading import LENGTH, RecordReading
from bayleaf.records.records import Records, columns_of, texts_of
from bayleaf.records.sample import RecordSample
from bayleaf.text.sample import too_few

if TYPE_CHECKING:
    from bayleaf.arrays import Array
    from bayleaf.records.cells import Column


class RecordLearning(Summed, RecordReading):
    """Adds records to the counts, takes them away, or adds another's; keeps a sample to derive the reading from."""

    def fit(self, X: Any, y: Any) -> Self:
        """Forget everything, learn these records and derive how to read them.

        Parameters
        ----------
        X : table
            A dict of columns, a list of dicts, or a pandas, polars or pyarrow table. Numbers may come as text, as a CSV
            file has them; None, NaN, "", "NA", "NaN", "null" and "?" are missing.
        y : labels
            One per row.

        Returns
        -------
        self
        """
        with self._all_or_nothing():
            self.__dict__.pop("_parts", None)
            self._learn(X, y, None)
            self._worth()
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn these records on top of what is known; unknown labels are taken in, `classes` may name them beforehand.

        What the columns hold is guessed from the first records where `columns` does not say it. Records are learned
        whole or, if one is refused, not at all.
        """
        with self._all_or_nothing():
            self._learn(X, y, classes)
        return self

    def _learn(self, X: Any, y: Any, classes: Any) -> None:
        columns = columns_of(X)
        first = not self.__sklearn_is_fitted__()
        if first:
            self._validate_params()
            if not len(next(iter(columns.values()))):
                raise BayleafError("Found no records; expected at least one. Pass records and their labels")
            self._start(columns)
        self._accept()
        records = Records.of(columns, self._parts.kinds)
        given = self._labels(y, len(records))
        if not len(records):
            return
        known = np.unique(given)
        if classes is not None:
            known = united(known, np.unique(labels(self, classes)))
        prints, before = fingerprints(records, given), known if first else self.classes_
        self._parts.learn(records, given, known if first else united(before, known))
        self._relabel(before)
        if self._parts.alone is None:  # a text classifier keeps a sample of its own
            self._sample.add(records, given, prints)
        self._aged = True

    def _relabel(self, before: Array) -> None:
        """Derived numbers of these labels become those of all that there are now."""
        if self._derived is not None and len(before) < len(self.classes_):
            self._derived = self._derived.relabelled(np.searchsorted(self.classes_, before), len(self.classes_))

    def _start(self, columns: Mapping[str, Column]) -> None:
        given = {} if self.columns is None else {str(name): kind for name, kind in self.columns.items()}
        for name, kind in given.items():
            if kind not in KINDS:
                raise BayleafError(f"Found the kind {kind!r} for column {name!r}, expected one of {', '.join(KINDS)}")
            if name not in columns:  # also "ignore": what was to be left out would be learned under its true name
                raise BayleafError(
                    f"Found no column {name!r}, expected it by `columns`; there are {', '.join(columns)}. Name one of "
                    "these, or leave it out of `columns`"
                )
        guesses = guess({name: column for name, column in columns.items() if name not in given})
        self.guesses_ = {name: guesses.get(name) or Guess(given[name], "given") for name in columns}
        self.columns_, self.numerals_ = {name: found.kind for name, found in self.guesses_.items()}, {}
        if all(kind == "ignore" for kind in self.columns_.values()):
            told = listed(f"{name} ({found.why})" for name, found in self.guesses_.items())
            raise BayleafError(
                f"Found no column to learn from: {told}. Give kinds (`columns`, in a shell "
                f"--columns), of {', '.join(KINDS)}"
            )
        self._parts = Parts.empty(self.columns_, self.encoder, self.n_jobs)
        self._sample, self._derived, self._derived_at, self._aged = RecordSample(), None, 0, False
        self._written_length, self._accepted = LENGTH, True

    def unlearn(self, X: Any, y: Any) -> Self:
        """Take records away that were learned before; the counts are exactly back where they were.

        Refuses, and changes nothing, where a count or a spread would fall below zero: such records were never learned.
        """
        records = self._records(X)
        self._accept()
        given = self.classes_[self._codes(y, len(records))]
        if len(records):
            prints = fingerprints(records, given)
            self._parts.unlearn(records, given)
            self._sample.remove(prints)
            self._aged = True
        return self

    def _merged(self, other: Self, sign: int) -> Self:
        """The sum, or the difference: that keeps no records, since some may have gone."""
        check_is_fitted(self)
        if not isinstance(other, RecordLearning):
            raise MismatchError(f"Cannot merge with {type(other).__name__}; expected a {type(self).__name__}")
        check_is_fitted(other)
        mine, theirs = self._parts.kinds, other._parts.kinds
        if mine != theirs:
            raise MismatchError(
                f"Cannot merge columns {theirs} with {mine}; expected the same names and kinds. Give the kinds "
                "when fitting (`columns`, in a shell --columns), so that they are not guessed from different records"
            )
        if sign < 0:
            if self._parts.bins is not None and other._parts.bins is None:
                raise MismatchError(
                    "Cannot take away a model whose file is of an older version: it does not know how numbers are "
                    "spread, without which what is left could not be read. Unlearn its records, or fit it again"
                )
            self._worth()  # derived while the records are there: the difference keeps none
        merged = self._twin()
        merged._parts = self._parts.merged(other._parts, sign)
        merged._sample = self._sample.merged(other._sample) if sign > 0 else RecordSample(whole=False)
        merged._aged = True
        names = set(merged._parts.names)  # a model file of before has no bins, and a sum with it neither
        both = (self, other) if sign > 0 else (self,)
        told = [one for one in both if one._derived is None or set(one._derived.worth) == names]
        kept = max(told, key=lambda one: one._derived_at)
        merged._derived, merged._derived_at = kept._derived, kept._derived_at
        merged._relabel(kept.classes_)
        if merged._derived is not None:
            merged._parts.read_with(merged._derived)
        return merged

    def retune(self, X: Any = None, y: Any = None) -> Self:
        """Derive anew how the counts are read, from learned records given here or else from those retained."""
        check_is_fitted(self)
        sample = self._sample
        if X is not None:
            records = self._records(X)
            given: Array = self.classes_[self._codes(y, len(records))]
            sample = RecordSample()
            sample.add(records, given, fingerprints(records, given))
        if self._parts.alone is None and (not sample.kept or (X is None and not self._stands_for_all())):
            raise too_few(sum(one.times for one in sample.kept.values()), self._rows, "records")
        if self._parts.text is not None:
            self._parts.text.retune(*(() if X is None else (texts_of(records), given)))
        if self._parts.alone is None:
            self._derive(sample)
        return self
