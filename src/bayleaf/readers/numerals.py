"""Numerals: how a column of a text table writes numbers with commas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bayleaf.missing import MISSING

ENOUGH = 1_000  # cells of a column that are looked at
MOSTLY = 0.9  # share of them that makes a column of numbers, as where kinds are guessed


class Numerals(NamedTuple):
    """The cells that are such numbers, those among them that can be nothing else, what tells it, and its two marks."""

    all: re.Pattern[str]
    sure: re.Pattern[str]
    words: str
    group: str
    decimal: str

    def share(self, cells: Sequence[str]) -> float:
        """How many of the cells are such numbers."""
        return sum(self.all.fullmatch(cell) is not None for cell in cells) / len(cells)

    def plain(self, cell: str | None) -> str | None:
        """The number as `float` reads it; what is no such number stays as it is.

        >>> COMMA.plain("-1.234,56"), POINT.plain("1,000.50"), COMMA.plain("none")
        ('-1234.56', '1000.50', 'none')
        """
        if cell is None or not self.all.fullmatch(cell.strip()):
            return cell
        return cell.replace(self.group, "").replace(self.decimal, ".")


# 1,234 may be either; 4694,66 and 0,125 have a decimal comma, 1,000.50 and 1,000,000 commas between thousands.
COMMA = Numerals(
    re.compile(r"[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?"),
    re.compile(r"[-+]?(?:\d+,(?:\d{1,2}|\d{4,})|(?:0|\d{4,}),\d{3}|\d{1,3}(?:\.\d{3})+,\d+)"),
    "decimal comma",
    group=".",
    decimal=",",
)
POINT = Numerals(
    re.compile(r"[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?"),
    re.compile(r"[-+]?[1-9]\d{0,2}(?:(?:,\d{3}){2,}|,\d{3}\.\d+)"),
    "commas between thousands",
    group=",",
    decimal=".",
)


def numerals(columns: Mapping[str, Sequence[str | None]], delimiter: str) -> dict[str, Numerals]:
    """The columns that hold hardly anything but numbers, some with commas, and how these are meant.

    A decimal comma is looked for where another character parts the fields. One column that leaves no doubt settles it
    for the others of the file; a column that stays in doubt is left as it is.

    >>> found = numerals({"sum": ["4694,66", "1.000,5"], "rate": ["1,234", ""], "name": ["a,5", "b"]}, ";")
    >>> {name: how.words for name, how in found.items()}
    {'sum': 'decimal comma', 'rate': 'decimal comma'}
    """
    some = {name: _some(column) for name, column in columns.items()}
    some = {name: cells for name, cells in some.items() if any("," in cell for cell in cells)}
    for how in (COMMA, POINT) if delimiter in ";\t" else (POINT,):
        fit = {name: how for name, cells in some.items() if how.share(cells) >= MOSTLY}
        if any(how.sure.fullmatch(cell) for name in fit for cell in some[name]):
            return fit
    return {}


def _some(column: Sequence[str | None]) -> list[str]:
    return [cell.strip() for cell in column[:ENOUGH] if cell is not None and cell.strip() not in MISSING]
