"""Summary: what is known of some partitions besides the counts of keys."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from bayleaf.records.sample import RecordSample
from bayleaf.spark.hollow import Classifier
from bayleaf.spark.line import Line
from bayleaf.spark.retained import Lines, edge, taken_out
from bayleaf.text.sample import ALL, Sample

CHUNK = 1 << 22  # bytes sent in one row, about


class Summary:
    """Labels, numbers of documents, counts of numbers and categories, and the samples; all of it adds up."""

    def __init__(self) -> None:
        self.classifier: Any = None
        self.unlabelled = 0
        self.samples: Lines = []
        self.edges: list[int] = []  # hashes from which on some partition has sent no documents

    @classmethod
    def of(cls, classifier: Classifier | None, unlabelled: int, count: int, edges: list[int] | None) -> Summary:
        """Of one partition; the first `count` documents of its samples are sent, or those below `edges`."""
        summary = cls()
        summary.unlabelled = unlabelled
        if classifier is not None:
            taken = taken_out(classifier)
            summary.classifier = classifier
            summary.edges = edges or [edge(sample, count) for sample in taken]
            for sample, below in zip(taken, summary.edges, strict=True):
                sample.cut(below)
            summary.samples = [Line.of(sample) if isinstance(sample, Sample) else sample for sample in taken]
        return summary

    def dumps(self) -> Iterator[bytes]:
        """As rows for `add`, none of them large."""
        for sample in self.samples:
            sample.shrink()
        empty = [
            Line.of(Sample(last=one.last)) if isinstance(one, Line) else RecordSample(last=one.last)
            for one in self.samples
        ]
        first, rest = (self.classifier, self.unlabelled), (None, 0)
        yield pickle.dumps((*first, self.edges, empty))
        for parts in zip_longest(*(sample.chunks(CHUNK) for sample in self.samples)):
            held = [part or none for part, none in zip(parts, empty, strict=True)]
            yield pickle.dumps((*rest, self.edges, held))

    def add(self, payload: Any) -> None:
        """Add a row of another summary."""
        classifier, unlabelled, edges, samples = pickle.loads(payload)
        self.unlabelled += unlabelled
        if classifier is not None:
            self.classifier = classifier if self.classifier is None else self.classifier + classifier
        if not self.samples:
            self.samples, self.edges = samples, edges
            return
        self.edges = [min(pair) for pair in zip(self.edges, edges, strict=True)] if edges else self.edges
        for mine, part in zip(self.samples, samples, strict=False):  # a partition without rows has none
            mine.absorb(part)

    def missing(self, needed: int) -> list[int] | None:
        """Where partitions sent too few documents: hashes below which all of them are asked for next; else none."""
        enough = True
        for sample, below in zip(self.samples, self.edges, strict=True):
            sample.shrink()
            full = below == ALL or sample.last < below
            sample.cut(below)  # beyond that, some partitions have sent theirs and others not
            enough = enough and (full or len(sample) >= needed)
        if enough:
            return None
        sizes = [max(len(sample), 1) for sample in self.samples]
        return [min(ALL, below * 3 * needed // (2 * n)) for n, below in zip(sizes, self.edges, strict=True)]
