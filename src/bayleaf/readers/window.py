"""Window: the stretch of a JSON text that is being read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from bayleaf.errors import DataError
from bayleaf.readers.text import LONGEST, PIECE

SPACE = re.compile(r"[ \t\r\n]*")
DECODER = json.JSONDecoder()


class Window:
    """Values of a JSON text one after the other; what was read is let go."""

    def __init__(self, name: str, pieces: Iterator[str]) -> None:
        self.name = name
        self.line = 1
        self._pieces = pieces
        self._text, self._at = "", 0

    def mark(self, expected: str) -> str:
        """The next character, which must be one of those expected."""
        found = self._peek()
        if not found or found not in expected:
            self.refuse(" or ".join(map(repr, expected)))
        self._at += 1
        return found

    def at_object(self) -> bool:
        """Whether an object is next."""
        return self._peek() == "{"

    def value(self) -> tuple[Any, int]:
        """The next value, and how many characters it was."""
        while True:
            try:
                value, end = DECODER.raw_decode(self._text, self._at)
            except (ValueError, RecursionError) as fault:
                # It may be cut off. Twice as much text for the next try keeps a long value from being read too often.
                if len(self._text) - self._at > LONGEST or not self._fill(2 * (len(self._text) - self._at)):
                    self.refuse(f"an object ({fault})")
            else:
                size = end - self._at
                self._advance(end)
                return value, size

    def refuse(self, expected: str) -> None:
        """Say what stands here instead of what was expected."""
        found = repr(self._text[self._at : self._at + 40]) if self._at < len(self._text) else "the end of the file"
        raise DataError(f"{self.name}, line {self.line}: found {found}, expected {expected} in an array of objects")

    def _peek(self) -> str:
        while True:
            space = SPACE.match(self._text, self._at)
            self._advance(space.end() if space else self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._fill(1):
                return ""

    def _advance(self, end: int) -> None:
        self.line += self._text.count("\n", self._at, end)
        self._at = end

    def _fill(self, size: int) -> bool:
        """Read on until `size` characters lie ahead; false if there is nothing more."""
        parts = [self._text[self._at :]]
        ahead = before = len(parts[0])
        while ahead < max(size, PIECE):
            piece = next(self._pieces, None)
            if piece is None:
                break
            parts.append(piece)
            ahead += len(piece)
        self._text, self._at = "".join(parts), 0
        return ahead > before
