"""Letter: a mail on its way in, as a mail server tells it piece by piece."""

from __future__ import annotations

import re
import time
from email.utils import formatdate

from bayleaf.mail.marked import NAMES
from bayleaf.service.marks import OURS, SPAMD
from bayleaf.service.milter.client import Client

FORGED = re.compile(OURS, re.IGNORECASE)
OWN = {name.lower().encode() for name in (*SPAMD, *NAMES)}
# Lines removed, those that we write first. Postfix needs 0.1 s for 1,000, 4.5 s for 10,000, and dies of 10,300.
REMOVED = 1000
ENTRY = 100  # bytes that a line or a recipient takes beside its own


class Letter:
    """Envelope, header lines and body, with line feeds at the ends of lines, as what judges it counts bytes.

    Of the body one byte more than `most` is kept, so that a mail which is cut is seen to be.
    """

    def __init__(self, client: Client, most: int) -> None:
        self.client, self.most = client, most
        self.sender = b""
        self.recipients: list[bytes] = []
        self.fields: list[tuple[bytes, bytes]] = []  # name, and all behind its colon
        self.body = bytearray()
        self._head = 0  # bytes of header and envelope
        self.macros: dict[bytes, bytes] = {}

    def add_field(self, name: bytes, value: bytes) -> None:
        """A header line."""
        if self._room(len(name) + len(value)):
            self.fields.append((name, value.replace(b"\r\n", b"\n")))

    def add_body(self, piece: bytes) -> None:
        """A piece of the body."""
        self.body += piece.replace(b"\r\n", b"\n")[: self.most + 1 - len(self.body)]

    def add_recipient(self, address: bytes) -> None:
        """One more who gets it."""
        if self._room(len(address)):
            self.recipients.append(address)

    def _room(self, size: int) -> bool:
        self._head += size + ENTRY
        return self._head <= self.most

    @property
    def size(self) -> int:
        """Bytes of memory that it takes, about."""
        return min(self._head, self.most) + len(self.body)

    def macro(self, name: bytes) -> bytes:
        """A word of the server about this mail, or about its sender; empty where it says nothing."""
        return self.macros.get(name) or self.client.macros.get(name, b"")

    def raw(self) -> bytes:
        """The mail much as it will lie in the mailbox: with the two lines that the server writes on top.

        A filter learns from mailboxes, so without them every mail would lack what it has learned of the last hop.
        """
        lines = [b"%s:%s\n" % field for field in self.fields]
        return b"".join([b"Return-Path: %s\n" % self.sender, self._received(), *lines, b"\n", self.body])

    def _received(self) -> bytes:
        client, words = self.client, self.macro
        software = (words(b"v").split() or [b"milter"])[0]
        how = b"ESMTPS" if words(b"{tls_version}") else b"ESMTP"
        to = b"\n\tfor %s" % self.recipients[0] if len(self.recipients) == 1 else b""
        return b"Received: from %s (%s [%s])\n\tby %s (%s) with %s id %s%s; %s (%s)\n" % (
            *(client.helo, client.host, client.address),
            *(words(b"j") or b"localhost", software, how, words(b"i") or b"0", to),
            *(formatdate(localtime=True).encode(), time.strftime("%Z").encode()),
        )

    def forged(self) -> list[tuple[bytes, int]]:
        """Lines that look like ours: name, and which of those of that name it is, the last first.

        A server that counts anew after each removal, and one that does not, then both remove the right ones.
        """
        seen: dict[bytes, int] = {}
        ours: list[tuple[int, bytes, int]] = []
        others: list[tuple[int, bytes, int]] = []
        for place, (name, _) in enumerate(self.fields):
            low = name.lower()
            seen[low] = seen.get(low, 0) + 1
            if FORGED.match(name):
                (ours if low in OWN else others).append((place, name, seen[low]))
        return [(name, which) for _, name, which in sorted((ours + others)[:REMOVED], reverse=True)]

    @property
    def users(self) -> tuple[str, ...]:
        """Under which names the only recipient may have taught: the address, and what stands before its @."""
        if len({*self.recipients}) != 1:
            return ()
        address = self.recipients[0].strip(b"<> ").decode("utf-8", "replace")
        names = []
        for given in (address, address.lower()):
            local, at, domain = given.rpartition("@")
            name = (local if at else domain).partition("+")[0]
            names += [f"{name}{at}{domain}", name] if at else [name]
        return tuple(dict.fromkeys(names))
