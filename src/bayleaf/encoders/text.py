"""TextEncoder: from texts to 64-bit keys, the same on every machine."""

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from numbers import Integral
from typing import Any, NamedTuple, Self
from unicodedata import normalize

from bayleaf._core import TextKeys, TextPlan
from bayleaf.encoders.documents import as_list
from bayleaf.encoders.stopwords import stop_words

FARTHEST = 127  # the order of a feature is one byte: n of an n-gram, 128 plus the distance of a skip pair

KINDS: dict[str, tuple[Any, str]] = {
    "pattern": (str, "a regular expression"),
    "lowercase": (bool, "True or False"),
    "strip_accents": (str | None, "'ascii', 'unicode' or None"),
    "analyzer": (str, "'word', 'char' or 'char_wb'"),
    "skip_pairs": (Integral, f"a whole number from 0 to {FARTHEST}"),
    "stemmer": (str | None, "the name of a Snowball algorithm, or None"),
    "unspaced": (bool, "True or False"),
    "presence": (bool, "True or False"),
    "seed": (Integral, "a whole number of 64 bits, 0 to 2**64 - 1"),
}

PRESETS: dict[str, dict[str, Any]] = {
    # Words and single marks with their pairs: the classifier's own recipe.
    "default": {},
    # The same without pairs: a quarter of the features; in the pilot within a point of the default except on reviews.
    "small": {"ngrams": (1, 1)},
    # scikit-learn's default tokens.
    "words": {"pattern": r"\b\w\w+\b", "ngrams": (1, 1), "unspaced": False},
    # Pairs up to four words apart, as spam filters have them.
    "sparse": {"ngrams": (1, 1), "skip_pairs": 4},
    # Three to five letters inside words, for short or misspelt texts.
    "letters": {"analyzer": "char_wb", "ngrams": (3, 5)},
}


class Encoded(NamedTuple):
    """The distinct features of documents, one document after the other; all but starts and tokens run in parallel.

    starts: document i has the features starts[i] to starts[i + 1]; keys: 64 bits; counts; first: number of the token
    at which it first occurs; orders: words in it (a skip pair: 128 + distance); parts: places, within the document, of
    all but its last word and of its last word (4294967295: none); tokens: number of tokens per document; names: text.
    """

    starts: Any
    keys: Any
    counts: Any
    first: Any
    orders: Any
    parts: Any
    tokens: Any
    names: list[str] | None = None


