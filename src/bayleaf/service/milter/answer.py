"""Answers at the end of a mail: which header lines go, and which come."""

from __future__ import annotations

import struct

from bayleaf.mail import Verdict
from bayleaf.service.marks import lines
from bayleaf.service.milter.letter import Letter
from bayleaf.service.milter.packet import Packet
from bayleaf.service.milter.session import CONTINUE
from bayleaf.service.milter.terms import Terms


def marked(letter: Letter, verdict: Verdict, terms: Terms) -> bytes:
    """Has the server take away what looks like our lines, and put ours on top."""
    out = [Packet(b"m", struct.pack("!I", which) + name + b"\0\0") for name, which in letter.forged()]
    for line in reversed(lines(verdict)):
        name, _, value = line.encode().partition(b": ")
        space = b"" if terms.space else b" "  # who tells us spaces wants to be told them
        out.append(Packet(b"i", struct.pack("!I", 0) + name + b"\0" + space + value + b"\0"))
    return b"".join(packet.wire() for packet in out) + CONTINUE
