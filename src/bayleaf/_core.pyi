"""The native half of bayleaf."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, final

from bayleaf.arrays import Array, Floats, Ints

__all__ = [
    "Batch",
    "KeyColumns",
    "KeyWeights",
    "KeyedCounts",
    "MailFeatures",
    "Run",
    "TextChars",
    "TextKeys",
    "TextPlan",
    "TextTerms",
    "Weigh",
    "Weighed",
    "__version__",
    "fit_layer",
    "largest_codes",
    "normalise",
    "run_cut",
    "run_fingerprint",
    "run_merge",
    "run_standing",
    "run_tally",
    "text_hashed_rows",
    "text_is_simple",
    "text_murmur3",
    "text_stem",
    "text_stemmers",
    "threads",
]

__version__: str

@final
class Batch:
    """Rows for the kernels; see `bayleaf.rows.Rows`."""

    @staticmethod
    def dense(values: Array, above: float | None = None) -> Batch: ...
    @staticmethod
    def csr(starts: Array, columns: Array, values: Array, width: int, above: float | None = None) -> Batch: ...
    @staticmethod
    def codes(cells: Array, starts: Ints) -> Batch: ...
    def count(
        self,
        classes: Ints,
        weights: Floats | None,
        sign: float,
        weight: Floats,
        table: Floats,
    ) -> bool: ...
    def count_absent(
        self,
        classes: Ints,
        weights: Floats | None,
        sign: float,
        absent: Floats,
    ) -> None: ...
    def pivots(self, classes: Ints, k: int) -> Floats: ...
    def moments(
        self,
        classes: Ints,
        weights: Floats | None,
        pivot: Floats,
    ) -> tuple[Floats, Floats, Floats, Floats]: ...
    def add_linear(self, weights: Floats, base: Floats | None, out: Floats) -> None: ...
    def add_quadratic(
        self,
        centre: Floats,
        rest: Floats | None,
        scale: Floats,
        base: Floats,
        out: Floats,
    ) -> None: ...

@final
class MailFeatures:
    """A mail as features; made by `read`, `read_many` and `read_text`."""

    @staticmethod
    def read(raw: bytes, secret: bytes, names: bool) -> MailFeatures: ...
    @staticmethod
    def read_many(raws: list[bytes], secret: bytes, names: bool, threads: int) -> list[MailFeatures]: ...
    @staticmethod
    def read_text(text: str, secret: bytes, names: bool) -> MailFeatures: ...
    @property
    def families(self) -> tuple[str, str, str, str]: ...
    @property
    def sizes(self) -> list[int]: ...
    @property
    def keys(self) -> bytes: ...
    @property
    def groups(self) -> bytes: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def identity(self) -> bytes: ...
    @property
    def subject(self) -> str: ...
    @property
    def sender(self) -> str: ...
    def name(self, index: int) -> str: ...
    def readable(self, weighed: Weighed) -> list[str]: ...
    def __len__(self) -> int: ...

def largest_codes(cells: Array) -> tuple[list[int], tuple[int, int, float] | None]: ...
def normalise(joint: Floats, log_prior: Floats, log: bool) -> int: ...
def threads() -> int: ...

@final
class TextChars:
    def __new__(
        cls,
        word: Sequence[tuple[int, int]],
        space: Sequence[tuple[int, int]],
        lower: Sequence[tuple[int, Sequence[int]]],
        bare: dict[int, str] | None,
    ) -> TextChars: ...
    @staticmethod
    def shared() -> TextChars: ...
    def about(self, code: int) -> tuple[bool, bool, int]: ...

@final
class TextPlan:
    def __new__(
        cls,
        *,
        analyzer: str,
        pattern: str,
        lowercase: bool,
        strip_accents: str | None,
        ngrams: tuple[int, int],
        skip: int,
        stop_words: Sequence[bytes],
        stemmer: str | None,
        unspaced: bool,
        chars: TextChars | None = None,
    ) -> TextPlan: ...
    def spans(self, text: str) -> list[tuple[str, int, int]]: ...

@final
class TextTerms:
    def __new__(cls, plan: TextPlan, terms: Sequence[bytes] | None = None) -> TextTerms: ...
    @property
    def width(self) -> int: ...
    def start(self, floats: bool) -> None: ...
    def learn(self, list: list[Any], threads: int) -> None: ...
    def finish(self, threads: int) -> tuple[Any, Any, Any]: ...
    def look_up(self, list: list[Any], floats: bool, threads: int) -> tuple[Any, Any, Any]: ...
    def vocabulary(self) -> dict[str, int]: ...
    def names(self) -> list[str]: ...
    def keep(self, kept: bytes) -> None: ...

@final
class TextKeys:
    def __new__(cls, plan: TextPlan, seed: int, presence: bool) -> TextKeys: ...
    def encode(self, tags: Sequence[str], fields: Sequence[list[str]], names: bool) -> dict[str, Any]: ...
    def fingerprints(self, tags: Sequence[str], fields: Sequence[list[str]]) -> Ints: ...
    def trace(self, tag: str, text: str) -> list[tuple[int, int, int, int]]: ...

@final
class KeyedCounts:
    def __new__(cls, keys: TextKeys, k: int, lift: str, buckets: int | None, named: bool) -> KeyedCounts: ...
    @property
    def documents(self) -> Ints: ...
    @property
    def sums(self) -> Ints: ...
    @property
    def distinct(self) -> Ints: ...
    @property
    def orders(self) -> list[int]: ...
    def learn(
        self, keys: TextKeys, fields: tuple[list[str], list[list[str]]], classes: Array, sign: int, threads: int
    ) -> Ints: ...
    def merge(self, other: KeyedCounts, places: Sequence[int], sign: int) -> None: ...
    def relabelled(self, places: Sequence[int], k: int) -> KeyedCounts: ...
    def drop_rare(self, least: int) -> int: ...
    def stand_for(self, sums: Ints, distinct: Ints) -> bool: ...
    def copy(self) -> KeyedCounts: ...
    def name(self, key: int) -> str: ...
    def listing(self) -> dict[str, Any]: ...
    def fill(
        self,
        places: list[int],
        keys: Array,
        orders: Array,
        documents: Array,
        starts: Array,
        classes: Array,
        counts: Array,
        parts: Array,
        text: Array,
        text_ends: Array,
        by_class: Array,
    ) -> bool: ...
    def judge(
        self,
        keys: TextKeys,
        fields: tuple[list[str], list[list[str]]],
        alpha: float,
        numbers: tuple[Floats, float, float, Floats, float],
        threads: int,
    ) -> Floats: ...
    def explain(
        self,
        keys: TextKeys,
        fields: tuple[list[str], list[list[str]]],
        alpha: float,
        numbers: tuple[Floats, float, float, Floats, float],
    ) -> tuple[list[int], list[str], list[int], Floats]: ...
    def strongest(self, alpha: float, worth: Floats, count: int) -> list[list[tuple[int, float, int]]]: ...
    def loo(
        self,
        keys: TextKeys,
        fields: tuple[list[str], list[list[str]]],
        classes: Array,
        groups: Array | None,
        alpha: float,
        threads: int,
    ) -> tuple[Floats, Ints]: ...

@final
class KeyColumns:
    def __new__(cls, keys: Array) -> KeyColumns: ...
    def rows(
        self, counts: KeyedCounts, keys: TextKeys, fields: tuple[list[str], list[list[str]]], threads: int
    ) -> tuple[Any, Any, Any]: ...

@final
class KeyWeights:
    def __new__(cls, keys: Array, weights: Array) -> KeyWeights: ...
    def add_to(
        self,
        counts: KeyedCounts,
        keys: TextKeys,
        fields: tuple[list[str], list[list[str]]],
        threads: int,
        joint: Array,
    ) -> None: ...

def text_hashed_rows(
    plan: TextPlan, list: list[Any], count: int, signed: bool, threads: int
) -> tuple[Any, Any, Any]: ...
def text_is_simple(pattern: str) -> bool: ...
def text_murmur3(bytes: bytes, seed: int) -> int: ...
def text_stem(language: str, word: str) -> str: ...
def text_stemmers() -> list[str]: ...

@final
class Run:
    """A sorted table of keys with counts per label; never changed."""

    @staticmethod
    def load(bytes: bytes) -> Run: ...
    @staticmethod
    def open(path: str | PathLike[str]) -> Run: ...
    @property
    def entries(self) -> int: ...
    @property
    def labels(self) -> int: ...
    @property
    def size(self) -> int: ...
    def dump(self) -> bytes: ...
    def verify(self) -> None: ...
    def fingerprints(self) -> list[int]: ...
    def seen(self, key: int) -> int | None: ...
    def page(self, start: int, most: int) -> list[tuple[int, list[int]]]: ...

@final
class Weigh:
    def __new__(cls, alpha: float) -> Weigh: ...
    def weigh(
        self,
        runs: Sequence[Run],
        columns: Sequence[Sequence[int]],
        keys: MailFeatures | bytes,
        totals: Sequence[int],
        own: int | None = None,
    ) -> Weighed: ...

@final
class Weighed:
    @property
    def means(self) -> list[float]: ...
    @property
    def sizes(self) -> list[int]: ...
    @property
    def known(self) -> int: ...
    def counts(self, at: int) -> list[int]: ...
    def summands(self, keys: MailFeatures | bytes, worth: Sequence[float]) -> list[float]: ...

def fit_layer(
    pairs: Sequence[tuple[int, Sequence[float]]], families: int, labels: int, centre: float, precision: float
) -> tuple[list[float], list[float]]: ...
def run_cut(runs: Sequence[Run], limit: int) -> tuple[int, int]: ...
def run_fingerprint(keys: MailFeatures | bytes) -> int: ...
def run_merge(
    runs: Sequence[Run], labels: int, cut: tuple[int, int], path: str | PathLike[str] | None = None
) -> tuple[bytes | None, list[int]]: ...
def run_standing(runs: Sequence[Run], keys: MailFeatures | bytes, age: int) -> bytes: ...
def run_tally(
    documents: Sequence[tuple[MailFeatures | bytes, int, int]],
    labels: int,
    day: int,
    age: int,
    path: str | PathLike[str] | None = None,
) -> bytes | None: ...
