"""JSON: an array of objects, read without holding it whole."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import chain
from typing import Any, NamedTuple

from bayleaf.errors import DataError
from bayleaf.readers.input import Input
from bayleaf.readers.objects import Objects
from bayleaf.readers.source import Piece, Source
from bayleaf.readers.text import PIECE, Text
from bayleaf.readers.window import Window


class _Group(NamedTuple):
    rows: list[dict[str, Any]]
    places: list[int]
    size: int


class JsonArray(Source):
    """One array of objects; the first 256 KB of them give the columns."""

    format = "json"

    def __init__(self, source: Input, *, encoding: str | None) -> None:
        self._text = Text(source, encoding)
        super().__init__(source, self._text.notes)
        self._text.sample()  # refuses an empty file
        self._groups = self._read()
        self._first = next(self._groups, None)
        if self._first is None:
            raise DataError(f"{self.name}: found an array without objects, expected rows")
        self._objects = Objects(self._first.rows, self.notes)
        self.names = self._objects.names

    def pieces(self) -> Iterator[Piece]:
        """The objects of the array, as columns."""
        groups = self._read() if self.rereadable else chain([self._first], self._groups)
        for group in filter(None, groups):
            yield Piece(group.size, self._objects.columns(group.rows), group.places)

    def close(self) -> None:
        """Let go of the file."""
        self._groups.close()
        super().close()

    def _read(self) -> Generator[_Group, None, None]:
        """Objects with their lines, those of about 256 KB at a time."""
        window = Window(self.name, self._text.pieces())
        window.mark("[")
        rows, places, size = [], [], 0
        more = window.at_object() or window.mark("{]") != "]"
        while more:
            if not window.at_object():
                window.refuse("an object")
            places.append(window.line)
            row, length = window.value()
            rows.append(row)
            size += length
            more = window.mark(",]") == ","
            if size >= PIECE or (rows and not more):
                yield _Group(rows, places, size)
                rows, places, size = [], [], 0
