"""CSV and TSV: text tables with a delimiter, quotes as in RFC 4180."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain, islice

from bayleaf.errors import DataError
from bayleaf.readers.dialect import sniff
from bayleaf.readers.fields import Cut, Fields
from bayleaf.readers.header import Header
from bayleaf.readers.input import Input
from bayleaf.readers.numerals import ENOUGH, MARKS, Numerals, numeral, numerals
from bayleaf.readers.source import Piece, Source
from bayleaf.readers.text import LONGEST, Text

SEPARATOR = re.compile(r"(?i:sep)=([^\w\s]|\t)(?=\r?\n\s*\S)")  # the first line that Excel writes and reads for itself


class Delimited(Source):
    """A text table, with the dialect that was found or given."""

    format = "csv"

    def __init__(self, source: Input, *, delimiter: str | None, encoding: str | None, header: bool) -> None:
        self._text = Text(source, encoding)
        sample, whole = self._text.sample()
        super().__init__(source, self._text.notes)
        # The limit of the csv module holds for the whole process: raised, never lowered.
        csv.field_size_limit(max(csv.field_size_limit(), LONGEST))
        marked = SEPARATOR.match(sample)
        self._marked = marked.end(1) if marked else 0  # what is left of that line is a blank one, so that lines count
        sample = sample[self._marked :]
        dialect, words = sniff(sample, whole, delimiter or (marked[1] if marked else None))
        self.format = "tsv" if dialect.delimiter == "\t" else "csv"
        self.notes.append(words)
        self._header = Header.read(dialect, sample, header, self.name)
        self.names = self._header.names
        self.notes += self._header.notes
        self._fields = Fields(self.name, dialect, self._header.width, self._header.line)
        self._dialect, self._sample = dialect, sample
        if any(mark in sample for mark in MARKS if mark != dialect.delimiter or '"' in sample):
            self._take(numerals(self._first(), dialect.delimiter))

    def _take(self, found: Mapping[str, Numerals]) -> None:
        self.numerals |= found
        self.notes += [f"{how.words} in {name}" for name, how in found.items()]

    def expect(self, codes: Mapping[str, str]) -> None:
        """Read numbers as a model has learned them where the first rows leave that open: 1.500 may be 1500."""
        left = set(self.names) - self.numerals.keys()
        known = {name: numeral(code) for name, code in codes.items() if name in left}
        first = self._first() if known else {}
        self._take({name: how for name, how in known.items() if how.fits(first[name], self._dialect.delimiter)})

    def _first(self) -> dict[str, list[str]]:
        """The columns of the first rows; what is cut off or broken ends them, and reading will tell where."""
        rows: list[list[str]] = []
        with suppress(csv.Error):
            rows.extend(islice(filter(None, self._dialect.reader(self._sample)), ENOUGH + 1))
        body = [row for row in rows[bool(self._header.line) :] if len(row) == self._header.width]
        return {name: [row[place] for row in body] for place, name in enumerate(self.names)}

    def pieces(self) -> Iterator[Piece]:
        """The rows below the header."""
        rest, line, wait, skip = "", 1, 0, self._marked
        for chunk in chain(self._text.chunks(), [""]):
            rest, skip = rest + chunk[skip:], 0
            if not rest or (chunk and len(rest) < wait):
                continue
            cut = self._fields.cut(rest, line, end=not chunk)
            yield self._piece(cut)
            rest, line = rest[cut.used :], cut.line
            wait = 2 * len(rest)  # a field that goes on and on is read again when twice as much is there

    def _piece(self, cut: Cut) -> Piece:
        columns, places = cut.columns, cut.places
        if self._header.line and self._header.line in places[:1]:
            columns, places = [column[1:] for column in columns], places[1:]
        for column in columns[len(self.names) :]:
            found = next(((place, value) for place, value in zip(places, column, strict=True) if value), None)
            if found is not None:
                words = f"found {found[1][:40]!r} after the last delimiter, where the other lines end"
                raise DataError(f"{self.name}, line {found[0]}: {words}; name that column or take the value away")
        return Piece(cut.used, columns[: len(self.names)], places)
