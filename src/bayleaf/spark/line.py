"""Line: the documents of a sample as columns, which travel and are sorted out without an object for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bayleaf.text.sample import CHARACTERS, DOCUMENTS, Document, Sample

if TYPE_CHECKING:
    from bayleaf.arrays import Array


@dataclass
class Line:
    """Place, fingerprint, label and texts of documents; those from the place `last` on have been given up."""

    rows: pa.Table
    last: int

    @classmethod
    def of(cls, sample: Sample) -> Line:
        """The documents of a sample."""
        if not len(sample):
            return cls(pa.table({}), sample.last)
        *numbers, labels, texts = sample.lists
        raw = (pa.array(map(_bytes, column), pa.large_binary()) for column in texts)
        columns = [*(pa.array(column, pa.uint64()) for column in numbers), pa.array(labels), *raw]
        return cls(pa.table(columns, [str(n) for n in range(len(columns))]), sample.last)

    def sample(self) -> Sample:
        """The documents as a sample."""
        if not len(self):
            return Sample(last=self.last)
        places, prints, labels, *raw = (column.to_pylist() for column in self.rows.columns)
        texts = ([text.decode("utf-8", "surrogatepass") for text in column] for column in raw)
        parts = zip(places, prints, labels, zip(*texts, strict=True), strict=True)
        return Sample.of(map(Document._make, parts), self.last)

    def __len__(self) -> int:
        return int(self.rows.num_rows)

    @property
    def places(self) -> Array:
        """The places in line."""
        return self.rows.column(0).to_numpy() if len(self) else np.zeros(0, dtype=np.uint64)

    def cut(self, below: int) -> None:
        """Give up the documents from a place on."""
        self.last = min(self.last, below)
        if len(self) and int((places := self.places).max()) >= self.last:
            self.rows = self.rows.filter(pa.array(places < np.uint64(self.last)))

    def absorb(self, part: Line) -> None:
        """Add what another has seen."""
        self.cut(part.last)
        part.cut(self.last)
        if len(part):
            self.rows = pa.concat_tables([self.rows, part.rows]) if len(self) else part.rows
        if len(self) > 2 * DOCUMENTS or self.rows.nbytes > 2 * CHARACTERS:
            self.shrink()

    def shrink(self) -> None:
        """Give up what is beyond the limits, as `Sample` does: whole groups only unless there is one group."""
        if len(self) > DOCUMENTS:
            places = np.partition(self.places, DOCUMENTS)
            if (beyond := int(places[DOCUMENTS])) > int(places.min()):
                self.cut(beyond)
        if len(self) > DOCUMENTS or self.rows.nbytes > CHARACTERS:  # a large group, or long texts
            sample = self.sample()
            sample.shrink()
            self.rows, self.last = Line.of(sample).rows, sample.last

    def chunks(self, size: int) -> Iterator[Line]:
        """The line in parts of about so many bytes."""
        if len(self):
            sizes = sum(pc.binary_length(column).to_numpy() for column in self.rows.columns[3:]) + 100
            numbers = np.cumsum(sizes) // size
            for start, stop in zip(*_runs(numbers), strict=True):
                yield Line(self.rows.slice(start, stop - start), self.last)

    def __getstate__(self) -> Any:
        """Of a slice only what is in it, unlike the pickles of pyarrow."""
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, self.rows.schema) as stream:
            stream.write_table(self.rows)
        return sink.getvalue().to_pybytes(), self.last

    def __setstate__(self, state: Any) -> None:
        payload, self.last = state
        self.rows = pa.ipc.open_stream(payload).read_all()


def _bytes(text: str) -> bytes:
    """A text, which JSON may have given half of a sign outside the basic plane, as Arrow takes it."""
    return text.encode("utf-8", "surrogatepass")


def _runs(numbers: Array) -> tuple[list[int], list[int]]:
    """Where runs of equal numbers begin and end."""
    borders = (np.flatnonzero(np.diff(numbers)) + 1).tolist()
    return [0, *borders], [*borders, len(numbers)]
