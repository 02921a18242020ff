"""Piece: the counts of some keys on their way between machines."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayleaf.tally.keyed import TEXTS

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Ints
    from bayleaf.tally import KeyedCounts

SIZE = 1 << 25  # bytes, about; Spark refuses rows beyond 2 GB, and some of them are in memory at once
SPAN = 1 << 64  # keys there are
KEY = 8 + 1 + 8 + 8 + 16 + 8  # bytes of key, order, documents, start, parts and end of the text, unless narrowed
CELL = 2 + 8  # of class and count

Lists = dict[str, "Array"]


@dataclass(frozen=True, eq=False)
class Piece:
    """Counts of keys in a range, as sorted lists, under labels of their own."""

    classes: Array
    lists: Lists

    def dump(self) -> bytes:
        """As bytes for `load`. Only ever read by the workers and the driver of one job."""
        return pickle.dumps((self.classes, self.lists), protocol=5)

    @classmethod
    def load(cls, payload: bytes) -> Piece:
        """The piece that `dump` gave."""
        return cls(*pickle.loads(payload))


def pieces(classes: Array, tally: KeyedCounts, shards: int) -> Iterator[tuple[int, Piece]]:
    """A table cut by ranges of keys: the number of the shard, and a piece of at most about 32 MB.

    Keys are hashes, so ranges of equal width hold about as many keys, however the words are distributed.
    """
    lists = tally.arrays()
    keys = lists["keys"]
    borders = np.array([SPAN * shard // shards for shard in range(1, shards)], dtype=np.uint64)
    ends = [0, *np.searchsorted(keys, borders).tolist(), len(keys)]
    weight = _weight(lists)
    for shard in range(shards):
        start, end = ends[shard], ends[shard + 1]
        while start < end:
            stop = int(np.searchsorted(weight, weight[start] + SIZE, side="right")) - 1
            stop = min(max(stop, start + 1), end)
            yield shard, Piece(classes, cut(lists, start, stop))
            start = stop


def _weight(lists: Lists) -> Ints:
    """Bytes before each key, and all of them."""
    weight: Ints = np.arange(len(lists["keys"]) + 1) * KEY + lists["starts"].astype(np.int64) * CELL
    if "text_ends" in lists:
        weight[1:] += lists["text_ends"]
    return weight


def cut(lists: Lists, start: int, stop: int) -> Lists:
    """The lists of the keys from one place to another; no documents by class."""
    first, last = int(lists["starts"][start]), int(lists["starts"][stop])
    found = {name: lists[name][start:stop] for name in ("keys", "orders", "documents")}
    found |= {name: lists[name][first:last] for name in ("classes", "counts")}
    found["starts"] = lists["starts"][start : stop + 1] - lists["starts"][start]
    if all(name in lists for name in TEXTS):
        before = int(lists["text_ends"][start - 1]) if start else 0
        found["parts"], found["text_ends"] = lists["parts"][start:stop], lists["text_ends"][start:stop] - before
        found["text"] = lists["text"][before : int(lists["text_ends"][stop - 1]) if stop > start else before]
    return {**found, "by_class": np.zeros(len(lists["by_class"]), dtype=np.int64)}
