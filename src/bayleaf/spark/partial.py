"""partial: what one partition teaches, counted in native code."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from bayleaf.spark.hollow import Classifier, hollow, text_part
from bayleaf.spark.piece import pieces
from bayleaf.spark.retained import needed, share
from bayleaf.spark.settled import settled
from bayleaf.spark.summary import Summary

ROWS = 65_536  # learned at a time: each batch numbers its words anew, so fewer are better,
BYTES = 1 << 26  # and at most about so much of them
KEYS = 1 << 22  # held before they are sent on
SCHEMA = "shard int, payload binary"
SUMMARY = -1  # the shard of what is no count of keys


@dataclass(frozen=True)
class Task:
    """What every partition is to learn, and how."""

    classifier: Classifier  # unfitted
    reading: Reading
    shards: int
    edges: list[int] | None = None  # only the documents below these hashes are wanted, and no counts


class Reading(Protocol):
    """How a partition's record batches are understood."""

    @property
    def where(self) -> str:
        """Where rows are looked for."""

    def learned(self, classifier: Any, batches: Iterable[pa.RecordBatch]) -> Iterator[int]:
        """Learn the rows; at each step how many had no label."""


@dataclass(frozen=True)
class Columns:
    """Reads columns of a data frame."""

    names: list[str]
    label: str
    texts: tuple[str, ...] | None  # columns of texts; none where the classifier is one for records
    groups: str | None

    @property
    def where(self) -> str:
        """Where rows are looked for."""
        return f"column {self.label!r}"

    def learned(self, classifier: Any, batches: Iterable[pa.RecordBatch]) -> Iterator[int]:
        """Learn the rows; at each step how many had no label."""
        for some in gathered(batches):
            table = some.rename_columns(self.names)
            known = table.filter(labelled(table[self.label]))
            if len(known):
                extra = {"groups": known[self.groups].to_pylist()} if self.groups else {}
                classifier.partial_fit(self._columns(known), known[self.label].to_pylist(), **extra)
            yield len(table) - len(known)

    def _columns(self, table: pa.Table) -> Any:
        """The rows as the classifier takes them; a missing text is empty."""
        if self.texts is None:
            return {name: cells(table[name]) for name in table.column_names if name != self.label}
        found = {name: table[name].fill_null("").to_pylist() for name in self.texts}
        return next(iter(found.values())) if len(found) == 1 else found


def partial(task: Task) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function for `mapInArrow`: batches of rows in, pieces of counts and a summary out.

    It has no side effects, so that a task which is tried again, or by two machines at once, counts once.
    """

    def count(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        settled()
        partition = _partition()
        classifier = pickle.loads(pickle.dumps(task.classifier))
        unlabelled = 0
        for some in task.reading.learned(classifier, batches):
            unlabelled += some
            yield from _sent(task, classifier, KEYS)
        yield from _sent(task, classifier, 0)
        count = share(partition, needed(task.classifier))
        known = classifier if classifier.__sklearn_is_fitted__() else None
        summary = Summary.of(known, unlabelled, count, task.edges)
        for payload in summary.dumps():
            yield row(SUMMARY, payload)

    return count


def _partition() -> int:
    from pyspark import TaskContext  # noqa: PLC0415 - runs on the workers

    context = TaskContext.get()
    return 0 if context is None else int(context.partitionId())


def _sent(task: Task, classifier: Any, most: int) -> Iterator[pa.RecordBatch]:
    """The counts as rows, taken out of the classifier, if there are more than `most` keys."""
    text = text_part(classifier) if classifier.__sklearn_is_fitted__() else None
    if text is None or text._tally.distinct.sum() <= most:
        return
    full = hollow(text)
    if task.edges is None:
        for shard, piece in pieces(text.classes_, full, task.shards):
            yield row(shard, piece.dump())


def gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Arrow batches put together to as many rows as are learned best."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        held.append(batch)
        if sum(map(len, held)) >= ROWS or sum(some.nbytes for some in held) >= BYTES:
            yield pa.Table.from_batches(held)
            held = []
    if held:
        yield pa.Table.from_batches(held)


def labelled(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Which rows have a label: neither null nor empty, as `bayleaf train` sees it."""
    known = pc.is_valid(column)
    return pc.and_(known, pc.fill_null(pc.not_equal(column, ""), False)) if pa.types.is_string(column.type) else known


def cells(column: pa.ChunkedArray | pa.Array) -> Any:
    """The cells of a column: floats as an array; whole numbers as such, which floats cannot hold beside gaps."""
    floats = pa.types.is_floating(column.type)
    return column.to_numpy(zero_copy_only=False) if floats else column.to_pylist()


def row(shard: int, payload: bytes) -> pa.RecordBatch:
    """One row of the schema."""
    return pa.RecordBatch.from_pydict(
        {"shard": pa.array([shard], pa.int32()), "payload": pa.array([payload], pa.binary())}
    )
