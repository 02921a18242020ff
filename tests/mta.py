"""The other side of the milter protocol, for tests: a mail server that shows one mail after the other."""

from __future__ import annotations

import socket
import struct
from collections.abc import Sequence

from bayleaf.service.milter.packet import Packet, PacketReader

EVERYTHING = (6, 0x1FF, 0x1FFFFF)  # what Postfix 3.7 offers
OLD = (2, 0x3F, 0x7F)  # what Sendmail 8.13 did
PIECE = 65535
SENDER, RECEIVER = b"<deals@bulk.example>", b"<me@test.example>"


def packed(command: bytes, *words: bytes) -> bytes:
    """A packet of strings."""
    return Packet(command, b"".join(word + b"\0" for word in words)).wire()


def offered(terms: tuple[int, int, int] = EVERYTHING) -> bytes:
    """The first packet of a connection."""
    return Packet(b"O", struct.pack("!III", *terms)).wire()


def came(host: bytes = b"mail.bulk.example", address: bytes = b"192.0.2.7", helo: bytes = b"bulk.example") -> bytes:
    """A client comes and says its name."""
    macros = packed(b"D", b"Cj", b"mx.test.example", b"v", b"Postfix 3.7.11")
    return macros + Packet(b"C", host + b"\x004\x01\x02" + address + b"\0").wire() + packed(b"H", helo)


def enveloped(*recipients: bytes, login: bytes = b"") -> bytes:
    """Who sends a mail to whom."""
    about = packed(b"D", b"Mi", b"4C0FFEE", *((b"{auth_type}", login) if login else ()))
    return about + packed(b"M", SENDER) + b"".join(packed(b"R", each) for each in recipients or (RECEIVER,))


def told(mail: bytes, space: bool = True) -> bytes:
    """A mail, its header line by line; with spaces as they are, or without the first, as old servers do."""
    head, _, body = mail.replace(b"\r\n", b"\n").partition(b"\n\n")
    fields = head.replace(b"\n ", b"\0 ").replace(b"\n\t", b"\0\t").split(b"\n")
    pairs = [field.replace(b"\0", b"\n").partition(b":")[::2] for field in fields]
    lines = b"".join(packed(b"L", name, value if space else value.removeprefix(b" ")) for name, value in pairs)
    text = body.replace(b"\n", b"\r\n")
    pieces = b"".join(Packet(b"B", text[at : at + PIECE]).wire() for at in range(0, len(text), PIECE))
    return lines + packed(b"N") + pieces + packed(b"E")


class Mta:
    """One connection."""

    def __init__(self, place: tuple[str, int] | str, terms: tuple[int, int, int] = EVERYTHING) -> None:
        self.socket = socket.socket(socket.AF_UNIX if isinstance(place, str) else socket.AF_INET)
        self.socket.settimeout(60)
        self.socket.connect(place)
        self.reader = PacketReader()
        self.socket.sendall(offered(terms))
        agreed = self.hear()
        assert agreed is not None
        self.version, self.actions, self.steps = struct.unpack("!III", agreed.data)

    def hear(self) -> Packet | None:
        """The next answer; None when the filter has hung up."""
        while (packet := self.reader.next()) is None:
            data = self.socket.recv(65536)
            if not data:
                return None
            self.reader.held += data
        return packet

    def end(self) -> list[Packet] | None:
        """What the filter wants done with a mail; None when it has hung up."""
        out: list[Packet] = []
        while not out or out[-1].command not in (b"c", b"a", b"r", b"t"):
            packet = self.hear()
            if packet is None:
                return None
            out.append(packet)
        return out

    def say(self, *parts: bytes) -> None:
        """Sends packets that are not answered."""
        for part in parts:
            self.socket.sendall(part)

    def __enter__(self) -> Mta:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()


def done(mail: bytes, orders: Sequence[Packet]) -> bytes:
    """The mail after what the filter wants, with all lines ending in a line feed; as Postfix would do it."""
    head, _, body = mail.replace(b"\r\n", b"\n").partition(b"\n\n")
    fields = head.replace(b"\n ", b"\0 ").replace(b"\n\t", b"\0\t").split(b"\n")
    for order in orders[:-1]:
        (which,), (name, value) = struct.unpack("!I", order.data[:4]), order.data[4:].split(b"\0")[:2]
        if order.command == b"m" and not value:
            same = [i for i, field in enumerate(fields) if field.partition(b":")[0].lower() == name.lower()]
            del fields[same[which - 1]]
        else:
            assert (order.command, which) == (b"i", 0)
            fields.insert(0, name + b":" + value)
    return b"\n".join(fields).replace(b"\0", b"\n") + b"\n\n" + body
