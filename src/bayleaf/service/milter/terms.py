"""Terms: what a mail server offers, and what of it we want."""

from __future__ import annotations

import struct
from typing import NamedTuple

from bayleaf.errors import BadValueError
from bayleaf.service.milter.packet import Packet

OLDEST, NEWEST = 2, 6  # versions of the protocol: Sendmail 8.11 and 8.14
ADDS, CHANGES = 0x01, 0x10  # the right to add header lines, and to take some away
# Steps of which a server can be told that they are not waited for, that is, not answered.
SILENT = {b"L": 0x80, b"C": 0x1000, b"H": 0x2000, b"M": 0x4000, b"R": 0x8000, b"N": 0x40000, b"B": 0x80000}
NOT_TOLD = 0x100 | 0x200  # unknown commands, DATA
SPACES = 0x100000  # header lines with the spaces behind their colons, so that they are what they were
QUIET = (b"D", b"A", b"K", b"Q")  # what no version answers


class Terms(NamedTuple):
    """What was agreed: the version, and the steps of the protocol.

    >>> Terms.agreed(Packet(b"O", struct.pack("!III", 6, 0x1FF, 0x1FFFFF)))
    Terms(version=6, steps=1897344)
    """

    version: int = OLDEST
    steps: int = 0

    @classmethod
    def agreed(cls, offer: Packet) -> Terms:
        """The best of what is offered."""
        if len(offer.data) < 12:
            raise BadValueError(f"found an offer of {len(offer.data)} bytes, expected 12: this is no milter protocol")
        version, actions, steps = struct.unpack("!III", offer.data[:12])
        if version < OLDEST or actions & (ADDS | CHANGES) != ADDS | CHANGES:
            raise BadValueError(
                f"found a mail server of protocol {version} that grants {actions:#x}, expected {OLDEST} or later "
                "and the right to add and remove header lines"
            )
        return cls(min(version, NEWEST), steps & (sum(SILENT.values()) | NOT_TOLD | SPACES))

    def answer(self) -> bytes:
        """What the server is told."""
        return Packet(b"O", struct.pack("!III", self.version, ADDS | CHANGES, self.steps)).wire()

    def waits(self, command: bytes) -> bool:
        """Whether the server waits for an answer to this."""
        return command not in QUIET and not self.steps & SILENT.get(command, 0)

    @property
    def space(self) -> bytes:
        """What stands between the colon of a header line and its value, where the value does not say."""
        return b"" if self.steps & SPACES else b" "
