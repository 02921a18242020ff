"""Input: the bytes of a file, of a pipe or of standard input, unpacked if they are packed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from pathlib import Path
from typing import Any, BinaryIO, cast

from bayleaf.errors import DataError
from bayleaf.standard_input import standard_input

PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz"}
UNPACK = {"gzip": gzip.open, "bzip2": bz2.open, "xz": lzma.open}
FAULTS = (OSError, EOFError, zlib.error, lzma.LZMAError)


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
        return rejoined(self._head, self._pipe or self._unpacked())

    def read(self, stream: BinaryIO, size: int) -> bytes:
        """The next `size` bytes, less only at the end; every fault of disk or packing is a `DataError`."""
        parts = []
        try:
            while size > 0 and (part := stream.read(size)):
                parts.append(part)
                size -= len(part)
        except FAULTS as fault:
            raise DataError(self.words(fault)) from fault
        return b"".join(parts)

    def close(self) -> None:
        """Let go of a pipe."""
        if self._raw is not None and self.path is not None:
            self._raw.close()

    def _unpacked(self) -> BinaryIO:
        try:
            raw = self._stream or (standard_input() if self.path is None else self.path.open("rb"))
            start = raw.read(6)
        except OSError as fault:
            raise DataError(self.words(fault)) from fault
        self.packing = next((name for magic, name in PACKED.items() if start.startswith(magic)), "")
        unpack: Any = UNPACK.get(self.packing)
        if self.rereadable and self.path is not None:
            raw.close()
            return cast(BinaryIO, unpack(self.path) if unpack else self.path.open("rb"))
        self._raw = raw
        whole = rejoined(start, self._raw)
        return cast(BinaryIO, unpack(whole)) if unpack else whole

    def words(self, fault: BaseException) -> str:
        """What to say of a fault of disk or packing."""
        if not self.packing:
            return f"{self.name}: cannot be read ({getattr(fault, 'strerror', None) or fault})"
        return f"{self.name}: found broken {self.packing} data ({fault}); pack or fetch the file again"


class _Rejoined(io.RawIOBase):
    """Bytes that were taken from a stream, and then the rest of the stream."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._head[: len(buffer)]
        if part:
            self._head = self._head[len(part) :]
        else:
            part = self._rest.read(len(buffer))
        buffer[: len(part)] = part
        return len(part)


def rejoined(head: bytes, rest: BinaryIO) -> BinaryIO:
    """A stream that gives the head first and then the rest."""
    return cast(BinaryIO, io.BufferedReader(_Rejoined(head, rest), 1 << 18))
