"""Unpacked: what gzip, bzip2 and xz have packed, a part at a time."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from errno import EIO

from bayleaf.mail.mbox import PART

MEMORY = 128 << 20  # of xz, whose files say how much they need: 65 MB after `xz -9`
FAULTS = (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError)


class Gzip:
    """zlib's decompressor with the face of the other two."""

    def __init__(self) -> None:
        self._engine = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        """Whether the data has come to its end."""
        return self._engine.eof

    @property
    def needs_input(self) -> bool:
        """Whether all that was given has been used."""
        return not self._engine.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        """What was given beyond the end."""
        return self._engine.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """The next bytes, at most so many."""
        return self._engine.decompress(self._engine.unconsumed_tail + data, max_length)


Engine = Gzip | bz2.BZ2Decompressor | lzma.LZMADecompressor
ENGINES: dict[bytes, tuple[str, Callable[[], Engine]]] = {
    b"\x1f\x8b\x08": ("gzip", Gzip),
    b"BZh": ("bzip2", bz2.BZ2Decompressor),
    b"\xfd7z": ("xz", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)),
}


def unpacked(packed: Iterator[bytes]) -> Iterator[bytes]:
    """What packed bytes hold, at most `PART` of it at a time; where they are damaged or end too early, an `OSError`."""
    data = next(packed)
    magic = data[:3]
    name, start = ENGINES[magic]
    while data.startswith(magic):  # several, one behind the other, are what packers with many threads write
        engine = start()
        try:
            yield from _one(engine, data, packed)
        except FAULTS as fault:
            raise OSError(EIO, f"{name} data that cannot be unpacked ({fault})") from fault
        # Zeros fill up the block of a tape. Other bytes behind the end are passed over, as gzip itself does.
        data = engine.unused_data.lstrip(b"\0")
        while len(data) < len(magic) and (more := next(packed, b"")):
            data = (data + more).lstrip(b"\0")


def _one(engine: Engine, data: bytes, packed: Iterator[bytes]) -> Iterator[bytes]:
    """What one run of packed bytes holds, of which `data` are the first."""
    while not engine.eof:
        fed, hungry = b"", engine.needs_input
        if hungry:
            fed, data = data or next(packed, b""), b""
        if part := engine.decompress(fed, PART):
            yield part
        elif hungry and not fed and not engine.eof:
            raise EOFError("it ends too early")
