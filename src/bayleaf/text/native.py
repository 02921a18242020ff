"""The fast road of the vectorisers: scikit-learn's analyzers in native code, with the same result."""

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn import get_config
from sklearn.feature_extraction.text import CountVectorizer as SklearnCountVectorizer
from sklearn.utils._param_validation import Interval, StrOptions

from bayleaf._core import TextPlan, text_is_simple, text_stem
from bayleaf.encoders.characters import characters
from bayleaf.encoders.documents import batches
from bayleaf.encoders.expression import translate
from bayleaf.encoders.stopwords import languages, stop_words
from bayleaf.text.jobs import JOBS, jobs

_STEPS = ("build_analyzer", "build_preprocessor", "build_tokenizer", "_word_ngrams", "_char_ngrams", "_char_wb_ngrams")
_LONGEST = 2**31 - 1  # no document has more words
_OURS = {"stemmer", "skip_pairs", "n_jobs", "weighting"}  # parameters that scikit-learn does not have
WORDS = r"(?u)\b\w\w+\b"  # scikit-learn's tokens
_NEVER = r"\z."  # a pattern for plans that are only given tokens cut by Python

Vectorizer: Any = object  # scikit-learn's vectorisers, whose attributes the mixins use, come without types

EXTRA_CONSTRAINTS: dict[str, list[Any]] = {
    "stop_words": [StrOptions({"english", *languages()}), list, None],
    "stemmer": [str, None],
    "skip_pairs": [Interval(Integral, 0, 127, closed="both")],
    "n_jobs": JOBS,
}


