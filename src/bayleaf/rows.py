"""Rows: one batch as the native kernels take it; a single row is a batch of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from bayleaf._core import Batch
from bayleaf.errors import BadValueError, BayleafError, MismatchError

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints

P = ParamSpec("P")
T = TypeVar("T")

BLOCK = 1 << 18  # numbers in an array that is made for a part of a batch: 2 MiB
NATIVE = frozenset(np.dtype(kind) for kind in ("f8", "f4", "i8", "i4", "u1"))

WORDS = {
    "negative": "Negative values in data passed to {source}: found {value:g} in row {row}, column {column}; expected "
    "zero or more. Shift or encode that column (a MinMaxScaler needs clip=True for new rows), or use GaussianNB",
    "negative code": "Negative values in data passed to {source}: found {value:g} in row {row}, column {column}; "
    "expected category codes from 0 on. Write NaN for what is not known (OrdinalEncoder: unknown_value=np.nan), or "
    "pass the categories as they are",
    "infinite": "Input X contains infinity or a value too large for dtype('float64'): found {value} in row {row}, "
    "column {column} passed to {source}. Replace it, or use NaN to mark it as missing",
    "large": "Category codes in data passed to {source} are too large: found {value:g} in row {row}, column {column}. "
    "Number the categories from 0 on, as OrdinalEncoder does",
    "unknown": "Unknown category in row {row} of data passed to {source}",
    "overflow": "Data passed to {source} is too large to be summed or squared: found {value:g} in row {row}, column "
    "{column}. Rescale that column",
}


class Rows:
    """A batch of rows: dense, sparse (CSR), or category codes.

    With `above`, a value counts as 1 when it is larger than that and as 0 otherwise. NaN means missing. `names` is
    what their owner calls the columns; without it errors give numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from bayleaf.rows import Rows
    >>> rows = Rows.of(np.array([[2.0, 0.0], [0.0, 3.0]]))
    >>> len(rows), rows.width
    (2, 2)
    """

    __slots__ = ("above", "names", "source", "starts", "values")

    def __init__(
        self, values: Any, above: float | None, starts: Ints | None, source: str, names: Sequence[Any] | None = None
    ) -> None:
        self.values, self.above, self.starts, self.source, self.names = values, above, starts, source, names

    @classmethod
    def of(cls, values: Any, source: str = "the rows", names: Sequence[Any] | None = None) -> Rows:
        """Rows of numbers, one column each; `values` is a 2-d array or a SciPy CSR matrix."""
        return cls(_native(values), None, None, source, names)

    @classmethod
    def codes(cls, values: Array, starts: Ints, source: str = "the rows", names: Sequence[Any] | None = None) -> Rows:
        """Rows of category codes; column j owns the tally columns ``starts[j]`` up to ``starts[j + 1]``."""
        return cls(_native(values), None, starts, source, names)

    def __len__(self) -> int:
        return int(self.values.shape[0])

    @property
    def width(self) -> int:
        """Number of tally columns these rows fill."""
        return int(self.values.shape[1] if self.starts is None else self.starts[-1])

    @property
    def sparse(self) -> bool:
        """Whether zeros are left out."""
        return not isinstance(self.values, np.ndarray)

    def present(self, above: float = 0.0) -> Rows:
        """The same rows with only presence counted."""
        return Rows(self.summed().values, above if self.starts is None else None, self.starts, self.source, self.names)

    def counts(self) -> Rows:
        """The same rows; refuses values below zero, which are no counts."""
        values = self.summed().values
        if ((values.data if self.sparse else values) < 0).any():
            row, column = (int(places[0]) for places in (values < 0).nonzero())
            raise self._in_words(ValueError("negative", row, column, float(values[row, column])))
        return self

    def summed(self) -> Rows:
        """The same rows with one entry per cell, where a sparse matrix has several, which add up."""
        if not self.sparse or self.values.has_canonical_format:
            return self
        values = self.values.copy()
        values.sum_duplicates()
        return Rows(values, self.above, self.starts, self.source, self.names)

    def __getitem__(self, part: Any) -> Rows:
        return Rows(self.values[part], self.above, self.starts, self.source, self.names)

    def parts(self, wide: int) -> Iterator[slice]:
        """Slices of the rows, in order, whose arrays of `wide` numbers for each row fill a block; one row at least."""
        step = max(1, BLOCK // max(1, wide))
        return (slice(start, start + step) for start in range(0, len(self), step))

    def column(self, j: int) -> Rows:
        """One column of the same rows."""
        starts = None if self.starts is None else np.array([0, self.starts[j + 1] - self.starts[j]])
        names = None if self.names is None else self.names[j : j + 1]
        return Rows(self.values[:, j : j + 1], self.above, starts, self.source, names)

    def run(self, kernel: Callable[Concatenate[Batch, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a native kernel on the rows; its faults come out in words."""
        try:
            return kernel(self._batch(), *args, **kwargs)
        except ValueError as fault:
            raise self._in_words(fault) from None

    def _in_words(self, fault: ValueError) -> BayleafError:
        if len(fault.args) != 4:
            return MismatchError(f"{self.source}: {fault}")
        kind, row, column, value = fault.args
        if kind == "overflow":  # the kernel stops where a sum does; what made it so large may stand elsewhere
            row, value = self.farthest(column)
        name = column if self.names is None else self.names[column]
        which = "negative code" if kind == "negative" and self.starts is not None else kind
        words = WORDS[which].format(source=self.source, row=row, column=name, value=value)
        return BadValueError(words, kind, row, str(name))

    def farthest(self, column: int) -> tuple[int, float]:
        """Where a column is farthest from zero, and its value there."""
        values = self.values[:, [column]]
        cells = np.asarray(values.toarray() if self.sparse else values, dtype=np.float64).ravel()
        row = int(np.argmax(np.abs(np.nan_to_num(cells, posinf=np.inf, neginf=-np.inf))))
        return row, float(cells[row])

    def _batch(self) -> Batch:
        values = self.values
        if self.starts is not None:
            return Batch.codes(values, self.starts)
        if self.sparse:
            return Batch.csr(values.indptr, values.indices, values.data, values.shape[1], self.above)
        return Batch.dense(values, self.above)

    def dense(self) -> Floats:
        """All cells as float64, lifted, missing ones NaN."""
        values = self.values.toarray() if self.sparse else self.values
        values = np.asarray(values, dtype=np.float64)
        if self.above is None:
            return values
        return np.where(np.isnan(values), np.nan, values > self.above)

    def entries(self) -> tuple[Ints, Ints, Floats]:
        """Row, tally column and value of every cell that is neither zero nor missing."""
        if self.starts is not None:
            codes = np.asarray(self.values, dtype=np.float64)
            row, column = np.nonzero((codes >= 0) & (codes < np.diff(self.starts)))
            return row, self.starts[column] + codes[row, column].astype(np.int64), np.ones(len(row))
        if self.sparse:
            canonical = self.summed().values
            row = np.repeat(np.arange(len(self)), np.diff(canonical.indptr))
            column, value = canonical.indices.astype(np.int64), canonical.data.astype(np.float64)
            if self.above is not None:
                value = np.where(np.isnan(value), value, value > self.above)
            kept = (value != 0) & ~np.isnan(value)
            return row[kept], column[kept], value[kept]
        values = self.dense()
        row, column = np.nonzero((values != 0) & ~np.isnan(values))
        return row, column, values[row, column]


def _native(values: Any) -> Any:
    """The values in a dtype the kernels know, copied only if they must be."""
    dtype = values.dtype
    if not isinstance(values, np.ndarray):
        if values.indices.dtype != values.indptr.dtype:
            values = values.copy()
            values.indices, values.indptr = values.indices.astype(np.int64), values.indptr.astype(np.int64)
    elif not values.flags.aligned:
        values = values.copy()
    if dtype in NATIVE and dtype.isnative:
        return values
    if dtype == np.bool_:
        if isinstance(values, np.ndarray):
            return values.view(np.uint8)
        if not values.has_canonical_format:  # true twice is true: as numbers its entries would add up to 2
            values = values.copy()
            values.sum_duplicates()
        return values.astype(np.uint8)
    return values.astype(np.float64)
