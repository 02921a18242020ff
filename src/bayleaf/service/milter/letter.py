"""Letter: a mail on its way in, as a mail server tells it piece by piece."""

from __future__ import annotations

import re
import time
from email.utils import formatdate

from bayleaf.service.marks import OURS
from bayleaf.service.milter.client import Client

END = re.compile(rb"\r?\n")
FORGED = re.compile(OURS, re.IGNORECASE)
# Lines removed. Postfix takes 90 s for 100,000 of them and dies of it; ours come on top of those that stay.
REMOVED = 100
ENTRY = 100  # bytes that a line or a recipient takes beside its own


class Letter:
    """Envelope, header lines and body. `most` bytes of it are kept: what is judged ends there."""

    def __init__(self, client: Client, most: int) -> None:
        self.client, self.most = client, most
        self.sender = b""
        self.recipients: list[bytes] = []
        self.fields: list[tuple[bytes, bytes]] = []  # name, and all behind its colon
        self.body = bytearray()
        self.size = 0
        self.macros: dict[bytes, bytes] = {}

    def add_field(self, name: bytes, value: bytes) -> None:
        """A header line."""
        if self._room(len(name) + len(value)):
            self.fields.append((name, END.sub(b"\r\n", value)))

    def add_body(self, piece: bytes) -> None:
        """A piece of the body."""
        self.body += piece[: max(self.most - self.size, 0)]
        self.size = min(self.size + len(piece), self.most)

    def add_recipient(self, address: bytes) -> None:
        """One more who gets it."""
        if self._room(len(address)):
            self.recipients.append(address)

    def _room(self, size: int) -> bool:
        self.size += size + ENTRY
        return self.size <= self.most

    def macro(self, name: bytes) -> bytes:
        """A word of the server about this mail, or about its sender; empty where it says nothing."""
        return self.macros.get(name) or self.client.macros.get(name, b"")

    def raw(self) -> bytes:
        """The mail as it will lie in the mailbox: with the two lines that the server writes on top.

        A filter learns from mailboxes, so without them every mail would lack what it has learned of the last hop.
        """
        lines = [b"%s:%s\r\n" % field for field in self.fields]
        return b"".join([b"Return-Path: %s\r\n" % self.sender, self._received(), *lines, b"\r\n", self.body])

    def _received(self) -> bytes:
        client, words = self.client, self.macro
        software = (words(b"v").split() or [b"milter"])[0]
        how = b"ESMTPS" if words(b"{tls_version}") else b"ESMTP"
        to = b"\r\n\tfor %s" % self.recipients[0] if len(self.recipients) == 1 else b""
        return b"Received: from %s (%s [%s])\r\n\tby %s (%s) with %s id %s%s; %s (%s)\r\n" % (
            *(client.helo, client.host, client.address),
            *(words(b"j") or b"localhost", software, how, words(b"i") or b"0", to),
            *(formatdate(localtime=True).encode(), time.strftime("%Z").encode()),
        )

    def forged(self) -> list[tuple[bytes, int]]:
        """Lines that look like ours: name, and which of those of that name it is, the last first.

        A server that counts anew after each removal, and one that does not, then both remove the right ones.
        """
        seen: dict[bytes, int] = {}
        found = []
        for name, _ in self.fields:
            seen[name.lower()] = seen.get(name.lower(), 0) + 1
            if FORGED.match(name):
                found.append((name, seen[name.lower()]))
        return found[:REMOVED][::-1]

    @property
    def users(self) -> tuple[str, ...]:
        """Under which names the only recipient may have taught: the address, and what stands before its @."""
        if len({*self.recipients}) != 1:
            return ()
        address = self.recipients[0].strip(b"<> ").decode("utf-8", "replace").lower()
        local, at, domain = address.rpartition("@")
        name = (local if at else domain).partition("+")[0]
        return (f"{name}@{domain}", name) if at else (name,)
