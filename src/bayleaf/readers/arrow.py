"""Parquet and Arrow (IPC files and streams, Feather), with pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bayleaf.errors import DataError
from bayleaf.readers.input import Input
from bayleaf.readers.objects import flat
from bayleaf.readers.source import Piece, Source, repeated
from bayleaf.readers.text import PIECE

STEP = 1024  # rows turned into Python values at a time


class Arrow(Source):
    """Row groups of a Parquet file or record batches of an Arrow file, one at a time."""

    def __init__(self, source: Input, *, format: str) -> None:
        super().__init__(source)
        self.format = format
        if source.path is None or not source.rereadable or source.packing:
            raise DataError(f"{self.name}: {format} is read from files that are not packed; put it into one")
        try:
            import pyarrow as pa
        except ImportError:
            words = f'{self.name}: reading {format} needs pyarrow, which is not installed; pip install "bayleaf[arrow]"'
            raise DataError(words) from None
        self._path = str(source.path)
        self._faults = (pa.ArrowException, OSError, ValueError)
        try:
            with self._opened() as file:
                schema = file.schema_arrow if format == "parquet" else file.schema
                self.names = list(schema.names)
        except self._faults as fault:
            raise DataError(self._words(fault)) from fault
        twice = repeated(self.names)
        if twice is not None:
            raise DataError(f"{self.name}: found two columns called {twice!r}, expected names that differ; rename one")

    def pieces(self) -> Iterator[Piece]:
        """The rows, a thousand at a time; a place is the number of the row."""
        row = 1
        try:
            with self._opened() as file:
                for batch in self._batches(file):
                    yield from cut(batch, range(row, row + batch.num_rows))
                    row += batch.num_rows
        except self._faults as fault:
            raise DataError(self._words(fault)) from fault

    def _opened(self) -> Any:
        import pyarrow as pa

        if self.format == "parquet":
            from pyarrow import parquet

            return parquet.ParquetFile(self._path)
        with open(self._path, "rb") as file:  # noqa: PTH123
            start = file.read(6)
        if start == b"ARROW1":
            return pa.ipc.open_file(pa.memory_map(self._path))
        return pa.ipc.open_stream(pa.memory_map(self._path))

    def _batches(self, file: Any) -> Iterator[Any]:
        if self.format == "parquet":
            about = file.metadata
            size = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
            rows = 8 * PIECE * about.num_rows // max(size, 1)  # of about 2 MB
            yield from file.iter_batches(batch_size=max(1, min(1 << 16, rows)))
        elif hasattr(file, "num_record_batches"):
            yield from (file.get_batch(i) for i in range(file.num_record_batches))
        else:
            yield from file

    def _words(self, fault: BaseException) -> str:
        return f"{self.name}: found a broken {self.format} file ({str(fault).splitlines()[0][:120]}); write it again"


def cut(batch: Any, places: Sequence[int]) -> Iterator[Piece]:
    """The rows of a record batch, some at a time."""
    for start in range(0, batch.num_rows, STEP):
        part = batch.slice(start, STEP)
        yield Piece(part.nbytes, [values(column) for column in part.columns], places[start : start + STEP])


def values(column: Any) -> list[Any]:
    """The column as text, numbers, true and false; dates as ISO text, lists and structures as JSON."""
    found = flat(column.to_pylist())
    kinds = set(map(type, found)) - {str, int, float, bool, type(None)}
    if not kinds:
        return found
    return [v if v is None or isinstance(v, (str, int, float, bool)) else _text(v) for v in found]


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
