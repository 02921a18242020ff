"""CountVectorizer: scikit-learn's, at native speed."""

from typing import Any, ClassVar

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer as SklearnCountVectorizer

from bayleaf._core import TextTerms
from bayleaf.encoders.documents import unwrapped
from bayleaf.text.growing import GrowingVocabulary
from bayleaf.text.native import EXTRA_CONSTRAINTS, WORDS, NativeAnalysis


class CountVectorizer(GrowingVocabulary, NativeAnalysis, SklearnCountVectorizer):
    r"""Count the terms of documents: same parameters, attributes and numbers as scikit-learn's CountVectorizer.

    Callables for preprocessor, tokenizer or analyzer work and take scikit-learn's own road. `partial_fit` lets the
    vocabulary grow: new terms get columns behind the present ones. `vocabulary_` is made when it is first read.

    Parameters
    ----------
    stop_words : {"english"}, str, list or None
        scikit-learn's list, the ISO 639-1 code of a language ("de", "fr", ...) for a built-in list, or words.
    stemmer : str or None
        Name of a Snowball algorithm ("english", "german", ...); tokens are stemmed after stop words are dropped.
    skip_pairs : int
        Each word is also paired with each of the next so many words; "new +2 york" says that york came two words after
        new. Neighbours are plain two-grams.
    n_jobs : int or None
        Number of threads (None: BAYLEAF_NUM_THREADS, else OMP_NUM_THREADS, else all cores). Results do not depend on
        it.

    Examples
    --------
    >>> from bayleaf.text import CountVectorizer
    >>> vectorizer = CountVectorizer(stemmer="english")
    >>> vectorizer.fit_transform(["retrieve, retrieving!", "The retrieval."]).toarray()
    array([[2, 0],
           [1, 1]])
    >>> vectorizer.get_feature_names_out()
    array(['retriev', 'the'], dtype=object)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SklearnCountVectorizer._parameter_constraints,
        **EXTRA_CONSTRAINTS,
    }

    def __init__(
        self,
        *,
        input: str = "content",
        encoding: str = "utf-8",
        decode_error: str = "strict",
        strip_accents: Any = None,
        lowercase: bool = True,
        preprocessor: Any = None,
        tokenizer: Any = None,
        stop_words: Any = None,
        token_pattern: str | None = WORDS,
        ngram_range: tuple[int, int] = (1, 1),
        analyzer: Any = "word",
        max_df: float = 1.0,
        min_df: float = 1,
        max_features: int | None = None,
        vocabulary: Any = None,
        binary: bool = False,
        dtype: Any = np.int64,
        stemmer: str | None = None,
        skip_pairs: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self._take(locals(), SklearnCountVectorizer)

    def _count_vocab(self, raw_documents: Any, fixed_vocab: bool) -> tuple[Any, Any]:
        """Count natively; the vocabulary comes as native terms, which `vocabulary_` takes as well."""
        plan = self._plan()
        if plan is None:
            return super()._count_vocab(unwrapped(raw_documents), fixed_vocab)
        if fixed_vocab:
            return self.vocabulary_ if self._terms is None else self._terms, self._look_up(raw_documents, plan)
        terms, self._pruned = TextTerms(plan), False
        X = self._learn(terms, raw_documents)
        if terms.width == 0:
            raise ValueError("empty vocabulary; perhaps the documents only contain stop words")
        return terms, X

    def _learn(self, terms: TextTerms, raw_documents: Any) -> Any:
        """Let the terms learn documents; return their counts."""
        terms.start(self._floats())
        for batch in self._documents(raw_documents):
            terms.learn(batch, self._threads())
        return self._matrix([terms.finish(self._threads())], terms.width)

    def _look_up(self, raw_documents: Any, plan: Any) -> Any:
        terms = self._native_terms(plan)
        parts = [terms.look_up(batch, self._floats(), self._threads()) for batch in self._documents(raw_documents)]
        return self._matrix(parts or [terms.look_up([], self._floats(), 1)], terms.width)

    def _floats(self) -> bool:
        return np.dtype(self.dtype) == np.float64

    def _matrix(self, parts: list[Any], width: int) -> Any:
        """Put rows together."""
        starts, columns, counts = parts[0]
        if len(parts) > 1:
            offsets = np.cumsum([0, *(len(part[1]) for part in parts)])
            starts = np.concatenate([starts[:1], *(p[0][1:] + o for p, o in zip(parts, offsets, strict=False))])
            columns, counts = (np.concatenate([part[i] for part in parts]) for i in (1, 2))
        return self._csr(starts, columns, counts, width)

    def _sort_features(self, X: Any, vocabulary: Any) -> Any:
        return X if isinstance(vocabulary, TextTerms) else super()._sort_features(X, vocabulary)

    def _limit_features(self, X: Any, vocabulary: Any, high: Any = None, low: Any = None, limit: Any = None) -> Any:
        """Drop too rare and too common terms, by scikit-learn's rule but without a loop over the vocabulary."""
        if not isinstance(vocabulary, TextTerms):
            return super()._limit_features(X, vocabulary, high, low, limit)
        if high >= X.shape[0] and low <= 1 and limit is None:
            return X  # every term is in at least one document and at most in all
        frequency = np.bincount(X.indices, minlength=X.shape[1])
        mask = (frequency <= high) & (frequency >= low)
        if limit is not None and mask.sum() > limit:
            totals = np.asarray(X.sum(axis=0)).ravel()
            best = (-totals[mask]).argsort()[:limit]
            mask = np.isin(np.arange(len(mask)), np.flatnonzero(mask)[best])
        if not mask.any():
            raise ValueError("After pruning, no terms remain. Try a lower min_df or a higher max_df.")
        vocabulary.keep(mask.astype(np.uint8).tobytes())
        self._pruned = True
        return X[:, np.flatnonzero(mask)]
