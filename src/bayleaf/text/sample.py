"""Sample: the documents that derived numbers are fitted on."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from bayleaf.errors import BayleafError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bayleaf.arrays import Array, Floats, Ints

DOCUMENTS = 100_000  # leanings gain from each (TRIED.md)
CHARACTERS = 1 << 26  # of text held beside the counts
ENOUGH = 1_000  # documents that may replace a reading which was derived from more
ALL = 1 << 64  # every place is below

Held = tuple[int, list[int], list[int], list[Any], list[list[str]]]  # how many, places, fingerprints, labels, texts


class Document(NamedTuple):
    """A document with its label, by the place in line of its group."""

    place: int
    fingerprint: int
    label: Any
    texts: tuple[str, ...]


@dataclass
class Sample:
    """At most 100,000 documents, drawn by a hash of their text: the same ones in whatever order and parts they come.

    Of everything seen, the documents with the smallest hashes are kept, so two samples merge into the sample of both,
    and a document can be taken out again. Documents of one group stand or fall together.

    They are kept as lists: an object for each took a fifth of the time of learning, most of it spent by the collector.
    How many of their items count stands beside them, so that whoever is interrupted has added all documents or none.

    Examples
    --------
    >>> sample = Sample()
    >>> sample.add([["one", "two"]], ["a", "b"], np.array([7, 3], dtype=np.uint64), None)
    >>> [document.texts for document in sample.first(1)]
    [('two',)]
    """

    held: Held = field(default_factory=lambda: (0, [], [], [], []))
    last: int = ALL  # places from this one on have been given up
    characters: int = 0  # text held
    whole: bool = True  # no text was learned before the first that was offered here

    def tells(self, labels: Array, learned: Ints) -> bool:
        """Whether it can stand for so many learned documents of these labels; see `telling`."""
        return self.whole or telling(Counter(self.lists[2]), labels, learned, self.last < ALL)

    @classmethod
    def of(cls, documents: Iterable[Document], last: int = ALL, whole: bool = True) -> Self:
        """Of these documents."""
        some = list(documents)
        texts = [list(column) for column in zip(*(one.texts for one in some), strict=True)]
        places, fingerprints = [one.place for one in some], [one.fingerprint for one in some]
        return cls((len(some), places, fingerprints, [one.label for one in some], texts), last, _size(texts), whole)

    def __len__(self) -> int:
        return self.held[0]

    @property
    def lists(self) -> tuple[list[int], list[int], list[Any], list[list[str]]]:
        """Places, fingerprints and labels of the documents, and the texts of each field."""
        count, places, fingerprints, labels, texts = self.held
        for column in (places, fingerprints, labels, *texts):
            del column[count:]  # what was interrupted
        return places, fingerprints, labels, texts

    def add(self, columns: Sequence[Sequence[str]], labels: Sequence[Any], fingerprints: Ints, groups: Any) -> None:
        """Offer documents."""
        places = fingerprints if groups is None else places_of(groups)
        if len(places) > DOCUMENTS:  # none beyond so many of these alone can stay
            self.last = min(self.last, int(np.partition(places, DOCUMENTS)[DOCUMENTS]) + 1)
        kept = (places < np.uint64(self.last) if self.last < ALL else np.ones(len(places), dtype=bool)).tolist()
        prints = list(compress(fingerprints.tolist(), kept))
        texts = [list(compress(column, kept)) for column in columns]
        own = prints if groups is None else list(compress(places.tolist(), kept))
        self._extend(own, prints, list(compress(labels, kept)), texts)
        self.characters += _size(texts)
        if len(self) > 2 * DOCUMENTS or self.characters > 2 * CHARACTERS:
            self.shrink()

    def shrink(self) -> None:
        """Give up what is beyond the limits."""
        kept, places = self._first(DOCUMENTS), self.lists[0]
        if len(kept) < len(self):
            top = places[kept[-1]] if kept else -1
            self.last = min((place for place in places if place > top), default=top + 1)
            marks = set(kept)
            self._keep(i in marks for i in range(len(self)))

    def cut(self, below: int) -> None:
        """Give up the documents from a place on."""
        self.last = min(self.last, below)
        self._keep(place < self.last for place in self.lists[0])

    def first(self, count: int) -> list[Document]:
        """The first so many documents in line, whole groups only unless there is one group."""
        rows, (places, prints, labels, texts) = self._first(count), self.lists
        return [Document(places[i], prints[i], labels[i], tuple(column[i] for column in texts)) for i in rows]

    def _first(self, count: int) -> list[int]:
        places, fingerprints, labels, texts = self.lists
        keys = list(zip(places, fingerprints, map(str, labels), strict=True))
        line = sorted(range(len(keys)), key=keys.__getitem__)
        sizes = [sum(len(column[i]) for column in texts) for i in line[:count]]
        fit = int(np.searchsorted(np.cumsum(sizes), CHARACTERS, side="right"))
        count = len(sizes) if fit == len(sizes) else max(fit, 1)
        end = count
        while 0 < end < len(line) and places[line[end]] == places[line[end - 1]]:
            end -= 1
        if end or not line:
            return line[:end]
        group = [i for i in line if places[i] == places[line[0]]]
        return [group[i * len(group) // count] for i in range(count)]  # of each label its share

    def remove(self, labels: Sequence[Any], fingerprints: Ints, groups: Any = None) -> None:
        """Take out documents that are there, of these groups or of any."""
        given = [None] * len(labels) if groups is None else places_of(groups).tolist()
        gone = Counter(zip(fingerprints.tolist(), labels, given, strict=True))
        wanted, kept = {fingerprint for fingerprint, *_ in gone}, bytearray(b"\1") * len(self)
        places, prints, own, _ = self.lists
        for i in [i for i, fingerprint in enumerate(prints) if fingerprint in wanted]:
            key = (prints[i], own[i], None if groups is None else places[i])
            if gone[key] > 0:
                gone[key] -= 1
                kept[i] = 0
        if 0 in kept:
            self._keep(kept)

    def copy(self) -> Sample:
        """The same documents in lists of their own."""
        same = Sample(last=self.last, characters=self.characters, whole=self.whole)
        same._extend(*self.lists)
        return same

    def merged(self, other: Self) -> Sample:
        """The sample of what both have seen."""
        merged = self.copy()
        merged._extend(*other.lists)
        merged.whole = self.whole and other.whole
        merged.cut(other.last)
        merged.shrink()
        return merged

    def _extend(self, places: list[int], fingerprints: list[int], labels: list[Any], texts: list[list[str]]) -> None:
        mine, prints, own, columns = self.lists
        columns = columns or [[] for _ in texts]
        given = (places, fingerprints, labels, *texts)
        for column, more in zip((mine, prints, own, *columns), given, strict=bool(texts)):
            column.extend(more)
        self.held = (len(mine), mine, prints, own, columns)

    def _keep(self, kept: Iterable[bool | int]) -> None:
        (*lists, texts), marks = self.lists, list(kept)
        places, prints, labels, *columns = (list(compress(one, marks)) for one in (*lists, *texts))
        self.held = (len(places), places, prints, labels, columns)
        self.characters = _size(columns)


def telling(held: Mapping[Any, float], labels: Array, learned: Floats | Ints, full: bool = False) -> bool:
    """Whether what is held can stand for all that was learned.

    It is half as much, or 1,000, or all that there is room for (`full`); and each label has at least half the share of
    it that it has of what was learned.

    Examples
    --------
    >>> labels, learned = np.array(["a", "b"]), np.array([500, 500])
    >>> [telling(held, labels, learned) for held in ({"a": 250, "b": 250}, {"a": 90, "b": 90}, {"a": 900, "b": 100})]
    [True, False, False]
    """
    total = sum(held.values())
    shares = np.array([held.get(label, 0) for label in labels.tolist()]) / max(total, 1)
    fair = (2 * shares >= learned / max(learned.sum(), 1)).all()
    return bool(fair and (full or total >= min(learned.sum() / 2, ENOUGH)))


def too_few(held: int, learned: int, what: str) -> BayleafError:
    """What is said where that is not so."""
    return BayleafError(
        f"Found {held} of {learned} learned {what} to derive from, expected half of them or {ENOUGH:,}, of each label "
        "its share; load() has none. Pass some of those that were learned"
    )


def _size(texts: list[list[str]]) -> int:
    return sum(sum(map(len, column)) for column in texts)


def places_of(groups: Any) -> Array:
    """The places in line of groups, by a hash of their name."""
    names = [str(group) for group in groups]
    digests = {name: hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8) for name in set(names)}
    places = {name: int.from_bytes(digest.digest(), "little") for name, digest in digests.items()}
    return np.array([places[name] for name in names], dtype=np.uint64)
