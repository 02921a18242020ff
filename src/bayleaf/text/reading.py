"""TextReading: how the counts of a text classifier are read, derived when it is first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator

from bayleaf.errors import BayleafError, MismatchError
from bayleaf.estimators.door import codes_of, labels
from bayleaf.families import Prior
from bayleaf.families.evidence import EvidenceTable
from bayleaf.text.batches import whole
from bayleaf.text.evidence import ALPHA, EvidenceReader
from bayleaf.text.textbook import LIFTS, Choice, TextbookReader

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Ints
    from bayleaf.encoders.text import TextEncoder
    from bayleaf.tally import KeyedCounts
    from bayleaf.tally.keyed import Fields
    from bayleaf.text.sample import Sample

ENOUGH = 1_000  # documents of a sample that may replace a reading which was derived from more


class TextReading(BaseEstimator):
    """Counts, and what was derived about reading them. The counts are exact; the reading is not part of them."""

    encoder: Any
    family: str
    alpha: Any
    smoothing: Any
    fit_prior: bool
    class_prior: Any
    table: Any
    temperature: Any
    buckets: int | None
    keep_text: bool
    n_jobs: int | None
    classes_: Array
    _encoder: TextEncoder
    _tally: KeyedCounts
    _sample: Sample
    _tags: list[str] | None
    _derived: EvidenceTable | Choice | None
    _derived_at: int
    _ready: EvidenceReader | TextbookReader | None

    def __sklearn_is_fitted__(self) -> bool:
        return "_tally" in self.__dict__

    def _lift(self) -> str:
        return LIFTS.get(self.family, EvidenceReader.lift)

    def _prior(self) -> Prior:
        if self.class_prior is not None:
            return Prior("given", tuple(float(p) for p in self.class_prior))
        return Prior("empirical" if self.fit_prior else "uniform")

    def _read(self, derived: EvidenceTable | Choice | None) -> EvidenceReader | TextbookReader:
        """The counts as they are, read by what was derived or by what everything starts with."""
        prior = self._prior()
        prior.log(np.zeros(len(self.classes_)))  # refuses priors that do not fit the labels
        if self.family != "evidence":
            choice = derived if isinstance(derived, Choice) else Choice.start(self.alpha, self.temperature)
            return TextbookReader(self._tally, self.family, self.smoothing, choice, prior, self.n_jobs)
        if isinstance(self.alpha, str):
            raise BayleafError(
                'alpha="auto" is for the textbook families; the evidence table does its work. Leave it out'
            )
        if isinstance(self.table, EvidenceTable):
            derived = self.table
        table = (
            derived if isinstance(derived, EvidenceTable) else EvidenceTable.start(self._tally.orders, self._tally.k)
        )
        if (table.orders, len(table.offsets)) != (self._tally.orders, self._tally.k):
            raise MismatchError(
                f"The table is for orders {table.orders} and {len(table.offsets)} classes, expected "
                f"{self._tally.orders} and {self._tally.k}; take one that was fitted with the same encoder and labels"
            )
        return EvidenceReader(
            self._tally, table, ALPHA if self.alpha is None else float(self.alpha), prior, self.n_jobs
        )

    def _reader(self) -> EvidenceReader | TextbookReader:
        """The reader in use; what it goes by is derived again when there are twice as many documents as then."""
        if self._ready is None:
            documents = int(self._tally.documents.sum())
            held = len(self._sample.documents)
            old = 0 if self._derived is None else self._derived.documents
            if self._derived is None or (documents >= 2 * self._derived_at and held >= min(old, ENOUGH)):
                self._derive(self._sample)
            self._ready = self._read(self._derived)
        return self._ready

    def _derive(self, sample: Sample) -> None:
        reader = self._read(None)
        documents = sample.first(reader.most())
        if len(self.classes_) > 1 and documents and not isinstance(self.table, EvidenceTable):
            columns = [list(column) for column in zip(*(d.texts for d in documents), strict=True)]
            codes = self._codes(np.array([d.label for d in documents]))
            grouped = any(d.place != d.fingerprint for d in documents)
            places = np.array([d.place for d in documents], dtype=np.uint64) if grouped else None
            self._derived = reader.tuned((self._tags or [""], columns), codes, places)
        else:
            self._derived = reader.derived
        self._derived_at, self._ready = int(self._tally.documents.sum()), None

    def _codes(self, y: Any) -> Ints:
        """Class numbers of known labels."""
        given = labels(self, y)
        codes, strange = codes_of(given, self.classes_)
        if strange.any():
            raise BayleafError(f"Found the labels {np.unique(given[strange])}, expected some of {self.classes_}")
        return codes

    def _fields(self, X: Any) -> Fields:
        fields = whole(self._encoder, X)
        if self._tags is not None and fields[0] != self._tags:
            found, known = ([tag.removesuffix(":") for tag in tags] for tags in (fields[0], self._tags))
            raise MismatchError(f"Found the fields {found}, expected {known}; pass the fields that were learned")
        return fields

    @property
    def chosen_(self) -> dict[str, Any]:
        """What was chosen by leave-one-out, and its figures there."""
        return self._reader().chosen

    @property
    def table_(self) -> EvidenceTable | None:
        """The derived numbers; none for textbook families."""
        reader = self._reader()
        return reader.derived if isinstance(reader.derived, EvidenceTable) else None

    @property
    def aged_(self) -> bool:
        """Whether texts came or went since the reading was derived."""
        self._reader()
        return int(self._tally.documents.sum()) != self._derived_at
