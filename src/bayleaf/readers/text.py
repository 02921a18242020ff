"""Text: an input decoded piece by piece, cut where lines end."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from bayleaf.errors import DataError
from bayleaf.readers.encoding import encoding_of, errors_of
from bayleaf.readers.input import Input

PIECE = 1 << 18  # 256 KB stay in the processor's cache while they are cut into cells
LONGEST = 1 << 26  # 64 MB in one field, line or object: beyond that something is wrong


class Text:
    """The characters of an input, a piece at a time, with the encoding that was found or given."""

    def __init__(self, source: Input, encoding: str | None) -> None:
        self.name = source.name
        self._lines = 1
        self._input = source
        head = source.head(PIECE)
        self.encoding, self.notes = encoding_of(head, encoding, source.name, whole=len(head) < PIECE)
        if source.packing:
            self.notes.insert(0, f"unpacked {source.packing}")

    def sample(self, size: int = PIECE) -> tuple[str, bool]:
        """The first lines, at least one and about `size` of them, and whether they are all there are."""
        cut, whole, text = 0, False, ""
        while not cut and not whole and size <= LONGEST:
            raw = self._input.head(size)
            whole = len(raw) < size
            decoder = codecs.getincrementaldecoder(self.encoding)(errors_of(self.encoding))
            text = self._checked(self._decoded(decoder, raw, whole, 1), 1)
            cut = last_line(text)
            size *= 2
        self._check_length(0 if cut or whole else size)
        if not text.strip():
            raise DataError(f"{self.name}: found an empty file, expected rows")
        return (text, True) if whole else (text[: cut or None], False)

    def pieces(self) -> Iterator[str]:
        """Decoded pieces, cut anywhere but within a line break."""
        decoder = codecs.getincrementaldecoder(self.encoding)(errors_of(self.encoding))
        held, end = "", False
        self._lines = 1
        with self._input.open() as stream:
            while not end:
                raw = self._input.read(stream, PIECE)
                end = len(raw) < PIECE
                text = held + self._decoded(decoder, raw, end, self._lines)
                held = "\r" if text.endswith("\r") and not end else ""
                text = self._checked(text[: len(text) - len(held)], self._lines)
                self._lines += text.count("\n") or text.count("\r")
                yield text

    def chunks(self) -> Iterator[str]:
        """Decoded pieces of whole lines."""
        rest: list[str] = []
        size = 0
        for piece in self.pieces():
            cut = last_line(piece)
            if cut:
                yield "".join([*rest, piece[:cut]])
                rest, size = [], 0
            rest.append(piece[cut:])
            size += len(piece) - cut
            self._check_length(size)
        if size:
            yield "".join(rest)

    def _check_length(self, size: int) -> None:
        if size > LONGEST:
            words = "found a line of more than 64 MB, expected rows on lines of their own"
            raise DataError(f"{self.name}, line {self._lines}: {words}")

    def _decoded(self, decoder: codecs.IncrementalDecoder, raw: bytes, end: bool, lines: int) -> str:
        try:
            return decoder.decode(raw, end)
        except UnicodeError as fault:
            before = fault.object[: fault.start] if isinstance(fault, UnicodeDecodeError) else b""
            line = lines + before.count(b"\n")
            words = f"found bytes that are not {self.encoding.removesuffix('-sig').upper()}"
            remedy = "give the encoding, as encoding='cp1252', in a shell --encoding cp1252"
            raise DataError(f"{self.name}, line {line}: {words}; {remedy}") from fault

    def _checked(self, text: str, lines: int) -> str:
        if "\0" in text:
            line = lines + text.count("\n", 0, text.index("\0"))
            raise DataError(f"{self.name}, line {line}: found a NUL character, expected text; is it a binary file?")
        return text


def last_line(text: str) -> int:
    """Where the last whole line ends: after a line feed or, where there is none, a carriage return."""
    return text.rfind("\n") + 1 or text.rfind("\r") + 1


def newlines(text: str) -> int:
    """How many lines end in a text."""
    if "\r" not in text:
        return text.count("\n")
    return text.count("\n") + text.count("\r") - text.count("\r\n")
