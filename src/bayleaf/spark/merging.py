"""merging: pieces and summaries of many partitions become one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from bayleaf.model import united
from bayleaf.spark.partial import SUMMARY, row
from bayleaf.spark.piece import Piece, pieces
from bayleaf.spark.settled import settled
from bayleaf.spark.summary import Summary

if TYPE_CHECKING:
    from bayleaf.arrays import Array
    from bayleaf.tally import KeyedCounts
    from bayleaf.text import TextClassifier


class Shard:
    """The counts of a range of keys, added up piece by piece; in memory are the sum and one piece."""

    def __init__(self, like: TextClassifier) -> None:
        self.like = like
        self.classes: Array | None = None
        self.tally: KeyedCounts | None = None

    def add(self, piece: Piece) -> None:
        """Add the counts of a piece; unknown labels are taken in."""
        if self.classes is None or self.tally is None:
            self.classes, self.tally = piece.classes, self.like._empty(len(piece.classes))
        wider = united(self.classes, piece.classes)
        if len(wider) > len(self.classes):
            self.tally = self.tally.regrouped(np.searchsorted(wider, self.classes).tolist(), len(wider))
            self.classes = wider
        self.tally.fill(piece.lists, np.searchsorted(self.classes, piece.classes).tolist())

    def piece(self) -> Piece:
        """All of it."""
        assert self.classes is not None
        assert self.tally is not None
        return Piece(self.classes, self.tally.arrays())


def merge(like: TextClassifier | None, shards: int) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function for `mapInArrow`: rows of any shards in, their sums out; the summaries become one."""

    def add(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        settled()
        sums: dict[int, Shard] = {}
        summary: Summary | None = None
        for batch in batches:
            for shard, payload in zip(batch["shard"].to_pylist(), batch["payload"], strict=True):
                if shard == SUMMARY:
                    summary = summary or Summary()
                    summary.add(payload.as_buffer())
                else:
                    assert like is not None
                    sums.setdefault(shard, Shard(like)).add(Piece.load(payload.as_buffer()))
        for shard, total in sums.items():
            assert total.classes is not None
            assert total.tally is not None
            for _, piece in pieces(total.classes, total.tally, shards):
                yield row(shard, piece.dump())
        for payload in () if summary is None else summary.dumps():
            yield row(SUMMARY, payload)

    return add
