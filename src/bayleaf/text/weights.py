"""TfidfTransformer: scikit-learn's weights, and the lecture's."""

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.base import _fit_context
from sklearn.feature_extraction.text import TfidfTransformer as SklearnTfidfTransformer
from sklearn.feature_extraction.text import _document_frequency
from sklearn.preprocessing import normalize
from sklearn.utils._param_validation import StrOptions
from sklearn.utils._sparse import _align_api_if_sparse
from sklearn.utils.sparsefuncs_fast import inplace_csr_row_normalize_l1, inplace_csr_row_normalize_l2
from sklearn.utils.validation import check_is_fitted, validate_data

FLOATS = [np.float64, np.float32]
SHORTCUTS = {"l1": inplace_csr_row_normalize_l1, "l2": inplace_csr_row_normalize_l2}


class TfidfTransformer(SklearnTfidfTransformer, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """Weigh counts: same parameters, attributes and numbers as scikit-learn's TfidfTransformer.

    Beyond scikit-learn: `partial_fit`, for the document frequencies add up; and

    Parameters
    ----------
    weighting : {"sklearn", "lecture"}
        "lecture" is the text book's tf = n / length of the document, idf = log(N / df), and nothing else: `norm`,
        `smooth_idf` and `sublinear_tf` have no say. The length is that of the row: terms without a column, as stop
        words or words that were never learned, do not add to it. A term in no learned document counts as if it were
        in one.

    Examples
    --------
    >>> from bayleaf.text import TfidfTransformer
    >>> counts = [[3, 1], [2, 0]]
    >>> TfidfTransformer(weighting="lecture").fit_transform(counts).toarray().round(4)
    array([[0.    , 0.1733],
           [0.    , 0.    ]])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SklearnTfidfTransformer._parameter_constraints,
        "weighting": [StrOptions({"sklearn", "lecture"})],
    }

    def __init__(
        self,
        *,
        norm: str | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
        weighting: str = "sklearn",
    ) -> None:
        super().__init__(norm=norm, use_idf=use_idf, smooth_idf=smooth_idf, sublinear_tf=sublinear_tf)
        self.weighting = weighting

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> "TfidfTransformer":
        """Learn the document frequencies."""
        self._n_documents, self._frequency = 0, np.zeros(0, dtype=np.int64)
        return self._learn(X)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None) -> "TfidfTransformer":
        """Add more documents; the number of columns may have grown."""
        if not hasattr(self, "_frequency"):
            self._n_documents, self._frequency = 0, np.zeros(0, dtype=np.int64)
        self._learn(X)
        if not self.use_idf:
            self.__dict__.pop("idf_", None)  # of the time when it was wanted
        return self

    def _learn(self, X: Any) -> "TfidfTransformer":
        width = getattr(self, "n_features_in_", None)
        X = validate_data(self, X, accept_sparse=("csr", "csc"))
        X = X if sp.issparse(X) else sp.csr_array(X)
        if X.shape[1] < len(self._frequency):
            self.n_features_in_ = width
            raise ValueError(f"found {X.shape[1]} columns, expected at least the {len(self._frequency)} learned before")
        self._n_documents += X.shape[0]
        frequency = _document_frequency(X).astype(np.int64, copy=False)
        frequency[: len(self._frequency)] += self._frequency
        self._frequency = frequency
        if self.use_idf:
            self.idf_ = self._idf(np.dtype(X.dtype if X.dtype in FLOATS else np.float64))
        return self

    def _idf(self, dtype: np.dtype) -> np.ndarray:
        """log(N / df), for scikit-learn's weights smoothed and plus one; rounded at each step as scikit-learn does."""
        lecture = self.weighting == "lecture"
        smooth = 0 if lecture else int(self.smooth_idf)
        frequency = np.maximum(self._frequency, 1) if lecture else self._frequency
        frequency = frequency.astype(dtype) + dtype.type(smooth)
        idf = np.full_like(frequency, fill_value=self._n_documents + smooth)
        idf /= frequency
        np.log(idf, out=idf)
        if not lecture:
            idf += 1.0
        return idf

    def transform(self, X: Any, copy: bool = True) -> Any:
        """Return the weighted rows."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=FLOATS, copy=copy, reset=False)
        return self._weighed(X if sp.issparse(X) else sp.csr_array(X, dtype=X.dtype))

    def _weighed(self, X: Any) -> Any:
        """The same for rows of floats that need no looking through; they are changed in place."""
        lecture = self.weighting == "lecture"
        if lecture:
            lengths = np.asarray(X.sum(axis=1)).ravel()
            lengths[lengths == 0] = 1.0
            X.data /= np.repeat(lengths, np.diff(X.indptr)).astype(X.dtype, copy=False)
        elif self.sublinear_tf:
            np.log(X.data, X.data)
            X.data += 1.0
        if self.use_idf if lecture else hasattr(self, "idf_"):
            X.data *= self.idf_[X.indices]
        return _align_api_if_sparse(X if lecture else normalised(X, self.norm))


def normalised(X: Any, norm: str | None) -> Any:
    """Rows divided by their norm, in place if they are floats.

    Of scikit-learn's `normalize` nine tenths are looking through a row of its own making, 200 µs for a short text.
    What is infinite, as the idf of a term in no document is without `smooth_idf`, is left to it to refuse.
    """
    if norm in SHORTCUTS and X.shape[0] and X.dtype in FLOATS and np.isfinite(X.data).all():
        SHORTCUTS[norm](X)
        return X
    return X if norm is None else normalize(X, norm=norm, copy=False)
