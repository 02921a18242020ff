"""TextReading: how the counts of a text classifier are read, derived when it is first needed."""

from __future__ import annotations

from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayleaf.encoders.text import TextEncoder
from bayleaf.errors import BayleafError, MismatchError, NegativeCountError
from bayleaf.estimators.copied import Copied
from bayleaf.estimators.labelling import known_codes, labels
from bayleaf.families import Prior
from bayleaf.families.evidence import EvidenceTable
from bayleaf.tally import KeyedCounts
from bayleaf.text.batches import whole
from bayleaf.text.choice import Choice
from bayleaf.text.evidence import ALPHA, EvidenceReader
from bayleaf.text.jobs import jobs
from bayleaf.text.keytable import KeyTable
from bayleaf.text.sample import Sample
from bayleaf.text.textbook import LIFTS, TextbookReader

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Ints
    from bayleaf.tally.keyed import Fields
    from bayleaf.text.sample import Document

Settings = tuple[tuple[Any, ...], Prior]

READING = ("family", "alpha", "smoothing", "temperature", "table")  # parameters that decide how counts are read
AS_READ = attrgetter(*READING)


class TextReading(Copied):
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
    _aged: bool
    _ready: EvidenceReader | TextbookReader | None
    _read_as: Settings | None = None  # of the reading that was derived last

    def __sklearn_is_fitted__(self) -> bool:
        return "_tally" in self.__dict__

    def __getstate__(self) -> dict[str, Any]:
        state = {**super().__getstate__(), "_ready": None}
        if not self.__sklearn_is_fitted__():
            return state
        return {**state, "_tally": self._tally.arrays(), "_counted": self._tally.settings}

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        arrays, counted = state.pop("_tally", None), state.pop("_counted", None)
        super().__setstate__(state)
        if arrays is not None:  # as they were counted: parameters may have been changed since
            self._tally = KeyedCounts(self._encoder, len(self.classes_), **counted)
            self._tally.fill(arrays)

    def _detach(self) -> None:
        self._tally, self._sample, self._ready = self._tally.copy(), self._sample.copy(), None

    def _empty(self, k: int) -> KeyedCounts:
        """Counts of nothing."""
        return KeyedCounts(self._encoder, k, self._lift(), buckets=self.buckets, named=self.keep_text)

    @property
    def _documents(self) -> int:
        """How many texts are counted."""
        return int(self._tally.documents.sum()) if self.__sklearn_is_fitted__() else 0

    def _lift(self) -> str:
        return LIFTS.get(self.family, EvidenceReader.lift)

    def _prior(self) -> Prior:
        if self.family == "complement" and self.class_prior is None:
            return Prior("ignored")  # Rennie et al.: the score alone
        return Prior.of(self.fit_prior, self.class_prior)

    def _read(
        self, derived: EvidenceTable | Choice | None, before: EvidenceReader | TextbookReader | None = None
    ) -> EvidenceReader | TextbookReader:
        """The counts as they are, read by what was derived or by what everything starts with.

        `before`: another reader of the same counts, whose table serves this one too.
        """
        prior = self._prior()
        prior.log(np.zeros(len(self.classes_)))  # refuses priors that do not fit the labels
        if self.family != "evidence":
            parameters = self.alpha, self.temperature, self.smoothing
            choice = derived if isinstance(derived, Choice) else Choice.start(*parameters)
            keys = before.table if isinstance(before, TextbookReader) else KeyTable(self._tally)
            return TextbookReader(keys, self.family, self.smoothing, choice, prior)
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
        alpha = ALPHA if self.alpha is None else float(self.alpha)
        return EvidenceReader(self._tally, table, alpha, prior, leans=self.table != "kinds")

    def _refuse_together(self) -> None:
        """Refuse parameters that make no sense beside this family."""
        if self.family == "bernoulli" and self.buckets is not None:
            raise BayleafError(
                f"Found buckets={self.buckets} with family='bernoulli', expected none: words of a text that share a "
                "bucket would count it twice. Leave one out, or take family='boolean'"
            )
        if self.family != "evidence" and isinstance(self.table, EvidenceTable):
            raise BayleafError(
                f"Found an evidence table with family={self.family!r}, expected table='auto': textbook families read "
                "none. Leave it out, or take family='evidence'"
            )
        if self.family != "evidence":
            return
        if isinstance(self.alpha, str) or self.alpha == 0:
            raise BayleafError(
                f"Found alpha={self.alpha!r}, expected a number above 0: the evidence table needs some smoothing, and "
                "chooses the rest itself. Leave it out, or take a textbook family"
            )
        for name, start in (("smoothing", "lidstone"), ("temperature", "auto")):
            if getattr(self, name) != start:
                raise BayleafError(
                    f"Found {name}={getattr(self, name)!r}, expected {start!r}: the evidence table chooses that "
                    "itself. Leave it out, or take a textbook family"
                )

    def _settings(self) -> Settings:
        """The parameters that decide how counts are read, as they are now."""
        return AS_READ(self), self._prior()

    def _adopt(self, settings: Settings) -> None:
        """Take parameters in that were changed since the last answer: the counts stay, the reading is derived anew."""
        if self._read_as is not None:
            changed, table = settings[0] != self._read_as[0], self._read_as[0][-1]
            given = self.family == "evidence" and (self.table == table or isinstance(self.table, EvidenceTable))
            if changed and self._stands_for_all():
                self._derived = None
            elif changed and not given:
                raise BayleafError(
                    f"Found one of {READING} changed, and {len(self._sample)} learned texts retained of "
                    f"{self._documents}, too few to derive the reading anew. Pass some of those that were learned to "
                    "retune, or set it back"
                )
        self._read_as, self._ready = settings, None

    def _refuse_parameters(self) -> None:
        """Refuse those that make no sense together, or under which the texts would have been counted otherwise."""
        self._refuse_together()
        self._prior().refuse_fewer(len(self.classes_))
        counted = self._tally.settings["lift"]
        if self._lift() != counted:
            raise MismatchError(
                f"The texts were counted as {counted!r}, not {self._lift()!r}; fit again with this family"
            )
        same = {
            "encoder": TextEncoder.of(self.encoder) == self._encoder,
            "buckets": self.buckets == self._tally.settings["buckets"],
            "keep_text": self._tally.settings["named"] or not self.keep_text,
        }
        changed = [f"{name}={getattr(self, name)!r}" for name, kept in same.items() if not kept]
        if changed:
            raise MismatchError(f"The texts were not counted with {changed[0]}; fit again with it, or set it back")

    def _reader(self) -> EvidenceReader | TextbookReader:
        """The reader in use; what it goes by is derived again when there are twice as many documents as then."""
        if not self.__sklearn_is_fitted__():
            check_is_fitted(self)  # which raises, and would take a tenth of the time of a short text otherwise
        self._accept()
        if (settings := self._settings()) != self._read_as:
            self._adopt(settings)
        if self._ready is None:
            before, doubled = None, self._documents >= 2 * self._derived_at
            if self._derived is None or (doubled and self._stands_for_all()):
                before = self._derive(self._sample)
            self._ready = self._read(self._derived, before)
        self._ready.jobs = jobs(self.n_jobs)  # which may be another than last time
        return self._ready

    def _stands_for_all(self) -> bool:
        """Whether the retained texts tell of all learned ones; after loading there are only those learned since."""
        return self._sample.tells(self.classes_, self._tally.documents)

    def _derive(self, sample: Sample) -> EvidenceReader | TextbookReader:
        """Derives the numbers anew and returns the reader that was asked for them."""
        reader = self._read(None)
        reader.jobs = jobs(self.n_jobs)
        documents = sample.first(reader.most())
        if len(self.classes_) > 1 and documents and not isinstance(self.table, EvidenceTable):
            try:
                self._derived = reader.tuned(*self._learned(documents))
            except NegativeCountError:
                if sample is not self._sample:
                    raise
                self._derive_from_rest(reader, documents)
        else:
            self._derived = reader.derived
        self._derived_at, self._aged, self._ready, self._read_as = self._documents, False, None, self._settings()
        return reader

    def _learned(self, documents: list[Document]) -> tuple[Fields, Ints, Array | None]:
        """Texts, class numbers and groups of documents; copies of a text are a group: one would tell of the other."""
        columns = [list(column) for column in zip(*(d.texts for d in documents), strict=True)]
        codes = self._codes(np.array([d.label for d in documents], dtype=self.classes_.dtype))
        places = np.array([d.place for d in documents], dtype=np.uint64)
        copies = self.family == "evidence" and len(np.unique(places)) < len(places)
        grouped = copies or any(d.place != d.fingerprint for d in documents)
        return (self._tags or [""], columns), codes, places if grouped else None

    def _derive_from_rest(self, reader: EvidenceReader | TextbookReader, documents: list[Document]) -> None:
        """Retained documents can be gone: counts are also taken away by unlearning other texts of the same tokens."""
        rest = []
        for _, group in groupby(documents, key=lambda document: document.place):
            some = list(group)
            with suppress(NegativeCountError):
                reader.loo(*self._learned(some))
                rest += some
        self._sample = Sample.of(rest, whole=False)
        try:
            self._derived = reader.tuned(*self._learned(rest)) if rest else self._derived or reader.derived
        except NegativeCountError:
            self._sample, self._derived = Sample(whole=False), self._derived or reader.derived

    def _codes(self, y: Any) -> Ints:
        """Class numbers of known labels."""
        return known_codes(labels(self, y), self.classes_)

    def _fields(self, X: Any) -> Fields:
        fields = whole(self._encoder, X)
        self._known(fields[0])
        return fields

    def _known(self, tags: list[str]) -> None:
        """Refuse fields that are not those learned."""
        if self._tags is not None and tags != self._tags:
            found, known = (_fields(some) for some in (tags, self._tags))
            raise MismatchError(f"Found {found}, expected {known}; pass what was learned")

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
        return self._aged


def _fields(tags: list[str]) -> str:
    return "texts without fields" if tags == [""] else f"the fields {[tag.removesuffix(':') for tag in tags]}"
