"""Cells: the raw values of a column as numbers, categories or texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.encoders.categories import plain
from bayleaf.encoders.documents import as_list
from bayleaf.errors import BadValueError
from bayleaf.missing import MISSING, written

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats

Column = Any  # a list of cells, or an array of numbers

NO_NUMBER = frozenset((*MISSING, "None", "none", "na", "n/a", "Null", "NAN", "-", ".", "#N/A", "#NV"))
WHOLE = re.compile(r"(0|-?[1-9]\d*)\.0+")


def numbers(name: str, column: Column) -> Floats:
    """The cells as float64, NaN where one is missing; refuses what is no number, by column, value and row.

    >>> numbers("size", ["1.5", " 2 ", "1e3", "", None, "NA"])
    array([   1.5,    2. , 1000. ,    nan,    nan,    nan])
    """
    if isinstance(column, np.ndarray) and column.dtype.kind in "fiub":
        values = column.astype(np.float64)
    else:
        try:
            values = np.fromiter(map(float, refuse_codes(column)), dtype=np.float64, count=len(column))
        except (TypeError, ValueError, OverflowError):
            values = np.array([_number(name, cell, row) for row, cell in enumerate(column)], dtype=np.float64)
    infinite = np.isinf(values)
    if infinite.any():
        row = int(infinite.argmax())
        raise refusal(name, column[row], row)
    return values + 0.0  # there is one zero: equal records are one in the sample


def number(cell: Any) -> float:
    """A cell as a number; unlike `float` it takes 1_2 for a code.

    >>> number("1.5")
    1.5
    """
    if isinstance(cell, str) and "_" in cell:
        raise ValueError(f"{cell!r} is no number")
    return float(cell)


def refuse_codes(column: Column) -> Column:
    """The column, if `float` reads its cells as `number` does."""
    if "_" in "".join(cell for cell in column if isinstance(cell, str)):
        raise ValueError("codes with underscores")
    return column


def _number(name: str, cell: Any, row: int) -> float:
    cell = plain(cell)
    if cell is None or (isinstance(cell, str) and cell.strip() in NO_NUMBER):
        return np.nan
    try:
        return number(cell)
    except (TypeError, ValueError, OverflowError):
        raise refusal(name, cell, row) from None


def refusal(name: str, cell: Any, row: int) -> BadValueError:
    """The error for a cell that is no number; its row and column are attributes too."""
    found = plain(cell)
    shown = repr(found) if len(repr(found)) <= 60 else repr(found)[:57] + "..."
    return BadValueError(
        f"Found {shown} in row {row} of column {name!r}, expected a finite number. Leave the cell empty, or give the "
        f'column another kind: columns={{{name!r}: "category"}}, "text" or "ignore"',
        row=row,
        column=name,
    )


def categories(column: Column) -> list[str | None]:
    """The cells as text without surrounding space, None where one is missing.

    3, 3.0, "3" and "3.0" are one category, and so are True, "TRUE" and "true", however a file writes them.

    >>> categories(["red", " red", "", None, "NA"]), categories([True, "true", 3, 3.0, "3.0", 2.5])
    (['red', 'red', None, None, None], ['True', 'True', '3', '3', '3', '2.5'])
    """
    cells = as_list(column)
    kinds = set(map(type, cells)) - {type(None)}
    if len(kinds) > 1:  # 1 and True are one key of a dictionary
        return [_category(cell) for cell in cells]
    try:
        known = {cell: _category(cell) for cell in set(cells)}
    except TypeError:  # lists, as JSON has them
        return [_category(cell) for cell in cells]
    return [known[cell] for cell in cells]


def _category(cell: Any) -> str | None:
    cell = plain(cell)
    if cell is None:
        return None
    text = written(cell).strip()
    if text in MISSING:
        return None
    if text.endswith("0") and (whole := WHOLE.fullmatch(text)):
        return whole[1]
    return text.capitalize() if text.lower() in ("true", "false") else text


def texts(column: Column) -> list[str]:
    """The cells as text, empty where one is missing.

    >>> texts(["good morning", None, float("nan"), 3])
    ['good morning', '', '', '3']
    """
    cells = as_list(column)
    if set(map(type, cells)) == {str}:
        return cells
    return ["" if (value := plain(cell)) is None else str(value) for cell in cells]


def present(column: Column) -> list[Any]:
    """The cells that are not missing; text without surrounding space."""
    cells = (plain(cell) for cell in as_list(column))
    stripped = (cell.strip() if isinstance(cell, str) else cell for cell in cells)
    return [cell for cell in stripped if cell is not None and not (isinstance(cell, str) and cell in MISSING)]


def readable(cells: list[Any]) -> Array:
    """Which of these cells are numbers; infinity only where it is no text: it is refused when it is learned."""

    def fits(cell: Any) -> bool:
        try:
            return isinstance(cell, float) or bool(np.isfinite(number(cell)))
        except (TypeError, ValueError, OverflowError):
            return False

    return np.fromiter(map(fits, cells), dtype=bool, count=len(cells))
