"""Input: the bytes of a file, of a pipe or of standard input, unpacked if they are packed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from bayleaf.errors import DataError
from bayleaf.mail.mailbox import PACKED
from bayleaf.mail.mbox import PART
from bayleaf.mail.unpacked import ENGINES, unpacked
from bayleaf.readers.streamed import streamed
from bayleaf.standard_input import standard_input

MAGIC = 16  # bytes that tell how a file is packed


class Input:
    """The bytes of a path, or else of the stream that is given for it; ``-`` is standard input.

    Files can be opened again, pipes and streams once.
    """

    def __init__(self, path: str | Path, stream: BinaryIO | None = None) -> None:
        self.path = None if str(path) == "-" else Path(path)
        self.name = "standard input" if self.path is None else str(path)
        self._stream = stream
        self.rereadable = stream is None and self.path is not None and self.path.is_file()
        self.packing = ""
        self._head = b""
        self._pipe: BinaryIO | None = None
        self._raw: BinaryIO | None = None
        if stream is None and self.path is not None and not self.path.exists():
            raise DataError(f"{self.name}: found nothing there, expected a data file or a folder")

    def head(self, size: int) -> bytes:
        """The first `size` bytes, unpacked, or all if there are less; they will be read again."""
        if len(self._head) < size:
            if self.rereadable:
                with self._unpacked() as stream:
                    self._head = self.read(stream, size)
            else:
                self._pipe = self._pipe or self._unpacked()
                self._head += self.read(self._pipe, size - len(self._head))
        return self._head[:size]

    def open(self) -> BinaryIO:
        """The bytes from the first one on, unpacked."""
        if self.rereadable:
            return self._unpacked()
        return streamed(chain([self._head], parts(self._pipe or self._unpacked())))

    def read(self, stream: BinaryIO, size: int) -> bytes:
        """The next `size` bytes, less only at the end; every fault of disk or packing is a `DataError`."""
        held = []
        try:
            while size > 0 and (part := stream.read(size)):
                held.append(part)
                size -= len(part)
        except OSError as fault:
            raise DataError(self.words(fault)) from fault
        return b"".join(held)

    def close(self) -> None:
        """Let go of a pipe."""
        if self._raw is not None and self.path is not None:
            self._raw.close()

    def _unpacked(self) -> BinaryIO:
        try:
            raw = self._stream or (standard_input() if self.path is None else self.path.open("rb"))
            start = raw.read(MAGIC)
        except OSError as fault:
            raise DataError(self.words(fault)) from fault
        self._raw, whole = raw, chain([start], parts(raw))
        self.packing = ENGINES[start[:3]][0] if start.startswith(PACKED) else ""
        return streamed(unpacked(whole) if self.packing else whole, raw if self.rereadable else None)

    def words(self, fault: BaseException) -> str:
        """What to say of a fault of disk or packing."""
        if not self.packing:
            return f"{self.name}: cannot be read ({getattr(fault, 'strerror', None) or fault})"
        why = fault.__cause__ or fault
        return f"{self.name}: found broken {self.packing} data ({why}); pack or fetch the file again"


def parts(stream: BinaryIO) -> Iterator[bytes]:
    """The bytes of a stream, as they come."""
    return iter(partial(stream.read, PART), b"")
