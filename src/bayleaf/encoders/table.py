"""Table: a dataframe or array of mixed columns, read column by column."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

import narwhals as nw
import numpy as np
from scipy import sparse

from bayleaf.encoders.categories import plain
from bayleaf.errors import BayleafError

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats


LARGEST = float(np.finfo(np.float64).max)
REMEDY = "Convert it, for example to days since a date, or leave it out"


@dataclass(frozen=True, eq=False)
class Table:
    """Columns by number; pandas, polars and pyarrow tables come through narwhals, anything else as an array.

    Examples
    --------
    >>> table = Table.of([[1.5, "red"], [None, "green"]])
    >>> [table.kind(0), table.kind(1)]
    ['gaussian', 'categorical']
    """

    frame: Any
    names: list[str]
    columns: Any  # narwhals series, or a 2-d array, or arrays of numbers and lists of values

    @classmethod
    def of(cls, X: Any, who: str = "Table") -> Table:
        """X as a table; refuses what is not two-dimensional."""
        if isinstance(X, cls):
            return X
        wrapped = wrap(tabular(X))
        if isinstance(wrapped, nw.DataFrame):
            if len(wrapped) == 0:
                raise BayleafError(f"Found a table with 0 sample(s) while a minimum of 1 is required by {who}.")
            return cls(X, [str(name) for name in wrapped.columns], list(wrapped.iter_columns()))
        if sparse.issparse(X):
            raise TypeError(f"Sparse data was passed to {who}, which needs all cells. Use X.toarray() to convert it")
        array = as_array(X)
        if array.ndim != 2:
            raise BayleafError(
                f"Expected 2D array, got {array.ndim}D array instead. Reshape your data: one row per sample, for one "
                "column X.reshape(-1, 1), for one row X.reshape(1, -1)"
            )
        n, d = array.shape
        if n == 0:
            raise BayleafError(f"Found array with 0 sample(s) (shape={array.shape}) while a minimum of 1 is required.")
        if d == 0:
            raise BayleafError(
                f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of 1 is required by {who}."
            )
        if array.dtype.kind in "mM":
            raise BayleafError(f"X holds {array.dtype}; expected numbers or categories. {REMEDY}")
        if array.dtype.kind == "c":
            raise BayleafError(f"Complex data not supported: found {array.dtype}, expected numbers or categories")
        return cls(array, [f"x{j}" for j in range(d)], array)

    @classmethod
    def of_columns(cls, columns: list[Any], names: list[str]) -> Table:
        """Arrays of float64 and lists of values, as they are: for callers that have parsed them."""
        return cls(np.broadcast_to(np.nan, (len(columns[0]), len(columns))), names, columns)

    def place(self, column: Any) -> int:
        """The number of a column given by name or number."""
        size, number = len(self.names), isinstance(column, int | np.integer) and not isinstance(column, bool)
        if isinstance(column, str) and column in self.names:
            return self.names.index(column)
        if number and -size <= column < size:  # a mask of truth values names no columns
            return int(column) % size
        known = ", ".join(map(repr, self.names[:20]))
        raise BayleafError(f"No column {column!r}; expected one of {known}, or a number from 0 to {size - 1}")

    def kind(self, column: int) -> Literal["gaussian", "categorical"]:
        """Numbers are gaussian; text, categories and booleans are categorical."""
        if isinstance(self.columns, np.ndarray):
            if self.columns.dtype.kind != "O":
                return "gaussian" if self.columns.dtype.kind in "fiu" else "categorical"
            return _kind(self.columns[:, column])
        dtype = self.columns[column].dtype
        if dtype.is_numeric():
            return "gaussian"
        if dtype in (nw.Object, nw.Unknown):  # unknown to narwhals: pandas' sparse numbers, a column of nulls
            return _kind(self.columns[column].to_list())
        if dtype.is_temporal() or dtype.is_nested():
            raise BayleafError(f"Column {self.names[column]!r} holds {dtype}; expected numbers or categories. {REMEDY}")
        return "categorical"

    def values(self, column: int) -> Any:
        """The cells of a column as Python values."""
        if isinstance(self.columns, np.ndarray):
            return self.columns[:, column].tolist()
        values = self.columns[column]
        return values if isinstance(values, list) else values.to_list()

    def numbers(self, columns: list[int]) -> Floats:
        """Some columns as float64, missing values NaN; not copied where all columns of an array are asked for."""
        if isinstance(self.columns, np.ndarray) and self.columns.dtype.kind in "fiub":
            whole = columns == list(range(self.columns.shape[1]))
            return self.columns if whole else np.ascontiguousarray(self.columns[:, columns])
        n = len(self.columns) if isinstance(self.columns, np.ndarray) else len(self.columns[0])
        table = np.empty((n, len(columns)))
        for j, column in enumerate(columns):
            table[:, j] = self._floats(column)
        return table

    def _floats(self, column: int) -> Array:
        if isinstance(self.columns, list) and isinstance(self.columns[column], np.ndarray):
            cells: Array = self.columns[column]
            return cells
        try:
            return np.array(
                [np.nan if (v := plain(value)) is None else v for value in self.values(column)], dtype=float
            )
        except (TypeError, ValueError, OverflowError):
            found = next((v for v in map(plain, self.values(column)) if not _readable(v)), "something else")
            raise BayleafError(
                f"Column {self.names[column]!r} holds {reprlib.repr(found)}; expected numbers. Name it under families "
                '{"categorical": [...]} or convert it'
            ) from None


def wrap(X: Any) -> Any:
    """A data frame as narwhals has it, anything else as it is; refuses two columns of one name."""
    try:
        if hasattr(X, "__arrow_c_array__") and hasattr(X, "schema"):  # a batch of rows, which narwhals does not know
            return nw.from_arrow(X, backend="pyarrow")
        return nw.from_native(X, eager_only=True, pass_through=True)
    except nw.exceptions.DuplicateError:
        names = [str(name) for name in getattr(X, "column_names", X.columns)]  # pyarrow, pandas
        twice = sorted({name for name in names if names.count(name) > 1})
        raise BayleafError(
            f"Found several columns called {', '.join(twice)}; expected one of each name. Rename or drop the others"
        ) from None


def refuse_lazy(X: Any) -> None:
    """Refuse a query of polars that has not been run."""
    if hasattr(X, "collect_schema") and hasattr(X, "collect"):
        raise BayleafError(f"Found a {type(X).__name__} as X; expected the rows themselves. Call X.collect() first")


def has_dates(X: Any) -> bool:
    """Whether a data frame has columns of dates or durations, of which some would come as bare numbers."""
    wrapped = wrap(X) if hasattr(X, "columns") else X
    return isinstance(wrapped, nw.DataFrame) and any(kind.is_temporal() for kind in wrapped.schema.values())


def tabular(X: Any) -> Any:
    """X as scikit-learn reads it right; refuses what has no rows, or rows of unequal length."""
    rowwise = isinstance(X, list | tuple) and len(X) > 0 and type(X[0]) is dict
    if rowwise or type(X) is dict:  # a sparse matrix of keys is one too, of its own type
        found = "a list of dicts" if rowwise else "a dict"
        raise BayleafError(
            f"Found {found} as X; expected a table. Make one of it, for example by pandas.DataFrame(X), or take "
            "RecordClassifier"
        )
    refuse_lazy(X)
    if isinstance(X, list | tuple):
        _refuse_ragged(X)
    if not hasattr(X, "columns"):
        return X
    wrap(X)  # refuses two columns of one name
    for place, column in enumerate(X.columns if hasattr(X, "column_names") else ()):  # pyarrow
        if hasattr(column.type, "value_type") and hasattr(column.type, "index_type"):
            # Its own way to an array takes a null in a dictionary for the dictionary's last word.
            X = X.set_column(place, X.column_names[place], column.cast(column.type.value_type))
    return X


def narrowed(X: Any) -> Any:
    """A data frame with integers of 128 bits as floats, which arrays can hold; anything else as it is."""
    wrapped = wrap(X) if hasattr(X, "columns") else X
    if not isinstance(wrapped, nw.DataFrame):
        return X
    wide = [name for name, kind in wrapped.schema.items() if kind in (nw.Int128, nw.UInt128)]
    return wrapped.with_columns(nw.col(wide).cast(nw.Float64)).to_native() if wide else X


def _refuse_ragged(X: Any) -> None:
    sizes = [len(row) if isinstance(row, list | tuple) else None for row in X]
    other = next((i for i, size in enumerate(sizes) if size != sizes[0]), None)
    if other is not None and sizes[0] is not None and sizes[other] is not None:
        raise BayleafError(
            f"Found rows of unequal length: row {other} has {sizes[other]} values, row 0 has {sizes[0]}; expected as "
            "many in each. Use None where a value is missing"
        )


def as_array(X: Any) -> Array:
    """X as an array in which numbers and strings keep their kinds."""
    X = unmasked(X)
    try:
        array = np.asarray(X)
    except ValueError:  # rows of unequal length
        array = np.asarray(X, dtype=object)
    if array.dtype.kind in "US" and not isinstance(X, np.ndarray):
        array = np.asarray(X, dtype=object)  # a list of numbers and strings: each keeps its kind
    return array


def unmasked(X: Any) -> Any:
    """A masked array as a plain one, NaN or None where it was masked; anything else as it is."""
    if not isinstance(X, np.ma.MaskedArray):
        return X
    if not np.ma.is_masked(X):
        return X.data
    cells = X.data.astype({"f": X.dtype, "i": np.float64, "u": np.float64}.get(X.dtype.kind, object))
    cells[X.mask] = None if cells.dtype == object else np.nan
    return cells


def _readable(value: Any) -> bool:
    """Whether a value is missing or a number, which digits are too."""
    try:
        float(0 if value is None else value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _kind(values: Any) -> Literal["gaussian", "categorical"]:
    """Numbers throughout, or not; a column with nothing in it counts as numbers."""
    plains = (plain(value) for value in values)
    numbers = all(v is None or (isinstance(v, int | float | Decimal) and not isinstance(v, bool)) for v in plains)
    return "gaussian" if numbers else "categorical"
