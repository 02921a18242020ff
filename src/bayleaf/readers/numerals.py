"""Numerals: how a column of a text table writes numbers with commas, apostrophes or a sign such as % or €."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bayleaf.errors import BayleafError
from bayleaf.missing import MISSING

ENOUGH = 1_000  # cells of a column that are looked at
MOSTLY = 0.9  # share of them that makes a column of numbers, as where kinds are guessed
SIGNS = "%$€£¥₹"  # before or behind a number; amounts in different currencies are no numbers to compare
SEMICOLONS = ";\t"  # what parts fields where numbers may have decimal commas
MARKS = frozenset(f",'’{SIGNS}")  # without any of these numbers are as `float` reads them


class Numerals(NamedTuple):
    """The cells that are such numbers, those among them that can be nothing else, what tells it, and its marks."""

    all: re.Pattern[str]
    sure: re.Pattern[str]
    words: str
    group: str
    decimal: str
    sign: str = ""

    @property
    def code(self) -> str:
        """What a model keeps, to read further files alike."""
        return f"{next(name for name, way in WAYS.items() if way.group == self.group)} {self.sign}".rstrip()

    def fits(self, column: Sequence[str | None], delimiter: str) -> bool:
        """Whether a column that leaves it open may be meant like this; other software writes 1.234 for 1234/1000."""
        cells = [_bare(cell, self.sign) for cell in _some(column)]
        open_ = self.decimal == "." or delimiter in SEMICOLONS or self.settles(cells)
        return open_ and bool(cells) and self.share(cells) >= MOSTLY

    def share(self, cells: Sequence[str]) -> float:
        """How many of the cells are such numbers."""
        return sum(self.all.fullmatch(cell) is not None for cell in cells) / len(cells)

    def settles(self, cells: Sequence[str]) -> bool:
        """Whether one of the cells can be nothing else."""
        return any(self.sure.fullmatch(cell) for cell in cells)

    def plain(self, cell: str | None) -> str | None:
        """The number as `float` reads it; what is no such number stays as it is.

        >>> COMMA.plain("-1.234,56"), POINT.plain("1,000.50"), COMMA.plain("none")
        ('-1234.56', '1000.50', 'none')
        """
        if cell is None or not self.all.fullmatch(bare := _bare(cell.strip(), self.sign)):
            return cell
        return "".join(sign for sign in bare if sign not in self.group).replace(self.decimal, ".")


# 1,234 may be either; 4694,66 and 0,125 have a decimal comma, 1,000.50 and 1,000,000 commas between thousands.
COMMA = Numerals(
    re.compile(r"[-+]?(?:\d+|\d{1,3}(?:[. \u00a0\u202f]\d{3})+)(?:,\d+)?"),
    re.compile(r"[-+]?(?:\d+,(?:\d{1,2}|\d{4,})|(?:0|\d{4,}),\d{3}|\d{1,3}(?:[. \u00a0\u202f]\d{3})+,\d+)"),
    "decimal comma",
    group=". \u00a0\u202f",
    decimal=",",
)
POINT = Numerals(
    re.compile(r"[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?"),
    re.compile(r"[-+]?[1-9]\d{0,2}(?:(?:,\d{3}){2,}|,\d{3}\.\d+)"),
    "commas between thousands",
    group=",",
    decimal=".",
)
APOSTROPHE = Numerals(
    re.compile(r"[-+]?(?:\d+|\d{1,3}(?:['’]\d{3})+)(?:\.\d+)?"),
    re.compile(r"[-+]?[1-9]\d{0,2}(?:['’]\d{3})+(?:\.\d+)?"),
    "apostrophes between thousands",
    group="'’",
    decimal=".",
)
WAYS = {"comma": COMMA, "point": POINT, "apostrophe": APOSTROPHE}


def numeral(code: str) -> Numerals:
    """How numbers are written, by what a model keeps of it.

    >>> numeral("comma %").plain("1.234,5 %"), numeral("comma %").code
    ('1234.5', 'comma %')
    """
    name, _, sign = code.partition(" ")
    if name not in WAYS or sign not in ("", *SIGNS):
        raise BayleafError(f"Found the numerals {code!r:.40}, expected one of {', '.join(WAYS)}, a sign behind it")
    return _signed(WAYS[name], sign)


def numerals(columns: Mapping[str, Sequence[str | None]], delimiter: str) -> dict[str, Numerals]:
    """The columns that hold hardly anything but numbers, some with marks or all with one sign, and how these are meant.

    A decimal comma is looked for where another character parts the fields. One column that leaves no doubt settles it
    for the others of the file; a column that stays in doubt is left as it is. 5 % is 5.

    >>> found = numerals({"sum": ["4694,66", "1.000,5"], "rate": ["1,234", ""], "name": ["a,5", "b"]}, ";")
    >>> {name: how.words for name, how in found.items()}
    {'sum': 'decimal comma', 'rate': 'decimal comma'}
    """
    some = {name: _some(column) for name, column in columns.items()}
    some = {name: cells for name, cells in some.items() if any(not MARKS.isdisjoint(cell) for cell in cells)}
    signs = {name: _sign(cells) for name, cells in some.items()}
    bare = {name: [_bare(cell, signs[name]) for cell in cells] for name, cells in some.items()}
    ways = (COMMA, POINT, APOSTROPHE) if delimiter in SEMICOLONS else (POINT, APOSTROPHE)
    found = {name: how for name, cells in bare.items() if signs[name] and (how := _alone(ways, cells))}
    for how in ways:
        fit = {name: how for name, cells in bare.items() if how.share(cells) >= MOSTLY}
        if any(how.settles(bare[name]) for name in fit):
            found |= fit
            break
    return {name: _signed(found[name], signs[name]) for name in bare if name in found}


def _some(column: Sequence[str | None]) -> list[str]:
    return [cell.strip() for cell in column[:ENOUGH] if cell is not None and cell.strip() not in MISSING]


def _sign(cells: Sequence[str]) -> str:
    """The sign that nearly all of the cells have, or none."""
    sign = next((sign for sign in SIGNS if sign in cells[0]), "")
    return sign if sum(sign in cell for cell in cells) >= MOSTLY * len(cells) else ""


def _bare(cell: str, sign: str) -> str:
    """The cell without the sign at either end: -€ 5 and -5 € are -5."""
    return re.sub(rf"^([-+]?)\s*{re.escape(sign)}\s*|\s*{re.escape(sign)}$", r"\1", cell) if sign else cell


def _alone(ways: Sequence[Numerals], cells: Sequence[str]) -> Numerals | None:
    """The way to read these cells, if no other reads one of them as another number."""
    how = next((way for way in ways if way.share(cells) >= MOSTLY), None)
    if how is None or any(way.all.fullmatch(c) and way.plain(c) != how.plain(c) for way in ways for c in cells):
        return None
    return how


def _signed(how: Numerals, sign: str) -> Numerals:
    return how._replace(sign=sign, words=f"numbers with {sign}") if sign else how
