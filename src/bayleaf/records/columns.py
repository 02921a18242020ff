"""Columns: what a column holds, guessed from some of its values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayleaf.records.cells import NO_NUMBER, Column, present, readable

if TYPE_CHECKING:
    from bayleaf.arrays import Floats

KINDS = ("text", "number", "category", "ignore")
FEW = 10  # whole numbers of which there are at most so many, and
OFTEN = 20  # each about so often, are codes: a category may have any distribution and has the rows to show it
MIXED = 20  # values: as many that are not all numbers are still categories, such as the codes 1, 2, 3 and A
MOSTLY = 0.9  # share of numbers that makes a column of numbers; the rest is refused when it is learned
WORDS = 4.0  # on average: sentences
LETTERS = 30.0  # on average: more than a code has, such as an address on the web
IDENTIFIER = 8  # digits in every row
EXACT = 2**53  # from here on float64 passes over whole numbers
DENSE = 1.5  # numbers for each row: so few, all different, are drawn by accident in one table of 50 with 10 rows
ROWS = 10  # from so many on, another value in every row is no accident
SHORT = 5_000  # values that are read for the averages
DAY = r"\d{4}-\d{2}-\d{2}|\d{4}/\d{1,2}/\d{1,2}|\d{1,2}([./-])\d{1,2}\1\d{4}"  # 2026-11-17, 2026/11/17, 17.11.2026
DATE = re.compile(rf"(?:{DAY})(?:[T ]\d{{1,2}}:\d{{2}}.*)?")
CODE = re.compile(r"0\d+")  # leading zeros: a code such as a postcode
UNSPACED = re.compile(  # scripts without spaces, also in letters of half the width and of plane 2
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)


class Guess(NamedTuple):
    """What a column was taken for, and why."""

    kind: str
    why: str


def guess(columns: Mapping[str, Column]) -> dict[str, Guess]:
    """What each column seems to hold: "number", "category", "text", or "ignore" where it cannot help.

    >>> for name, found in guess(
    ...     {"size": ["0.5", "1.25", "7"], "note": ["good day to you", "", "how are you?"]}
    ... ).items():
    ...     print(name, found.kind, "-", found.why)
    size number - 0.5 to 7
    note text - about 4 words each
    """
    return {name: _guess(present(column), len(column)) for name, column in columns.items()}


def _guess(cells: list[Any], rows: int) -> Guess:
    if not cells:
        return Guess("ignore", "nothing in it")
    shown = {str(cell) for cell in cells}
    if len(shown) == 1 and rows > 1:
        return Guess("ignore", "always the same")
    if all(
        isinstance(cell, date | timedelta) or (isinstance(cell, str) and DATE.fullmatch(cell)) for cell in cells[:SHORT]
    ):
        return Guess("ignore", "dates: turn them into numbers to use them")
    if any(isinstance(cell, bool) for cell in cells[:SHORT]):
        return _category(len(shown))
    share = readable(cells)
    coded = any(isinstance(cell, str) and CODE.fullmatch(cell) for cell in cells[:SHORT])
    if share.all() and not coded:
        values = np.array([float(cell) for cell in cells])
        if np.abs(values).max() >= EXACT and len(np.unique(values)) < len(shown):
            return _worded([str(cell) for cell in cells], len(shown))  # names: as numbers some would be the same
        if rows > 1 and (values == values[0]).all():  # written in several ways
            return Guess("ignore", "always the same")
        return _numeric(values)
    told = np.array([not (isinstance(cell, str) and cell in NO_NUMBER) for cell in cells])
    if told.any() and share[told].mean() >= MOSTLY and len(shown) > MIXED and not coded:
        values = np.array([float(cell) for cell, number in zip(cells, share.tolist(), strict=True) if number])
        return _numeric(values)
    return _worded([str(cell) for cell in cells], len(shown))


def _category(distinct: int) -> Guess:
    return Guess("category", f"{distinct} value{'s' if distinct > 1 else ''}")


def _numeric(values: Floats) -> Guess:
    found = np.unique(values)
    whole = bool((found == np.rint(found)).all())
    if whole and (set(found.tolist()) == {0.0, 1.0} or (len(found) <= FEW and len(values) > OFTEN * len(found))):
        return _category(len(found))
    if whole and len(found) == len(values) >= ROWS and _numbered(values, found):
        return Guess("ignore", "another value in every row")
    return Guess("number", f"{found[0]:.7g} to {found[-1]:.7g}" if len(found) > 1 else f"{found[0]:.7g}")


def _numbered(values: Floats, found: Floats) -> bool:
    """Whether whole numbers, all different, count the rows or name them."""
    steps = np.diff(values)
    counted = bool((steps == steps[0]).all()) or found[-1] - found[0] < DENSE * len(found)  # some rows may be missing
    return counted or len(f"{found[0]:.0f}") == len(f"{found[-1]:.0f}") >= IDENTIFIER


def _worded(cells: list[str], distinct: int) -> Guess:
    some = cells[:SHORT]
    words = sum(len(cell.split()) for cell in some) / len(some)
    letters = sum(map(len, some)) / len(some)
    unspaced = sum(len(UNSPACED.findall(cell)) for cell in some) / len(some)
    often = len(cells) / distinct
    if often >= OFTEN or (often >= 2 and words < WORDS and letters < LETTERS):
        return _category(distinct)
    if words >= 1.5:
        return Guess("text", f"about {max(round(words), 2)} words each")
    if letters >= LETTERS or unspaced >= 4:
        return Guess("text", f"about {letters:.0f} letters each")
    if len(cells) >= ROWS and distinct == len(cells):
        return Guess("ignore", "another value in every row")
    if len(cells) >= ROWS and distinct > MOSTLY * len(cells):
        return Guess("ignore", "another value in nearly every row")
    return _category(distinct)
