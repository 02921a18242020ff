"""HashingVectorizer: scikit-learn's, at native speed and with the same hashes."""

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import HashingVectorizer as SklearnHashingVectorizer

from bayleaf._core import text_hashed_rows
from bayleaf.encoders.documents import unwrapped
from bayleaf.errors import BayleafError
from bayleaf.text.native import EXTRA_CONSTRAINTS, WORDS, NativeAnalysis, is_valid
from bayleaf.text.weights import normalised


class HashingVectorizer(NativeAnalysis, SklearnHashingVectorizer):
    r"""Hash the terms of documents: same parameters and numbers as scikit-learn's HashingVectorizer.

    Beyond scikit-learn it has `stemmer`, `skip_pairs` and `n_jobs` of :class:`bayleaf.text.CountVectorizer`.

    Examples
    --------
    >>> from bayleaf.text import HashingVectorizer
    >>> HashingVectorizer(n_features=8, norm=None).transform(["dog cat snake dog"]).toarray()
    array([[ 0.,  0.,  0., -1.,  0., -2.,  0.,  1.]])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SklearnHashingVectorizer._parameter_constraints,
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
        n_features: int = 2**20,
        binary: bool = False,
        norm: str | None = "l2",
        alternate_sign: bool = True,
        dtype: Any = np.float64,
        stemmer: str | None = None,
        skip_pairs: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self._take(locals(), SklearnHashingVectorizer)

    def transform(self, X: Any) -> Any:
        """Return the rows of hashed terms."""
        if isinstance(X, str):
            raise ValueError("Iterable over raw text documents expected, string object received.")
        self._validate_ngram_range()
        plan = self._plan()
        if plan is None:
            return super().transform(unwrapped(X))
        parts = [self._rows(plan, batch) for batch in self._documents(X)]
        if not parts:
            return super().transform(X)  # refuses an empty sequence in scikit-learn's words
        rows = parts[0] if len(parts) == 1 else sp.vstack(parts, format="csr")
        if self.binary:
            rows.data.fill(1)
        return normalised(rows, self.norm)

    def _rows(self, plan: Any, batch: list[Any]) -> Any:
        if self.analyzer != "word" or self.token_pattern != WORDS:
            # Terms may hold lone surrogates, which have no UTF-8 form and so no hash: fails as scikit-learn does.
            analyze = self.build_analyzer()
            for text in batch:
                if not is_valid("".join(text)):
                    " ".join(text if isinstance(text, list) else analyze(text)).encode()
        kind = np.dtype(self.dtype).kind
        signed = self.alternate_sign and kind != "b"  # a truth value says that a term is there, whatever its sign
        starts, columns, values = text_hashed_rows(plan, batch, self.n_features, signed, self._threads())
        if kind == "u" and (values < 0).any():
            raise BayleafError(
                f"Found a term of negative sign, which dtype={np.dtype(self.dtype).name} cannot hold; expected a type "
                "with negative numbers. Take one, or set alternate_sign=False"
            )
        return self._csr(starts, columns, values, self.n_features)