class NativeAnalysis(Vectorizer):
    """Mixin: the plan of the native encoder for a vectoriser's parameters, and documents in the form it takes."""

    def _take(self, given: dict[str, Any], theirs: Any) -> None:
        """Keep what a constructor was given: our parameters here, scikit-learn's as it does."""
        names = given.keys() - {"self"}
        for name in names & _OURS:
            setattr(self, name, given[name])
        theirs.__init__(self, **{name: given[name] for name in names - _OURS})

    def get_stop_words(self) -> frozenset[str] | None:
        """Return the stop words in use: scikit-learn's "english", a built-in list by language code, or a given list."""
        if isinstance(self.stop_words, str) and self.stop_words in languages():
            names = ("preprocessor", "lowercase", "strip_accents", "tokenizer", "token_pattern")
            return _stop_tokens(self.stop_words, tuple((name, getattr(self, name)) for name in names))
        return super().get_stop_words()

    def _word_ngrams(self, tokens: list[str], stop_words: Any = None) -> list[str]:
        """The slow road's last step, with stemming after the stop words and skip pairs after the n-grams."""
        if self.stemmer is None and not self.skip_pairs:
            return super()._word_ngrams(tokens, stop_words)
        if stop_words is not None:
            tokens = [token for token in tokens if token not in stop_words]
        if self.stemmer is not None:
            tokens = [text_stem(self.stemmer, token) for token in tokens]
        low, high = self.ngram_range
        pairs = []
        for distance in range(1, self.skip_pairs + 1):
            if distance == 1 and low <= 2 <= high:
                continue
            gap = " " if distance == 1 else f" +{distance} "
            pairs += [a + gap + b for a, b in zip(tokens, tokens[distance:], strict=False)]
        return list(super()._word_ngrams(tokens)) + pairs

    def _signature(self) -> tuple[Any, ...]:
        """Everything the plan depends on."""
        stops = self.get_stop_words() if self.analyzer == "word" else None
        pattern = self.token_pattern if self.analyzer == "word" else r"\w+"
        settings = (self.analyzer, pattern, self.lowercase, self.strip_accents, tuple(self.ngram_range))
        return (*settings, self.skip_pairs, self.stemmer, None if stops is None else frozenset(stops))

    def _takes_the_slow_road(self) -> bool:
        """Whether Python callables or overridden steps have a say, or parameters that only Python understands."""
        given = (self.preprocessor, self.tokenizer)
        called = callable(self.analyzer) or callable(self.strip_accents) or any(part is not None for part in given)
        own = vars(NativeAnalysis).keys()
        changed = any(
            getattr(type(self), step) is not getattr(NativeAnalysis if step in own else SklearnCountVectorizer, step)
            or step in vars(self)
            for step in _STEPS
        )
        low, high = self.ngram_range
        whole = isinstance(low, Integral) and isinstance(high, Integral)
        return (
            called
            or changed
            or not whole
            or not 1 <= low <= high
            or (self.analyzer == "word" and self.token_pattern is None)
        )

    def _plan(self) -> TextPlan | None:
        """Return the native plan, or None for the slow road."""
        if self._takes_the_slow_road():
            return None
        return _plan_of(*self._signature())

    def _documents(self, source: Iterable[Any]) -> Iterator[list[str | list[str]]]:
        """Yield batches of texts, or of token lists where only Python's `re` finds the same tokens."""
        analyze = self.build_analyzer()  # also raises and warns about bad parameters as scikit-learn does
        cut = self._python_cut()
        plain = self.input == "content" and type(self).decode is SklearnCountVectorizer.decode
        for batch in batches(source, whole=plain and cut is None):
            ready = plain and all(type(text) is str for text in batch)
            texts = batch if ready else [self._text(x, analyze) for x in batch]
            yield texts if cut is None else [cut(text) for text in texts]

    def _text(self, document: Any, analyze: Callable[[Any], list[Any]]) -> str:
        text = self.decode(document)
        if not isinstance(text, str):
            analyze(document)  # fails as scikit-learn does
            raise TypeError(f"documents must be str or bytes, found {type(text).__name__}")
        return text

    def _python_cut(self) -> Callable[[str], str | list[str]] | None:
        """Return what cuts the texts that the native engine would cut differently, or None if there are none."""
        if self.analyzer != "word" or text_is_simple(self.token_pattern):
            return None
        native = translate(self.token_pattern)
        find, prepare = re.compile(self.token_pattern).findall, self.build_preprocessor()
        if native is None:
            return lambda text: find(prepare(text))
        agrees = str.isascii if native.ascii_only else is_valid
        return lambda text: text if agrees(text) else find(prepare(text))

    def _csr(self, starts: Any, columns: Any, values: Any, width: int) -> Any:
        """Rows as scikit-learn is set to give them: 32-bit indices as long as they suffice."""
        index = np.int64 if starts[-1] > np.iinfo(np.int32).max else np.int32
        arrays = (values, columns.astype(index, copy=False), starts.astype(index, copy=False))
        kind = sp.csr_array if get_config()["sparse_interface"] == "sparray" else sp.csr_matrix
        return kind(arrays, shape=(len(starts) - 1, width), dtype=self.dtype)

    def _threads(self) -> int:
        return jobs(self.n_jobs)


@functools.lru_cache(maxsize=32)
def _plan_of(
    analyzer: str,
    pattern: str,
    lowercase: bool,
    accents: str | None,
    ngrams: tuple[int, int],
    skip: int,
    stemmer: str | None,
    stops: frozenset[Any] | None,
) -> TextPlan:
    if not text_is_simple(pattern):
        native = translate(pattern)
        pattern = _NEVER if native is None else native.pattern
    low, high = ngrams
    return TextPlan(
        analyzer=analyzer,
        pattern=pattern,
        lowercase=bool(lowercase),
        strip_accents=accents,
        ngrams=(min(low, _LONGEST), min(high, _LONGEST)),
        skip=skip if analyzer == "word" else 0,
        stop_words=[word.encode("utf-8", "surrogatepass") for word in stops or () if isinstance(word, str)],
        stemmer=stemmer if analyzer == "word" else None,
        unspaced=False,
        chars=characters(accents is not None),
    )


@functools.lru_cache(maxsize=32)
def _stop_tokens(language: str, steps: tuple[tuple[str, Any], ...]) -> frozenset[str]:
    """The stop words of a language and what these steps make of them: "fur" for "für", "don" for "don't"."""
    vectorizer = SklearnCountVectorizer(**dict(steps))
    prepare, cut = vectorizer.build_preprocessor(), vectorizer.build_tokenizer()
    words = stop_words(language)
    return words | {token for word in words for token in cut(prepare(word))}


def is_valid(text: str) -> bool:
    """Whether it is free of lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
