"""Base: a fitted model that a fit learns on top of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.spark.hollow import Classifier, hollowed, text_part
from bayleaf.spark.merging import Shard
from bayleaf.spark.piece import Piece, cut
from bayleaf.spark.retained import Samples, taken_out

if TYPE_CHECKING:
    from bayleaf.text import TextClassifier


class Base:
    """Its classifier without counts of keys and samples, those counts as lists, and its samples."""

    def __init__(self, onto: Classifier) -> None:
        self.classifier, tally = hollowed(onto)
        self.samples: Samples = taken_out(self.classifier)
        text: Any = text_part(onto)
        self.counts = None if tally is None else Piece(text.classes_, tally.arrays())

    def added(self, pieces: Iterable[Piece], like: TextClassifier) -> Iterator[Piece]:
        """Pieces in the order of their keys, with the counts that were there before."""
        assert self.counts is not None
        classes, lists = self.counts.classes, self.counts.lists
        start = 0
        for piece in pieces:
            stop = int(np.searchsorted(lists["keys"], piece.lists["keys"][-1], side="right"))
            total = Shard(like)
            for part in (Piece(classes, cut(lists, start, stop)), piece):
                total.add(part)
            yield total.piece()
            start = stop
        yield Piece(classes, cut(lists, start, len(lists["keys"])))

    def sampled(self, samples: Samples) -> Samples:
        """Samples of both."""
        return [old.merged(new) for old, new in zip(self.samples, samples, strict=True)]  # type: ignore[arg-type]
