"""Dialect: which character parts the fields of a text table, and whether quotes mean anything in it."""

from __future__ import annotations

import csv
import io
from typing import Any, NamedTuple

# In this order where several fit equally well: 1,5;2,5 is two numbers more often than three.
DELIMITERS = ("\t", ";", "|", ",", ":")
NONE = "\x1f"  # the unit separator: a table of one column, whose fields may hold anything
WORDS = {NONE: "none: one column", "\t": "tab", ";": "semicolon", "|": "bar", ",": "comma", ":": "colon"}


class Dialect(NamedTuple):
    """How a line is cut into fields."""

    delimiter: str
    quoted: bool

    def reader(self, text: str) -> Any:
        """The records of a text; what is wrong is an error, not a guess."""
        lines = io.StringIO(text, newline="")
        if self.quoted:
            return csv.reader(lines, delimiter=self.delimiter, strict=True)
        return csv.reader(lines, delimiter=self.delimiter, quoting=csv.QUOTE_NONE)


class _Trial(NamedTuple):
    """How well a dialect fits: the share of records as wide as the first, then what to prefer among equals."""

    share: float
    quoted: bool
    rank: int
    dialect: Dialect


def sniff(sample: str, whole: bool, delimiter: str | None) -> tuple[Dialect, str]:
    """The dialect of a text that begins so, and the sentence that tells it.

    Each delimiter that the first record has is tried, with and without quotes. The one that gives most records as many
    fields as the first has wins.
    """
    first = next(csv.reader(io.StringIO(sample, newline="")), [])
    present = [d for d in DELIMITERS if d == "," or any(d in field for field in first)]
    for delimiters in ([delimiter] if delimiter else present, [NONE]):
        dialects = [Dialect(d, quoted) for d in delimiters for quoted in (True, False)]
        trials = [trial for dialect in dialects if (trial := _trial(sample, whole, dialect)) is not None]
        # Quotes are plain text only where that explains every line.
        best = max((trial for trial in trials if trial.quoted or trial.share == 1), default=None)
        if best is not None:
            return best.dialect, _words(best.dialect)
        if trials:  # broken quotes: reading will say on which line
            dialect = max(trials).dialect._replace(quoted=True)
            return dialect, _words(dialect)
    dialect = Dialect(delimiter or ",", True)
    return dialect, _words(dialect)


def _words(dialect: Dialect) -> str:
    name = WORDS.get(dialect.delimiter, repr(dialect.delimiter))
    return f"delimiter {name}" + ("" if dialect.quoted else ", quotes are plain text")


def _trial(sample: str, whole: bool, dialect: Dialect) -> _Trial | None:
    reader = dialect.reader(sample)
    widths = []
    lines = 0
    try:
        for record in reader:
            if record:
                widths.append(len(record))
            lines = reader.line_num
    except csv.Error as fault:
        # A record may be cut off by the end of the sample, but one that ate many lines is no record.
        if whole or "unexpected end" not in str(fault) or reader.line_num - lines > 200:
            return None
    if not widths or (widths[0] < 2 and dialect.delimiter != NONE):
        return None
    share = sum(width == widths[0] for width in widths) / len(widths)
    order = len(DELIMITERS) - DELIMITERS.index(dialect.delimiter) if dialect.delimiter in DELIMITERS else 0
    return _Trial(share, dialect.quoted, order, dialect)
