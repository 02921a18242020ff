"""ARFF: the format of Weka, dense and sparse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bayleaf.errors import DataError
from bayleaf.readers.attribute import Attribute
from bayleaf.readers.input import Input
from bayleaf.readers.source import Piece, Source, repeated
from bayleaf.readers.text import LONGEST, PIECE, Text

VALUE = re.compile(r"""\s*(?:('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*|([^,'"\s][^,]*|))(,|$)""")
PAIR = re.compile(r"""\s*(\d+)\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,\s'"]+)\s*(?:,|$)""")
DATA = re.compile(r"\s*@data\s*(?:%.*)?", re.IGNORECASE)


class Arff(Source):
    """A relation. Numbers come as float, everything else as text; what a sparse row leaves out is 0."""

    format = "arff"

    def __init__(self, source: Input, *, encoding: str | None) -> None:
        self._text = Text(source, encoding)
        super().__init__(source, self._text.notes)
        self._attributes = self._head()
        self.names = [attribute.name for attribute in self._attributes]

    def pieces(self) -> Iterator[Piece]:
        """The rows below @data."""
        rows: list[list[Any]]
        line, data = 1, False
        for chunk in self._text.chunks():
            rows, places = [], []
            for text in chunk.removesuffix("\n").split("\n"):
                if data and (bare := text.strip()) and not bare.startswith("%"):
                    rows.append(self._row(bare, line))
                    places.append(line)
                data = data or DATA.fullmatch(text) is not None
                line += 1
            yield Piece(len(chunk), [list(column) for column in zip(*rows, strict=True)], places)

    def _head(self) -> list[Attribute]:
        """The attributes, up to @data."""
        size, whole, line = PIECE, False, 1
        while not whole and size <= LONGEST:
            sample, whole = self._text.sample(size)
            found: list[Attribute] = []
            for line, text in enumerate(sample.split("\n"), 1):
                if DATA.fullmatch(text):
                    return self._checked(found, line)
                if text.strip().lower().startswith("@attribute"):
                    found.append(Attribute.read(text, f"{self.name}, line {line}"))
            size *= 2
        raise DataError(f"{self.name}, line {line}: found no @data, expected it after the attributes")

    def _checked(self, found: list[Attribute], line: int) -> list[Attribute]:
        twice = repeated(attribute.name for attribute in found)
        if twice is not None:
            raise DataError(
                f"{self.name}: found two attributes called {twice!r}, expected names that differ; rename one"
            )
        if not found:
            raise DataError(
                f"{self.name}, line {line}: found @data before any @attribute, expected the attributes first"
            )
        return found

    def _row(self, text: str, line: int) -> list[Any]:
        where = f"{self.name}, line {line}"
        if text.startswith("{"):
            return self._sparse(text, where)
        fields = text.split(",") if "'" not in text and '"' not in text else self._cut(text, where)
        if len(fields) != len(self._attributes):
            words = f"found {len(fields)} values, expected {len(self._attributes)}, one for each @attribute"
            raise DataError(f"{where}: {words}; quote values that hold a comma")
        return [attribute.value(field, where) for attribute, field in zip(self._attributes, fields, strict=True)]

    def _cut(self, text: str, where: str) -> list[str]:
        fields, at, more = [], 0, True
        while more:
            found = VALUE.match(text, at)
            if found is None:
                raise DataError(f"{where}: found {text[at : at + 40]!r}, expected a value; mend its quotes")
            fields.append(found[1] or found[2])
            at, more = found.end(), found[3] == ","
        return fields

    def _sparse(self, text: str, where: str) -> list[Any]:
        row = [attribute.zero for attribute in self._attributes]
        at, inner = 0, text[1:].rstrip().removesuffix("}").rstrip()
        while at < len(inner):
            found = PAIR.match(inner, at)
            if found is None or not text.rstrip().endswith("}") or int(found[1]) >= len(row):
                words = f"found {inner[at : at + 40]!r}, expected an index below {len(row)} and a value, up to }}"
                raise DataError(f"{where}: {words}")
            row[int(found[1])] = self._attributes[int(found[1])].value(found[2], where)
            at = found.end()
        return row
