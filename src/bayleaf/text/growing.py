"""A vocabulary that is native inside, a dictionary outside, and grows."""

import functools
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import _fit_context
from sklearn.feature_extraction.text import CountVectorizer as SklearnCountVectorizer

from bayleaf._core import TextTerms
from bayleaf.encoders.documents import unwrapped
from bayleaf.text.native import Vectorizer


class Vocabulary(dict[str, int]):
    """A dictionary that counts how often it was changed: looking for that would take longer than a document."""

    changes = 0


def _counted(change: Any) -> Any:
    @functools.wraps(change)
    def changed(self: Vocabulary, *given: Any, **named: Any) -> Any:
        self.changes += 1
        return change(self, *given, **named)

    return changed


for _name in ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update"):
    setattr(Vocabulary, _name, _counted(getattr(dict, _name)))


class GrowingVocabulary(Vectorizer):
    """Mixin: `vocabulary_` as a dictionary made on demand, and `partial_fit`.

    The native terms answer `transform`. They are made anew from the dictionary when another one is set (of which a copy
    is kept), when it is changed or when the parameters are.
    """

    _terms: TextTerms | None = None
    _vocabulary: Vocabulary | None = None
    _key: tuple[Any, ...] | None = None
    _pruned = False  # whether the native terms hold some that have no column

    @property
    def vocabulary_(self) -> dict[str, int]:
        """A mapping of terms to columns."""
        if self._vocabulary is None:
            if self._terms is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute 'vocabulary_'")
            self._vocabulary = Vocabulary(self._terms.vocabulary())
        return self._vocabulary

    @vocabulary_.setter
    def vocabulary_(self, value: Any) -> None:
        native = isinstance(value, TextTerms)
        self._terms, self._vocabulary = (value, None) if native else (None, Vocabulary(value))
        self._key = self._state() if native else None

    @vocabulary_.deleter
    def vocabulary_(self) -> None:
        self._terms = self._vocabulary = None

    def _native_terms(self, plan: Any) -> TextTerms:
        """Return native terms that agree with the dictionary and the parameters."""
        if self._terms is None or self._key != self._state():
            columns = self.vocabulary_
            names = sorted(columns, key=columns.__getitem__)
            strange = next((name for column, name in enumerate(names) if columns[name] != column), None)
            if strange is not None:
                raise ValueError(
                    f"found column {columns[strange]} for {str(strange)[:80]!r} in vocabulary_, expected the columns 0 "
                    f"to {len(names) - 1}, each once; number them anew"
                )
            self._terms = TextTerms(plan, [str(name).encode("utf-8", "surrogatepass") for name in names])
            self._key = self._state()
        return self._terms

    def _state(self) -> tuple[Any, ...]:
        """What native terms depend on."""
        return self._signature(), getattr(self._vocabulary, "changes", 0)  # none in pickles of before

    def _check_vocabulary(self) -> None:
        if self._vocabulary is None and self._terms is not None:
            return
        super()._check_vocabulary()

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the terms by column."""
        self._check_vocabulary()
        if self._vocabulary is None and self._terms is not None:
            return np.asarray(self._terms.names(), dtype=object)
        return super().get_feature_names_out(input_features)

    def __getstate__(self) -> dict[str, Any]:
        if self._terms is not None:
            self.vocabulary_  # noqa: B018 - the dictionary is what is stored
        state = super().__getstate__().copy()
        state.pop("_terms", None)
        state.pop("_key", None)
        return state

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, raw_documents: Any, y: Any = None) -> Any:
        """Learn more documents: terms not seen before get columns behind the present ones, sorted among themselves.

        Columns never move, so what was transformed before stays valid. `min_df`, `max_df` and `max_features` need all
        documents at once and are refused here.
        """
        self._grow(raw_documents)
        return self

    def _grow(self, raw_documents: Any) -> Any:
        """Learn more documents and return their counts."""
        if isinstance(raw_documents, str):
            raise ValueError("Iterable over raw text documents expected, string object received.")
        # 1 is one document, 1.0 is all of them.
        limits = [(limit, isinstance(limit, Integral)) for limit in (self.min_df, self.max_df)]
        if limits != [(1, True), (1.0, False)] or self.max_features is not None:
            raise ValueError(
                "partial_fit keeps every term, found min_df, max_df or max_features other than their defaults; "
                "use fit, or drop rare terms afterwards"
            )
        if self.vocabulary is not None or (self._terms is None and self._vocabulary is None):
            return SklearnCountVectorizer.fit_transform(self, raw_documents)
        plan = self._plan()
        if plan is None:
            return self._grow_slowly(raw_documents)
        if self._pruned:
            self.vocabulary_, self._pruned = self.vocabulary_, False  # anew: what was dropped would come back
        terms = self._native_terms(plan)
        self._vocabulary = None
        self._key = self._state()
        try:
            return self._learn(terms, raw_documents)
        except BaseException:
            self.vocabulary_ = terms.vocabulary()  # without the terms of the documents before the bad one
            raise

    def _width(self) -> int:
        """How many terms have columns; 0 before any are learned."""
        if self._vocabulary is not None:
            return len(self._vocabulary)
        return 0 if self._terms is None else self._terms.width

    def _shrink(self, width: int) -> None:
        """Forget the terms that came after the first so many: columns never move."""
        if width:
            self.vocabulary_ = {term: column for term, column in self.vocabulary_.items() if column < width}
        else:
            del self.vocabulary_

    def _grow_slowly(self, raw_documents: Any) -> Any:
        """Learn by scikit-learn's road; each document is read once: a file has nothing more to give a second time."""
        analyze = self.build_analyzer()
        documents = [list(analyze(document)) for document in unwrapped(raw_documents)]
        known = dict(self.vocabulary_)  # a copy of this vectoriser may hold the one there is
        for term in sorted({term for terms in documents for term in terms} - known.keys()):
            known[term] = len(known)
        self.vocabulary_ = known
        counter = SklearnCountVectorizer(analyzer=list, vocabulary=self.vocabulary_, dtype=self.dtype)
        return counter.transform(documents)
