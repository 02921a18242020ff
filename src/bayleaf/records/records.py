"""Records: some rows of a table, their columns parsed by kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from bayleaf.encoders.documents import as_list
from bayleaf.encoders.table import refuse_lazy, unmasked, wrap
from bayleaf.errors import BayleafError, MismatchError
from bayleaf.records import cells
from bayleaf.records.cells import Column

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats


@dataclass(frozen=True, eq=False)
class Records:
    """Numbers (NaN is missing), categories (None is missing) and texts (missing ones are empty), column by column.

    Examples
    --------
    >>> some = Records.of({"size": ["1.5", ""], "note": ["hello", None]}, {"size": "number", "note": "text"})
    >>> some.numbers.tolist(), some.texts
    ([[1.5], [nan]], {'note': ['hello', '']})
    """

    numbers: Floats  # (n, columns)
    categories: list[list[str | None]]
    texts: dict[str, list[str]]
    size: int

    @classmethod
    def of(cls, columns: Mapping[str, Column], kinds: Mapping[str, str]) -> Records:
        """The columns that have a kind; others are passed over, missing ones refused."""
        refuse_absent(columns, kinds)
        size = len(next(iter(columns.values())))
        by_kind = {kind: [name for name in kinds if kinds[name] == kind] for kind in ("number", "category", "text")}
        numbers = np.empty((size, len(by_kind["number"])))
        for j, name in enumerate(by_kind["number"]):
            numbers[:, j] = cells.numbers(name, columns[name])
        return cls(
            numbers,
            [cells.categories(columns[name]) for name in by_kind["category"]],
            {name: cells.texts(columns[name]) for name in by_kind["text"]},
            size,
        )

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, rows: Array) -> Records:
        """Some of the rows, by number."""
        chosen = rows.tolist()
        return Records(
            self.numbers[rows],
            [[column[i] for i in chosen] for column in self.categories],
            {name: [column[i] for i in chosen] for name, column in self.texts.items()},
            len(chosen),
        )

    @property
    def silent(self) -> Array:
        """Which rows have no text at all."""
        blank = [np.fromiter((not text.strip() for text in column), bool, self.size) for column in self.texts.values()]
        return np.logical_and.reduce(blank) if blank else np.ones(self.size, dtype=bool)


def refuse_absent(columns: Iterable[str], kinds: Iterable[str]) -> None:
    """Refuse a table without some of the columns that have a kind."""
    found, expected = list(columns), list(kinds)
    absent = [name for name in expected if name not in found]
    if absent:
        raise MismatchError(
            f"Found the columns {found}, expected {expected}: {', '.join(absent)} not there. Pass every "
            "column that was learned; one without values may hold None throughout, in a file empty cells"
        )


def columns_of(X: Any) -> dict[str, Column]:
    """The columns of a table by name: a mapping of columns, a list of mappings, or a data frame."""
    refuse_lazy(X)
    wrapped = wrap(X)
    if isinstance(wrapped, nw.DataFrame):
        columns = _named((series.name, _series(series)) for series in wrapped.iter_columns())
    elif isinstance(X, Mapping):
        columns = _named((name, _column(name, column)) for name, column in X.items())
    elif isinstance(X, Sequence) and not isinstance(X, str) and all(isinstance(row, Mapping) for row in X):
        names = dict.fromkeys(name for row in X for name in row)
        columns = _named((name, [row.get(name) for row in X]) for name in names)
    else:
        raise BayleafError(
            f"Found {type(X).__name__}, expected a dict of columns, a list of dicts or a data frame. For a bare array "
            "use an estimator such as MixedNB, or name its columns: dict(zip(names, X.T))"
        )
    sizes = {name: len(column) for name, column in columns.items()}
    if len(set(sizes.values())) > 1:
        raise BayleafError(f"Found columns of different lengths: {sizes}; expected one value per row in each")
    if not columns:
        raise BayleafError("Found a table without columns; expected at least one. Pass columns by name")
    return columns


def _named(pairs: Iterable[tuple[Any, Column]]) -> dict[str, Column]:
    """Columns by their names as text; refuses two that are then the same, such as 1 and "1"."""
    columns: dict[str, Column] = {}
    for name, column in pairs:
        if str(name) in columns:
            raise BayleafError(f"Found several columns called {name}; expected one of each name. Rename the others")
        columns[str(name)] = column
    return columns


def _series(series: Any) -> Column:
    if series.dtype.is_numeric():
        values = series.to_numpy()
        if values.dtype.kind in "fiu":
            return values
    return series.to_list()


def _column(name: Any, column: Any) -> Column:
    if isinstance(column, str | set | frozenset) or not isinstance(column, Iterable):
        raise BayleafError(f"Found {column!r} as column {name!r}, expected a list or array of values; put it in a list")
    column = unmasked(column)
    if len(getattr(column, "shape", (0,))) != 1:
        raise BayleafError(
            f"Found a table of shape {column.shape} as column {name!r}, expected one value per row. Give each of its "
            "columns a name, or for one column take X[:, 0]"
        )
    if isinstance(column, np.ndarray) and column.ndim == 1 and column.dtype.kind in "fiu":
        return column
    return as_list(column)


def texts_of(records: Records) -> Any:
    """Texts as `TextClassifier` takes them: one column plain, several by name."""
    columns = records.texts
    return next(iter(columns.values())) if len(columns) == 1 else columns
