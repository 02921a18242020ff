"""RecordReading: how the counts of a record classifier are read, derived when it is first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayleaf.encoders.text import TextEncoder
from bayleaf.errors import BayleafError, MismatchError, NegativeCountError
from bayleaf.estimators.copied import Copied
from bayleaf.estimators.labelling import known_codes, labels, same_length
from bayleaf.families import Prior
from bayleaf.families.evidence import shares
from bayleaf.records import deriving
from bayleaf.records.records import Records, columns_of
from bayleaf.records.sample import RecordSample
from bayleaf.records.worth import Worth, usual
from bayleaf.text.jobs import jobs

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.records.columns import Guess
    from bayleaf.records.parts import Parts

SOME = 500  # texts that their average length is taken from
LENGTH = 12.0  # tokens of a text, where nothing is known about it


class RecordReading(Copied):
    """Counts, and what was derived about reading them. The counts are exact; the reading is not part of them."""

    columns: dict[str, str] | None
    encoder: Any
    n_jobs: int | None
    columns_: dict[str, str]
    guesses_: dict[str, Guess]
    numerals_: dict[str, str]
    _parts: Parts
    _sample: RecordSample
    _derived: Worth | None
    _derived_at: int
    _aged: bool
    _written_length: float

    def __sklearn_is_fitted__(self) -> bool:
        return "_parts" in self.__dict__

    def _detach(self) -> None:
        self._parts, self._sample = self._parts.copy(), self._sample.copy()

    @property
    def classes_(self) -> Array:
        """The labels, sorted."""
        if not self.__sklearn_is_fitted__():
            raise AttributeError(f"this {type(self).__name__} is not fitted yet: call fit first")
        return self._parts.classes

    @property
    def feature_names_in_(self) -> Array:
        """The names of the columns that were there at first, ignored ones too."""
        return np.array(list(self.columns_), dtype=object)

    @property
    def n_features_in_(self) -> int:
        """How many these are."""
        return len(self.feature_names_in_)

    @property
    def class_count_(self) -> Floats:
        """How many records were learned per class."""
        check_is_fitted(self)
        return self._parts.weight

    @property
    def _rows(self) -> int:
        """How many records are counted."""
        return int(self._parts.weight.sum()) if self.__sklearn_is_fitted__() else 0

    def _records(self, X: Any) -> Records:
        check_is_fitted(self)
        return X if isinstance(X, Records) else Records.of(columns_of(X), self._parts.kinds)

    def _labels(self, y: Any, size: int) -> Array:
        given = labels(self, y)
        # As Python's values the first would be numbers of nanoseconds, and the second floats.
        if given.dtype.kind in "mM" or (given.dtype.kind == "u" and given.max(initial=0) > np.iinfo(np.int64).max):
            raise BayleafError(
                f"Found labels of type {given.dtype}; expected text, truth values or numbers below 2**63. Convert them "
                "to str"
            )
        given = given if given.dtype.kind == "U" else np.array(given.tolist())
        same_length(size, given)
        return given

    def _codes(self, y: Any, size: int) -> Ints:
        """Class numbers of known labels."""
        return known_codes(self._labels(y, size), self.classes_)

    def _accept(self) -> None:
        super()._accept()
        if self._parts.text is not None and self._parts.text.n_jobs != self.n_jobs:
            self._parts.text.n_jobs = self.n_jobs

    def _refuse_parameters(self) -> None:
        """Refuse those under which the records would have been counted otherwise."""
        text = self._parts.text
        changed = [
            f"{name}={kind}" for name, kind in (self.columns or {}).items() if self.columns_.get(str(name)) != kind
        ]
        if text is not None and TextEncoder.of(self.encoder) != TextEncoder.of(text.encoder):
            changed.append(f"encoder={self.encoder!r}")
        if not changed:
            return
        raise MismatchError(
            f"The records learned before were not counted with {changed[0]}; expected the parameters of then. Set it "
            "back, or fit again to count them anew"
        )

    # scores; a text classifier with nothing beside it reads its texts alone

    @property
    def _log_prior(self) -> Floats:
        return Prior().log(self._parts.weight)

    def _joint(self, records: Records) -> Floats:
        worth = self._worth()  # first: it decides how the parts are smoothed
        if self._parts.alone is not None:
            return self._parts.alone.joint(records)
        return worth.joint(self._log_prior, self._parts.likelihoods(records, worth))

    def _posterior(self, joint: Floats) -> Floats:
        if self._parts.alone is not None:
            return self._parts.alone.posterior(joint)
        return self._worth().posterior(joint, shares(self._parts.weight))

    # deriving

    def _worth(self) -> Worth:
        """The reading in use; derived again when there are twice as many records as then."""
        check_is_fitted(self)
        self._accept()
        if self._parts.alone is not None:
            return self._parts.alone.worth
        doubled = self._rows >= 2 * self._derived_at
        if self._derived is None or (doubled and self._stands_for_all()):
            self._derive(self._sample)
        assert self._derived is not None
        return self._derived

    def _stands_for_all(self) -> bool:
        """Whether the retained records tell of all learned ones; after loading there are only those learned since."""
        return self._sample.tells(self.classes_, self._parts.weight)

    def _derive(self, sample: RecordSample) -> None:
        try:
            self._derived = deriving.derived(self._parts, sample, jobs(self.n_jobs))
        except NegativeCountError:  # counts were also taken away by unlearning other records of the same cells
            if sample is not self._sample:
                raise
            self._sample = RecordSample(whole=False)
            self._derived = self._derived or Worth(usual(self._parts.names))
        finally:
            if self._derived is not None:
                self._parts.read_with(self._derived)
        self._derived_at = self._rows if self._derived.rows else 0  # what says nothing yet is derived as soon as it can
        self._aged = False

    @property
    def _length(self) -> float:
        """How many tokens a text has on average, of those retained; as it was when the model was written, or 12."""
        text = self._parts.text
        documents = [] if text is None else text._sample.first(SOME)
        if text is not None and documents:
            tokens = [sum(len(text._encoder.tokens(part)) for part in document.texts) for document in documents]
            return max(float(np.mean(tokens)), 1.0)
        return self._written_length

    @property
    def chosen_(self) -> dict[str, Any]:
        """What was chosen by leave-one-out, and its figures there, a little optimistic since it was chosen by them."""
        worth, parts = self._worth(), self._parts
        columns = dict.fromkeys(parts.kinds, 0.0)
        for part in parts.names:
            for name, by in zip(parts.columns(part), worth.by(part, parts.columns(part)).tolist(), strict=True):
                columns[name] += worth.worth[part] * by
        settings = [setting for part, (setting, _) in deriving.GRIDS.items() if part in parts.names]
        return {
            **{setting: getattr(worth, setting) for setting in settings},
            "worth": dict(worth.worth),
            "columns": columns,
            "floor": worth.floor,
            "loo_log_loss": worth.loo_log_loss,
            "loo_accuracy": worth.loo_accuracy,
            "loo_rows": worth.rows,
        }

    @property
    def aged_(self) -> bool:
        """Whether records came or went since the reading was derived."""
        self._worth()
        return self._aged if self._parts.alone is None else self._parts.alone.text.aged_
