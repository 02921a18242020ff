"""Sample: the documents that derived numbers are fitted on."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayleaf.arrays import Array, Floats, Ints

DOCUMENTS = 20_000  # more moved no choice in the pilot; 3,000 were nearly as good
CHARACTERS = 1 << 28  # of text held beside the counts


class Document(NamedTuple):
    """A document with its label, by the place in line of its group."""

    place: int
    fingerprint: int
    label: Any
    texts: tuple[str, ...]


@dataclass
class Sample:
    """At most 20,000 documents, drawn by a hash of their text: the same ones in whatever order and parts they come.

    Of everything seen, the documents with the smallest hashes are kept, so two samples merge into the sample of both,
    and a document can be taken out again. Documents of one group stand or fall together.

    Examples
    --------
    >>> sample = Sample()
    >>> sample.add([["one", "two"]], ["a", "b"], np.array([7, 3], dtype=np.uint64), None)
    >>> [document.texts for document in sample.first(1)]
    [('two',)]
    """

    documents: list[Document] = field(default_factory=list)
    last: int = 2**64  # places beyond this one have been given up
    characters: int = 0  # text held
    whole: bool = True  # no text was learned before the first that was offered here

    def __post_init__(self) -> None:
        self.characters = sum(_size(document) for document in self.documents)

    def add(
        self, columns: Sequence[Sequence[str]], labels: Sequence[Any] | Array, fingerprints: Ints, groups: Any
    ) -> None:
        """Offer documents."""
        places = fingerprints if groups is None else places_of(groups)
        if len(places) > DOCUMENTS:  # none beyond so many of these alone can stay
            self.last = min(self.last, int(np.partition(places, DOCUMENTS)[DOCUMENTS]) + 1)
        rows = np.flatnonzero(places <= np.uint64(self.last - 1)) if self.last else np.zeros(0, dtype=np.int64)
        texts = [list(map(column.__getitem__, rows.tolist())) for column in columns]
        lists = (places[rows], fingerprints[rows], np.asarray(labels)[rows])
        parts = zip(*(part.tolist() for part in lists), zip(*texts, strict=True), strict=True)
        self.documents += map(partial(tuple.__new__, Document), parts)  # a tenth of the time of Document(...)
        self.characters += sum(sum(map(len, column)) for column in texts)
        if len(self.documents) > 2 * DOCUMENTS or self.characters > 2 * CHARACTERS:
            self.shrink()

    def shrink(self) -> None:
        """Give up what is beyond the limits."""
        kept = self.first(DOCUMENTS)
        if len(kept) < len(self.documents):
            top = kept[-1].place if kept else -1
            self.last = min((one.place for one in self.documents if one.place > top), default=top + 1)
            self.documents = kept
            self.__post_init__()

    def cut(self, below: int) -> None:
        """Give up the documents from a place on."""
        self.last = min(self.last, below)
        self.documents = [document for document in self.documents if document.place < self.last]
        self.__post_init__()

    def first(self, count: int) -> list[Document]:
        """The first so many documents in line, whole groups only unless there is one group."""
        line = sorted(self.documents, key=lambda document: (document.place, document.fingerprint, str(document.label)))
        count, room = min(count, len(line)), CHARACTERS
        for i, document in enumerate(line[:count]):
            room -= _size(document)
            if room < 0:
                count = max(i, 1)
                break
        end = count
        while 0 < end < len(line) and line[end].place == line[end - 1].place:
            end -= 1
        if end or not line:
            return line[:end]
        group = [document for document in line if document.place == line[0].place]
        return [group[i * len(group) // count] for i in range(count)]  # of each label its share

    def remove(self, labels: Sequence[Any], fingerprints: Ints, groups: Any = None) -> None:
        """Take out documents that are there, of these groups or of any."""
        places = [None] * len(labels) if groups is None else places_of(groups).tolist()
        gone = Counter(zip(fingerprints.tolist(), labels, places, strict=True))
        kept = []
        for document in self.documents:
            key = (document.fingerprint, document.label, None if groups is None else document.place)
            if gone[key] > 0:
                gone[key] -= 1
            else:
                kept.append(document)
        self.documents = kept
        self.__post_init__()

    def copy(self) -> Sample:
        """The same documents in a list of its own."""
        return replace(self, documents=[*self.documents])

    def merged(self, other: Self) -> Sample:
        """The sample of what both have seen."""
        last = min(self.last, other.last)
        both = [document for document in self.documents + other.documents if document.place < last]
        merged = Sample(both, last, whole=self.whole and other.whole)
        merged.shrink()
        return merged


def fair(held: Mapping[Any, float], labels: Array, learned: Floats | Ints) -> bool:
    """Whether each label has at least half the share of what is held that it has of all that was learned.

    Examples
    --------
    >>> (
    ...     fair({"a": 9, "b": 1}, np.array(["a", "b"]), np.array([500, 500])),
    ...     fair({"a": 9}, np.array(["a"]), np.array([500])),
    ... )
    (False, True)
    """
    shares = np.array([held.get(label, 0) for label in labels.tolist()]) / max(sum(held.values()), 1)
    return bool((2 * shares >= learned / max(learned.sum(), 1)).all())


def _size(document: Document) -> int:
    return sum(map(len, document.texts))


def places_of(groups: Any) -> Array:
    """The places in line of groups, by a hash of their name."""
    names = [str(group) for group in groups]
    digests = {name: hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8) for name in set(names)}
    places = {name: int.from_bytes(digest.digest(), "little") for name, digest in digests.items()}
    return np.array([places[name] for name in names], dtype=np.uint64)
