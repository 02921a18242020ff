"""RecordSample: the records that derived numbers are fitted on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayleaf.records.records import Records
from bayleaf.text.sample import ALL, telling

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints

RECORDS = 20_000  # different ones; worths of columns are few numbers
CHARACTERS = 1 << 28  # of text held beside the counts


@dataclass
class Kept:
    """A labelled record and how often it was learned."""

    label: Any
    cells: tuple[Any, ...]
    times: int

    @property
    def size(self) -> int:
        """Characters held."""
        return sum(len(cell) for cell in self.cells if isinstance(cell, str))


@dataclass
class RecordSample:
    """At most 20,000 different records, drawn by a hash of what they hold: the same in any order and parts.

    Of everything seen, the records with the smallest hashes are kept, each with how often it was learned; unlike the
    sample of a text classifier, which keeps copies, since rows of a few categories are the same by the thousand. So
    two samples merge into the sample of both, and a record can be taken out again.
    """

    kept: dict[int, Kept] = field(default_factory=dict)
    last: int = ALL  # hashes from this one on have been given up
    characters: int = 0
    whole: bool = True  # no record was learned before the first that was offered here

    def tells(self, labels: Array, learned: Floats) -> bool:
        """Whether it can stand for so many learned records of these labels; see `telling`."""
        if self.whole:
            return True
        held: Counter[Any] = Counter()
        for known in self.kept.values():
            held[known.label] += known.times
        return telling(held, labels, learned, self.last < ALL)

    def __len__(self) -> int:
        return len(self.kept)

    def add(self, records: Records, labels: Array, prints: Array) -> None:
        """Offer records."""
        near = np.flatnonzero(prints <= np.uint64(self.last - 1)) if self.last else np.zeros(0, dtype=np.int64)
        found, first, times = np.unique(prints[near], return_index=True, return_counts=True)
        rows = near[first]
        some = records[rows]
        columns = [*(column.tolist() for column in some.numbers.T), *some.categories, *some.texts.values()]
        cells = list(zip(*columns, strict=True))
        parts = (found.tolist(), labels[rows].tolist(), cells, times.tolist())
        for place, label, row, count in zip(*parts, strict=True):
            known = self.kept.get(place)
            if known is None:
                self.kept[place] = known = Kept(label, row, 0)
                self.characters += known.size
            known.times += count
        if len(self) > 2 * RECORDS or self.characters > 2 * CHARACTERS:
            self.shrink()

    def remove(self, prints: Array) -> None:
        """Take out records that are there."""
        found, times = np.unique(prints, return_counts=True)
        for place, count in zip(found.tolist(), times.tolist(), strict=True):
            known = self.kept.get(place)
            if known is not None:
                known.times -= count
                if known.times <= 0:
                    del self.kept[place]
                    self.characters -= known.size

    def copy(self) -> RecordSample:
        """The same records, counted apart."""
        return replace(self, kept={place: replace(known) for place, known in self.kept.items()})

    def merged(self, other: Self) -> RecordSample:
        """The sample of what both have seen."""
        merged = self.copy()
        merged.absorb(other.copy())
        merged.whole = self.whole and other.whole
        merged.shrink()
        return merged

    def absorb(self, part: RecordSample) -> None:
        """Add what another has seen, which is used up."""
        self.cut(part.last)
        part.cut(self.last)
        for place, known in part.kept.items():
            if place in self.kept:
                self.kept[place].times += known.times
            else:
                self.kept[place] = known
                self.characters += known.size
        if len(self) > 2 * RECORDS or self.characters > 2 * CHARACTERS:
            self.shrink()

    def cut(self, below: int) -> None:
        """Give up the records from a hash on."""
        if below < self.last:
            self.last = below
            self.kept = {place: known for place, known in self.kept.items() if place < below}
            self.characters = sum(known.size for known in self.kept.values())

    def chunks(self, size: int) -> Iterator[RecordSample]:
        """The sample in parts of about so many characters."""
        held, room = {}, size
        for place, known in self.kept.items():
            held[place] = known
            room -= known.size + 100
            if room < 0:
                yield RecordSample(held, self.last)
                held, room = {}, size
        if held:
            yield RecordSample(held, self.last)

    def shrink(self) -> None:
        """Give up what is beyond the limits."""
        places = self.places(RECORDS)
        if len(places) < len(self):
            self.cut(places[-1] + 1 if places else 0)

    def places(self, count: int) -> list[int]:
        """The first so many places in line, fewer where they hold too much text."""
        line = sorted(self.kept)[:count]
        room = np.cumsum([self.kept[place].size for place in line])
        return line[: max(int(np.searchsorted(room, CHARACTERS, side="right")), 1)]

    def first(self, count: int, kinds: Mapping[str, str]) -> tuple[Records, Array, Ints]:
        """The first so many records, their labels and how often each was learned."""
        some = [self.kept[place] for place in self.places(count)]
        if not some:
            empty: dict[str, list[Any]] = {name: [] for name in kinds}
            return Records.of(empty, kinds), np.array([]), np.zeros(0, dtype=np.int64)
        names = [name for name, kind in kinds.items() if kind == "text"]
        numbers = list(kinds.values()).count("number")
        columns = [list(column) for column in zip(*(known.cells for known in some), strict=True)]
        end = len(columns) - len(names)
        table = np.array(columns[:numbers], dtype=np.float64).reshape(numbers, len(some)).T
        records = Records(
            np.ascontiguousarray(table), columns[numbers:end], dict(zip(names, columns[end:], strict=True)), len(some)
        )
        return records, np.array([known.label for known in some]), np.array([known.times for known in some])
