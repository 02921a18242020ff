"""Packet: what a mail server and a filter say to each other, one at a time."""

from __future__ import annotations

import struct
from typing import NamedTuple

from bayleaf.errors import BadValueError

LONGEST = 2**20 + 64  # bytes: a server may be told that a piece of a body has up to 1 MiB; ours are not told so


class Packet(NamedTuple):
    r"""A letter that says what it is, and what comes with it.

    >>> Packet(b"H", b"mail.example\0").wire()
    b'\x00\x00\x00\x0eHmail.example\x00'
    """

    command: bytes
    data: bytes = b""

    def wire(self) -> bytes:
        """As it goes over the wire: its length, the letter, the data."""
        return struct.pack("!I", len(self.data) + 1) + self.command + self.data

    @property
    def words(self) -> list[bytes]:
        """Its data as strings, each of which ends with a zero byte."""
        return self.data.split(b"\0")[:-1]


class PacketReader:
    r"""Takes bytes as they come and gives packets.

    >>> reader = PacketReader()
    >>> reader.held += b"\0\0\0\2Ta\0\0"
    >>> reader.next(), reader.next()
    (Packet(command=b'T', data=b'a'), None)
    """

    def __init__(self) -> None:
        self.held = bytearray()

    def next(self) -> Packet | None:
        """The next packet that is there whole."""
        if len(self.held) < 4:
            return None
        size = int.from_bytes(self.held[:4], "big")
        if not 1 <= size <= LONGEST:
            raise BadValueError(f"found a packet of {size} bytes, expected 1 to {LONGEST}: this is no milter protocol")
        if len(self.held) < 4 + size:
            return None
        packet = Packet(bytes(self.held[4:5]), bytes(self.held[5 : 4 + size]))
        del self.held[: 4 + size]
        return packet
