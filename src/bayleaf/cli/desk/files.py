"""files: what Spark hands over of files, read as on one machine."""

from __future__ import annotations

import io
import re
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc

from bayleaf.cli.desk.rows import Rows, label_column, labelled, located, opened, refuse_unknown
from bayleaf.errors import BayleafError
from bayleaf.readers.arrow import cut
from bayleaf.readers.input import Input
from bayleaf.readers.source import Piece, Source
from bayleaf.readers.streamed import streamed
from bayleaf.records.records import refuse_absent
from bayleaf.spark.named import named

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

WHOLE = {f"spark.sql.files.{name}": str(1 << 62) for name in ("maxPartitionBytes", "openCostInBytes")}  # a file, a task
GLOB = re.compile(r"[\[\]{}*?\\]")  # what Spark reads as a pattern
FIRST = 256  # lines or rows that the driver asks for, and four times as many while a reader wants more


class Read(NamedTuple):
    """Some labelled rows, where they come from, and how many rows beside them had no label."""

    source: Source
    label: str
    rows: Rows
    unlabelled: int


@dataclass(frozen=True)
class Files:
    """Reads files of which Spark hands over path and size with each line, or path and number with each row."""

    options: Namespace
    names: Mapping[str, str]  # what messages call the files, by their paths
    columns: list[str] | None  # of Parquet; other files have lines
    kinds: Mapping[str, str]
    codes: Mapping[str, str]  # how columns write numbers

    @classmethod
    def of(cls, options: Namespace, columns: list[str] | None) -> Files:
        """What the options name."""
        quiet = Namespace(**{**vars(options), "quiet": True})
        return cls(quiet, {str(Path(path).absolute()): path for path in options.data}, columns, {}, {})

    @property
    def where(self) -> str:
        """Where rows are looked for."""
        return " ".join(self.options.data)

    def learned(self, classifier: Any, batches: Iterable[pa.RecordBatch]) -> Iterator[int]:
        """Learn the rows of a partition; at each step how many had no label."""
        for _, _, rows, unlabelled in self.read(batches):
            if rows.labels:
                with located(rows, given=True):
                    refuse_absent(rows.columns, self.kinds)
                    classifier.partial_fit({name: rows.columns[name] for name in self.kinds}, rows.labels)
            yield unlabelled

    def read(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Read]:
        """The rows of a partition, about as many at a time as on one machine."""
        for path, parts in groupby(_runs(batches), key=itemgetter(0)):
            source = self._source(unquote(path).removeprefix("file:"), map(itemgetter(1), parts))
            label = label_column(source, self.options.label)
            refuse_unknown(source, label, self.options.columns)
            for batch in source.batches():
                known = labelled(batch, label, source)
                yield Read(source, label, known, len(batch) - len(known.labels))

    def _source(self, path: str, parts: Iterator[pa.RecordBatch]) -> Source:
        name = self.names.get(path, path)
        if self.columns is not None:
            return Handed(name, self.columns, parts)
        return opened(name, self.options, self.codes, streamed(_pieces(parts)))

    def begun(self, spark: SparkSession) -> Read:
        """The first rows with a label, from the first file that has any, as many as one machine would look at."""
        for path in self.options.data:
            files = handed(spark, self.columns is not None, [path]).inputFiles()
            for file in sorted(map(unquote, files)):
                read = self._first(handed(spark, self.columns is not None, [file]))
                if read is not None:
                    return read
        raise BayleafError(f"{self.where}: found no labelled row; expected at least one per label")

    def _first(self, df: DataFrame) -> Read | None:
        """The first batch with a label of the file in a data frame: whole, so that a reader may not reach the end."""
        count = FIRST
        while True:
            table = df.limit(count).toArrow()
            left = iter(table.to_batches(max_chunksize=64))
            try:
                found = next((read for read in self.read(left) if read.rows.labels), None)
            except BayleafError:
                if len(table) < count or next(left, None) is not None:
                    raise
            else:
                if len(table) < count or next(left, None) is not None:
                    return found
            count *= 4


class Handed(Source):
    """Rows of Parquet files that come as record batches: path, number and then the columns."""

    format = "parquet"

    def __init__(self, name: str, names: list[str], parts: Iterable[pa.RecordBatch]) -> None:
        super().__init__(Input(name, io.BytesIO()))
        self.names, self._parts = names, parts

    def pieces(self) -> Iterator[Piece]:
        """The rows of the batches."""
        for part in self._parts:
            yield from cut(part.select(range(2, part.num_columns)), pc.add(part.column(1), 1).to_pylist())


def _runs(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Record batches of one file each, and its path, which is the first column."""
    for batch in batches:
        start, runs = 0, pc.run_end_encode(batch.column(0))
        for path, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True):
            yield path, batch.slice(start, end - start)
            start = end


def _pieces(parts: Iterable[pa.RecordBatch]) -> Iterator[bytes]:
    """The bytes of a file, from its lines.

    Spark drops a last line feed, which is half a letter in UTF-16. The size tells, unless Spark has unpacked the file:
    then it is there again where it makes the number of bytes even, and elsewhere nobody misses it.
    """
    read, size, feed = 0, 0, b""
    for part in parts:
        size = part.column(1)[0].as_py()
        piece = feed + b"\n".join(part.column(2).to_pylist())
        read, feed = read + len(piece), b"\n"
        yield piece
    if read < size or (read > size and read % 2):
        yield b"\n"


def handed(spark: SparkSession, parquet: bool, paths: Iterable[str]) -> DataFrame:
    """Files by row or by line, as `Files` takes them; a path of this machine may hold what others read as a pattern."""
    found = [GLOB.sub(r"\\\g<0>", path) if Path(path.removeprefix("file://")).exists() else path for path in paths]
    df = spark.read.parquet(*found) if parquet else spark.read.text(found, lineSep="\n")
    cells = [named(name) for name in df.columns] if parquet else [df["value"].cast("binary").alias("value")]
    return df.select("_metadata.file_path", f"_metadata.{'row_index' if parquet else 'file_size'}", *cells)
