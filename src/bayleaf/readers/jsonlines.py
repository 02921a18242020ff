"""JSON Lines: an object on each line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from bayleaf.errors import DataError
from bayleaf.readers.input import Input
from bayleaf.readers.objects import Objects
from bayleaf.readers.source import Piece, Source
from bayleaf.readers.text import Text


class JsonLines(Source):
    """Objects, one to a line; blank lines are passed over."""

    format = "jsonl"

    def __init__(self, source: Input, *, encoding: str | None) -> None:
        self._text = Text(source, encoding)
        super().__init__(source, self._text.notes)
        sample, _ = self._text.sample()
        self._objects = Objects(self._rows(sample, 1)[0], self.notes)
        self.names = self._objects.names

    def pieces(self) -> Iterator[Piece]:
        """The objects of the lines, as columns."""
        line = 1
        for chunk in self._text.chunks():
            rows, places = self._rows(chunk, line)
            yield Piece(len(chunk), self._objects.columns(rows), places)
            line += chunk.count("\n")

    def _rows(self, chunk: str, line: int) -> tuple[list[dict[str, Any]], Sequence[int]]:
        lines = chunk.removesuffix("\n").split("\n")
        places: Sequence[int] = range(line, line + len(lines))
        try:
            rows = list(map(json.loads, lines))
        except (ValueError, RecursionError):  # a blank line or a fault: which and where?
            filled = [(place, text) for place, text in zip(places, lines, strict=True) if text.strip()]
            places = [place for place, _ in filled]
            rows = [self._object(text, place) for place, text in filled]
        if set(map(type, rows)) - {dict}:
            place, found = next((p, row) for p, row in zip(places, rows, strict=True) if not isinstance(row, dict))
            words = f"found {json.dumps(found)[:40]}, expected an object with the values of a row"
            raise DataError(f'{self.name}, line {place}: {words}, as {{"text": "…", "label": "…"}}')
        return rows, places

    def _object(self, text: str, line: int) -> Any:
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as fault:
            words = f"found {text[:40]!r}, which is not JSON ({fault}), expected one object on each line"
            raise DataError(f"{self.name}, line {line}: {words}") from fault
