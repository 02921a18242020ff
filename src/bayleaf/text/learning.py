"""TextLearning: fit, partial_fit, unlearn, merge and retune of the text classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted
from tqdm import tqdm

from bayleaf.encoders.text import TextEncoder
from bayleaf.errors import BayleafError, MismatchError
from bayleaf.estimators.labelling import codes_of, known_codes, labels
from bayleaf.estimators.summed import Summed
from bayleaf.families.evidence import EvidenceTable
from bayleaf.meanwhile import Meanwhile
from bayleaf.model import united
from bayleaf.tally.keyed import CLASSES
from bayleaf.text.batches import Documents, batches, is_held
from bayleaf.text.jobs import jobs
from bayleaf.text.numbered import Numbered
from bayleaf.text.reading import READING, TextReading
from bayleaf.text.sample import Sample, too_few

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Ints


class TextLearning(Summed, TextReading):
    """Adds texts to the counts, takes them away, or adds another's; keeps a sample to derive the reading from."""

    def fit(self, X: Any, y: Any, groups: Any = None) -> Self:
        """Forget everything, learn these texts and derive how to read them.

        Parameters
        ----------
        X : texts
            A list or iterator of str, a column of a data frame, or a mapping (data frame) of field name to such
            columns.
        y : labels
            A list, array or iterator, one label per text.
        groups : list, optional
            Texts of one group (a thread, an author) are left out together when the reading is derived.

        Returns
        -------
        self
        """
        with self._all_or_nothing():
            self._start()
            self._learn(X, y, groups, [])
            if not len(self.classes_):
                raise BayleafError("Found no texts; expected at least one. Pass texts and their labels")
            self.retune()
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, groups: Any = None) -> Self:
        """Learn these texts on top of what is known; unknown labels are taken in, `classes` may name them beforehand.

        A list is learned whole or, if it is refused or interrupted, not at all; of an iterator, what came before is.
        """
        before, seen = dict(self.__dict__), self._documents
        done: list[tuple[Documents, Ints]] = []
        try:
            if not self.__sklearn_is_fitted__():
                self._start()
            self._accept()
            if classes is not None:
                self._grow(labels(self, classes))
            self._learn(X, y, groups, done)
            if not len(self.classes_):
                raise BayleafError("Found neither texts nor classes; expected some. Pass texts and their labels")
        except BaseException:
            self._undo(done, 1, seen)
            if self._documents == seen:
                self._restore(before)
            raise
        return self

    def _start(self) -> None:
        self._validate_params()
        self._refuse_together()
        self._encoder = TextEncoder.of(self.encoder)
        self.classes_ = np.array([], dtype=np.int64)
        self._tally = self._empty(0)
        self._sample, self._tags = Sample(), None
        self._derived, self._derived_at, self._aged, self._ready, self._read_as = None, 0, False, None, None
        self._accepted = True

    def _learn(self, X: Any, y: Any, groups: Any, done: list[tuple[Documents, Ints]]) -> None:
        """Count the texts; `done` is given the batches of those that are in memory, before each is counted."""
        if hasattr(y, "__len__") and len(y):
            y = Numbered.of(self, y)
            self._grow(y.names)  # at once: every new label moves the counts of all keys
        held = is_held(X)
        # Lists are soon counted, and whoever hands on parts of a long stream has a bar of its own (`bayleaf train`).
        progress = tqdm(unit=" documents", disable=held or None, delay=1.0, leave=False)
        with progress, Meanwhile(threaded=not held and jobs(self.n_jobs) != 1) as counting:
            for batch in batches(self, self._encoder, X, y, groups):
                counting.wait()
                self._check_tags(batch.fields[0])
                codes = self._grown_codes(batch.labels)
                if held:
                    done.append((batch, codes))
                counting.start(self._count, batch, codes)
                progress.update(len(batch.labels))

    def _count(self, batch: Documents, codes: Ints) -> None:
        prints = self._tally.learn(batch.fields, codes, 1, jobs(self.n_jobs))
        self._aged, self._ready = True, None
        self._sample.add(batch.fields[1], batch.labels.tolist(), prints, batch.groups)

    def _undo(self, done: list[tuple[Documents, Ints]], sign: int, seen: int) -> None:
        """Count batches back, of which those were counted that make up the texts since `seen`."""
        for batch, codes in done:
            if self._documents != seen:
                prints = self._tally.learn(batch.fields, codes, -sign, jobs(self.n_jobs))
                if sign > 0:
                    self._sample.remove(batch.labels.tolist(), prints, batch.groups)

    def _grown_codes(self, given: Numbered) -> Ints:
        """Class numbers of labels; unknown ones are taken in."""
        self._grow(given.names)
        return codes_of(given.names, self.classes_)[0][given.numbers]

    def _check_tags(self, tags: list[str]) -> None:
        if self._tags is None:
            self._tags = tags
        self._known(tags)

    def _grow(self, found: Array) -> None:
        wider = united(self.classes_, np.unique(found)) if len(self.classes_) else np.unique(found)
        if len(wider) == len(self.classes_):
            return
        self._prior().refuse_fewer(len(wider))
        if len(wider) > CLASSES:
            raise BayleafError(
                f"Found {len(wider)} labels, expected at most {CLASSES}; texts need classes, not numbers"
            )
        places = np.searchsorted(wider, self.classes_).tolist() if len(self.classes_) else []
        self._tally = self._tally.regrouped(places, len(wider))
        if isinstance(self._derived, EvidenceTable):
            self._derived = self._derived.relabelled(places, len(wider))
        self.classes_, self._ready = wider, None

    def unlearn(self, X: Any, y: Any, groups: Any = None) -> Self:
        """Take texts away that were learned before; the counts are exactly back where they were.

        Refuses, and changes nothing, where a count would fall below zero: such texts were never learned. `groups` says
        which of several copies of a text is meant, where these were learned in different groups.
        """
        check_is_fitted(self)
        self._accept()
        done: list[tuple[Documents, Ints]] = []
        prints: list[Ints] = []
        seen = self._documents
        try:
            for batch in batches(self, self._encoder, X, y, groups):
                self._known(batch.fields[0])
                done.append((batch, known_codes(batch.labels.names, self.classes_)[batch.labels.numbers]))
                prints.append(self._tally.learn(batch.fields, done[-1][1], -1, jobs(self.n_jobs)))
            self._aged, self._ready = True, None
            for (batch, _), some in zip(done, prints, strict=True):
                self._sample.remove(batch.labels.tolist(), some, batch.groups)
        except BaseException:
            self._undo(done, -1, seen)
            raise
        return self

    def _merged(self, other: Self, sign: int) -> Self:
        """The sum, or the difference: that keeps no texts, since some may have gone."""
        check_is_fitted(self)
        if not isinstance(other, TextLearning):
            raise MismatchError(f"Cannot merge with {type(other).__name__}; expected a {type(self).__name__}")
        check_is_fitted(other)
        tags = self._tags or other._tags  # none before the first text
        pairs = {
            "encoder": (self._encoder, other._encoder),
            "buckets": (self.buckets, other.buckets),
            "fields": (tags, other._tags or tags),
            **{name: (getattr(self, name), getattr(other, name)) for name in READING},
        }
        differ = [name for name, (mine, theirs) in pairs.items() if mine != theirs]
        if differ:  # without the values: the seed of an encoder may be a secret
            raise MismatchError(
                f"Cannot merge classifiers of different {' and '.join(differ)}; expected the same in both. Fit one of "
                "them again as the other was"
            )
        if sign < 0:
            self._reader()  # derived while the texts are there: the difference keeps none
        wider = united(self.classes_, other.classes_)
        merged, theirs = self._twin(), other._twin()
        merged._grow(wider)
        theirs._grow(wider)
        merged._tally = merged._tally + theirs._tally if sign > 0 else merged._tally - theirs._tally
        merged._tags, merged._aged, merged._ready = tags, True, None
        merged.keep_text = self.keep_text and other.keep_text
        merged._sample = self._sample.merged(other._sample) if sign > 0 else Sample(whole=False)
        if sign > 0 and theirs._derived_at > merged._derived_at:
            merged._derived, merged._derived_at = theirs._derived, theirs._derived_at
        return merged

    def forget_rare(self, below: int = 2) -> int:
        """Drop the keys that fewer than `below` texts hold, to save memory; returns how many.

        They are gone for good: a text that held one can neither be unlearned any more nor left out, so the texts that
        were retained for `retune` are let go as well.
        """
        self._reader()
        self._sample, self._aged, self._ready = Sample(whole=False), True, None
        return self._tally.drop_rare(below)

    def retune(self, X: Any = None, y: Any = None, groups: Any = None) -> Self:
        """Derive anew how the counts are read, from learned texts given here or else from those retained."""
        check_is_fitted(self)
        self._accept()
        sample = self._sample
        if X is not None:
            sample = Sample()
            for batch in batches(self, self._encoder, X, y, groups):
                self._known(batch.fields[0])
                known_codes(batch.labels.names, self.classes_)  # refuses others: as one of these they would be cut
                prints = self._encoder.keys.fingerprints(*batch.fields)
                sample.add(batch.fields[1], batch.labels.tolist(), prints, batch.groups)
        if not len(sample) or (X is None and not self._stands_for_all()):
            raise too_few(len(sample), self._documents, "texts")
        self._derive(sample)
        return self
