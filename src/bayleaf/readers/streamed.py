"""Streamed: bytes that come in parts, as a file."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, BinaryIO, cast


class _Stream(io.RawIOBase):
    """The parts one behind the other; with it ends the file they come from, if one is given."""

    def __init__(self, parts: Iterator[bytes], file: BinaryIO | None) -> None:
        self._parts, self._file, self._held = parts, file, memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._held:
            part = next(self._parts, None)
            if part is None:
                return 0
            self._held = memoryview(part)
        taken = self._held[: len(buffer)]
        buffer[: len(taken)] = taken
        self._held = self._held[len(taken) :]
        return len(taken)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        super().close()


def streamed(parts: Iterator[bytes], file: BinaryIO | None = None) -> BinaryIO:
    """A file that can be read once, from its beginning to its end."""
    return cast(BinaryIO, io.BufferedReader(_Stream(parts, file), 1 << 18))