@dataclasses.dataclass(frozen=True)
class TextEncoder:
    r"""How a text becomes features. Frozen, comparable, serialisable; independent of machine and Python version.

    Case, accents, stop words and stems are dealt with in this order.

    Parameters
    ----------
    pattern : str
        What a token is: a regular expression in the native engine's syntax (no look-around or back-references).
    lowercase : bool
        Fold the case.
    strip_accents : {"ascii", "unicode"} or None
        Take accents off; "ascii" drops what is left beyond ASCII.
    analyzer : {"word", "char", "char_wb"}
        Words, characters, or characters inside words. Skip pairs, stop words and stems are for words.
    ngrams : tuple of int
        Smallest and largest n.
    skip_pairs : int
        Each word is also paired with each of the next so many, the gap kept in the key.
    stop_words : str or words
        Tokens to drop, compared before stemming, or the code of a built-in list.
    stemmer : str or None
        Name of a Snowball algorithm.
    unspaced : bool
        Each script by its own rules, not Python's: Chinese, Japanese, Thai, Lao, Burmese and Khmer become overlapping
        pairs of characters; accents, vowel signs and points stay with their letter, and é is one word with é however it
        was typed (normal form C); soft hyphens and zero-width spaces are not there, and İ is i.
    presence : bool
        Count each feature once per document.
    seed : int
        Of the keys; a secret one keeps others from preparing texts whose keys collide.

    Examples
    --------
    >>> encoder = TextEncoder()
    >>> encoder.encode(["To be, or not to be"], names=True).names
    ['to', 'be', ',', 'or', 'not', 'to be', 'be ,', ', or', 'or not', 'not to']
    >>> encoder.tokens("猫が好き!")
    ['猫が', 'が好', '好き', '!']
    >>> TextEncoder.from_json(encoder.to_json()) == encoder
    True
    """

    pattern: str = r"\w+|[^\w\s]"
    lowercase: bool = True
    strip_accents: str | None = None
    analyzer: str = "word"
    ngrams: tuple[int, int] = (1, 2)
    skip_pairs: int = 0
    stop_words: str | tuple[str, ...] = ()
    stemmer: str | None = None
    unspaced: bool = True
    presence: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        for name, (kind, told) in KINDS.items():
            if not isinstance(getattr(self, name), kind):
                raise ValueError(f"{name} {getattr(self, name)!r}: expected {told}")
        words, ngrams = _tuple(self.stop_words), _tuple(self.ngrams)
        if not isinstance(words, str | tuple) or not all(isinstance(word, str) for word in words):
            raise ValueError(f"stop_words {words!r}: expected words, or the code of a language; () for none")
        whole = isinstance(ngrams, tuple) and all(isinstance(n, Integral) for n in ngrams)
        if not whole or len(ngrams) != 2 or not 1 <= ngrams[0] <= ngrams[1] <= FARTHEST:
            raise ValueError(
                f"n-gram range {ngrams!r}: expected two numbers with 1 <= smallest <= largest <= {FARTHEST}"
            )
        if not 0 <= self.skip_pairs <= FARTHEST:
            raise ValueError(f"skip_pairs {self.skip_pairs}: expected 0 to {FARTHEST}")
        if not 0 <= self.seed < 2**64:
            raise ValueError(f"seed {self.seed}: expected a number of 64 bits, 0 to 2**64 - 1")
        # Sorted, so that encoders with the same words are equal and are written the same whatever held the words.
        object.__setattr__(self, "stop_words", words if isinstance(words, str) else tuple(sorted(set(words))))
        object.__setattr__(self, "ngrams", ngrams)
        self.keys  # noqa: B018 - what cannot be compiled is refused here

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Self:
        """Return one of the named encoders: default, small, words, sparse, letters."""
        if name not in PRESETS:
            raise ValueError(f"unknown preset {name!r}; expected one of {', '.join(PRESETS)}")
        return cls(**{**PRESETS[name], **changes})

    @classmethod
    def of(cls, encoder: Any) -> Self:
        """Return the encoder that a parameter is or names."""
        return encoder if isinstance(encoder, cls) else cls.preset(encoder)

    def to_json(self) -> str:
        """Return the settings as JSON."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the encoder whose settings these are."""
        names = [field.name for field in dataclasses.fields(cls)]
        try:
            settings = json.loads(text)
        except ValueError:
            settings = None
        if not isinstance(settings, dict) or not settings.keys() <= set(names):
            raise ValueError(f"found {text[:80]!r}, expected settings as to_json() writes them: some of {names}")
        return cls(**settings)

    def __getstate__(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    @cached_property
    def _plan(self) -> TextPlan:
        words: Iterable[str] = self.stop_words
        if isinstance(words, str):
            words = self._stops(stop_words(words))
        elif self.unspaced:
            words = {normalize("NFC", word) for word in words}
        return TextPlan(
            analyzer=self.analyzer,
            pattern=self.pattern,
            lowercase=self.lowercase,
            strip_accents=self.strip_accents,
            ngrams=self.ngrams,
            skip=self.skip_pairs,
            stop_words=[word.encode("utf-8", "surrogatepass") for word in words],
            stemmer=self.stemmer,
            unspaced=self.unspaced,
        )

    def _stops(self, words: Iterable[str]) -> set[str]:
        """The words and what is left of them, "fur" of "für", "don" and "t" of "don't", accents apart or not."""
        plain, found = dataclasses.replace(self, stop_words=(), stemmer=None, analyzer="word"), set(words)
        for word in words:
            spans = [span for span in plain.spans(word) if any(map(str.isalnum, span[0]))]
            if sum(end - start for _, start, end in spans) <= len(word):  # pairs that overlap are no words
                found.update(token for token, _, _ in spans)
        return found.union(normalize(form, word) for word in found for form in ("NFC", "NFD"))

    @cached_property
    def keys(self) -> TextKeys:
        """The native encoder."""
        return TextKeys(self._plan, self.seed, self.presence)

    def encode(self, documents: Iterable[str] | Mapping[str, Sequence[str]], names: bool = False) -> Encoded:
        """Return the features of texts, or of records given as a mapping from field name to texts.

        A field's name, with a colon, stands in front of its tokens: "subject:hello". An empty name adds nothing.
        """
        return Encoded(**self.keys.encode(*self.fields(documents), names))

    def fields(self, documents: Iterable[str] | Mapping[str, Sequence[str]]) -> tuple[list[str], list[list[str]]]:
        """Return the tags of the fields, and a list of texts for each."""
        if not isinstance(documents, Mapping):
            return [""], [_texts(documents, "")]
        if not all(isinstance(name, str) for name in documents):
            raise TypeError(f"field names {list(documents)}: expected str")
        columns = {name + ":" if name else "": _texts(column, name) for name, column in documents.items()}
        if len({len(column) for column in columns.values()}) > 1:
            raise ValueError(f"fields of different lengths: { {name: len(c) for name, c in columns.items()} }")
        return list(columns), list(columns.values())

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text after stop words and stemming."""
        return [token for token, _, _ in self.spans(text)]

    def spans(self, text: str) -> list[tuple[str, int, int]]:
        """Return the tokens with their places: text[start:end] is what a token was made of."""
        return self._plan.spans(text)

    def trace(self, text: str, field: str = "") -> list[tuple[int, int, int, int]]:
        """Return every occurrence of every word feature: key, order, start, end."""
        return self.keys.trace(field + ":" if field else "", text)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else value


def _texts(column: Iterable[str], field: str) -> list[str]:
    if isinstance(column, str):
        raise ValueError("expected several texts, found one str; put it in a list")
    texts = as_list(column)
    if set(map(type, texts)) <= {str}:  # ten times as fast as the loop
        return texts
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            remedy = "decode bytes, replace missing texts by ''"
            if hasattr(text, "__len__") and not isinstance(text, bytes):
                remedy = "of a table with one column pass that column, X[:, 0], of several a data frame"
            where = f" of field {field!r}" if field else ""
            raise TypeError(f"text {i}{where} is {type(text).__name__}, expected str; {remedy}")
    return texts
