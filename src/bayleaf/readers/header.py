"""Header: the names of the columns of a text table."""

from __future__ import annotations

import csv
from typing import NamedTuple

from bayleaf.errors import DataError
from bayleaf.readers.dialect import Dialect
from bayleaf.readers.source import repeated


class Header(NamedTuple):
    """The names of the columns, and what goes with them."""

    names: list[str]
    width: int
    """How many fields a row has; one more than names when every line ends with a delimiter."""
    line: int
    """The line with the names, or 0 if there is none."""
    notes: list[str]

    @classmethod
    def read(cls, dialect: Dialect, sample: str, present: bool, name: str) -> Header:
        """The header of a table that begins with this sample."""
        line, first, more = _records(dialect, sample, name)
        if not present:
            return cls([f"column_{i}" for i in range(1, len(first) + 1)], len(first), 0, ["no header row"])
        names = [field.strip() for field in first]
        width = len(names)
        if width > 1 and not names[-1] and all(not record[-1] for record in more if len(record) == width):
            names.pop()
        notes = []
        for i, found in enumerate(names):
            if not found:
                names[i] = f"column_{i + 1}"
                notes.append(f"column {i + 1} has no name and is called {names[i]}")
        twice = repeated(names)
        if twice is not None:
            remedy = "if it is a row, say header=False, in a shell --no-header" if _is_number(twice) else "rename one"
            words = f"found two columns called {twice!r}, expected names that differ; {remedy}"
            raise DataError(f"{name}, line {line}: {words}")
        if all(_is_number(found) for found in names):
            words = "is taken for the names of the columns, but all of it is numbers; if it is a row, say"
            notes.append(f"line {line} {words} header=False, in a shell --no-header")
        return cls(names, width, line, notes)


def _records(dialect: Dialect, sample: str, name: str) -> tuple[int, list[str], list[list[str]]]:
    """The line and the fields of the first record that is not blank, and the records after it."""
    reader = dialect.reader(sample)
    line = 1
    first: list[str] = []
    more: list[list[str]] = []
    try:
        while not first:
            line = reader.line_num + 1
            first = next(reader)
        more.extend(filter(None, reader))
    except csv.Error as fault:
        if not first:
            raise DataError(
                f"{name}, line {line}: found a header that cannot be cut into fields ({fault}); mend its quotes"
            ) from fault
    return line, first, more


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
