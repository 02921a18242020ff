"""TfidfVectorizer: counts and weights in one, at native speed."""

from copy import copy
from typing import Any, ClassVar

import numpy as np
from sklearn.base import _fit_context
from sklearn.feature_extraction.text import CountVectorizer as SklearnCountVectorizer
from sklearn.feature_extraction.text import TfidfVectorizer as SklearnTfidfVectorizer
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from bayleaf.text.count import CountVectorizer
from bayleaf.text.native import EXTRA_CONSTRAINTS, WORDS
from bayleaf.text.weights import FLOATS, TfidfTransformer


class TfidfVectorizer(CountVectorizer, SklearnTfidfVectorizer):
    r"""Weigh the terms of documents: same parameters, attributes and numbers as scikit-learn's TfidfVectorizer.

    Beyond scikit-learn it has the parameters of :class:`bayleaf.text.CountVectorizer` and `weighting` of
    :class:`bayleaf.text.TfidfTransformer`, and `partial_fit`.

    Examples
    --------
    >>> from bayleaf.text import TfidfVectorizer
    >>> TfidfVectorizer().fit_transform(["ham ham eggs", "ham"]).toarray().round(3)
    array([[0.575, 0.818],
           [0.   , 1.   ]])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SklearnTfidfVectorizer._parameter_constraints,
        **EXTRA_CONSTRAINTS,
        "weighting": [StrOptions({"sklearn", "lecture"})],
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
        analyzer: Any = "word",
        stop_words: Any = None,
        token_pattern: str | None = WORDS,
        ngram_range: tuple[int, int] = (1, 1),
        max_df: float = 1.0,
        min_df: float = 1,
        max_features: int | None = None,
        vocabulary: Any = None,
        binary: bool = False,
        dtype: Any = np.float64,
        norm: str | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
        stemmer: str | None = None,
        skip_pairs: int = 0,
        n_jobs: int | None = None,
        weighting: str = "sklearn",
    ) -> None:
        self._take(locals(), SklearnTfidfVectorizer)

    def _weights(self) -> TfidfTransformer:
        names = ("norm", "use_idf", "smooth_idf", "sublinear_tf", "weighting")
        return TfidfTransformer(**{name: getattr(self, name) for name in names})

    @property
    def idf_(self) -> np.ndarray:
        """Inverse document frequencies; only with `use_idf`."""
        return SklearnTfidfVectorizer.idf_.fget(self)

    @idf_.setter
    def idf_(self, value: Any) -> None:
        if self.use_idf and not hasattr(self, "_tfidf"):
            self._tfidf = self._weights()
        SklearnTfidfVectorizer.idf_.fset(self, value)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, raw_documents: Any, y: Any = None) -> "TfidfVectorizer":
        """Learn vocabulary and document frequencies."""
        self._check_params()
        self._warn_for_unused_params()
        self._anew(raw_documents)
        return self

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """Learn vocabulary and document frequencies, return the weighted rows."""
        self._check_params()
        return self._weighed(self._anew(raw_documents))

    def transform(self, raw_documents: Any) -> Any:
        """Return the weighted rows."""
        check_is_fitted(self, msg="The TF-IDF vectorizer is not fitted")
        return self._weighed(CountVectorizer.transform(self, raw_documents))

    def _weighed(self, X: Any) -> Any:
        width = getattr(self._tfidf, "n_features_in_", X.shape[1])  # unknown where only idf_ was set
        ours = X.shape[0] and X.dtype in FLOATS and X.shape[1] == width
        return self._tfidf._weighed(X) if ours else self._tfidf.transform(X, copy=False)

    def _anew(self, raw_documents: Any) -> Any:
        """Learn vocabulary and weights, which belong together: both or none. Return the counts."""
        before, weights = self.__dict__.copy(), self._weights()
        try:
            X = SklearnCountVectorizer.fit_transform(self, raw_documents)
            self._tfidf = weights.fit(X)
        except BaseException:
            self.__dict__ = before
            raise
        return X

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, raw_documents: Any, y: Any = None) -> "TfidfVectorizer":
        """Learn more documents: the vocabulary grows, the document frequencies add up."""
        known = self._width()
        try:
            X = self._grow(raw_documents)
            if self.binary:
                X.data.fill(1)
            asked = self._weights()
            # A copy, since a copy of this vectoriser may hold the one there is; by the parameters as they are now.
            weights = copy(self._tfidf).set_params(**asked.get_params()) if hasattr(self, "_tfidf") else asked
            self._tfidf = weights.partial_fit(X)
        except BaseException:
            self._shrink(known)  # to the terms that the weights are of
            raise
        return self
