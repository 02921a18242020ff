"""Session: what one connection of a mail server has said so far."""

from __future__ import annotations

from bayleaf.errors import BadValueError
from bayleaf.service.milter.client import LONGEST, Client, used
from bayleaf.service.milter.letter import Letter
from bayleaf.service.milter.packet import Packet
from bayleaf.service.milter.terms import Terms

CONTINUE = Packet(b"c").wire()


class Session:
    """Hears packets until a mail is whole. A connection may bring one mail after the other, and be used again."""

    def __init__(self, most: int) -> None:
        self.most = most  # bytes of a mail
        self.terms: Terms | None = None
        self.client = Client()
        self.letter = Letter(self.client, most)

    def hear(self, packet: Packet) -> bytes | None:
        """The answer; none where none is waited for."""
        if packet.command == b"O":
            self.terms = Terms.agreed(packet)
            return self.terms.answer()
        if self.terms is None:
            raise BadValueError(f"found {packet.command!r} first, expected an offer: this is no milter protocol")
        self._take(packet, self.terms)
        return CONTINUE if self.terms.waits(packet.command) else None

    def _take(self, packet: Packet, terms: Terms) -> None:
        letter, words = self.letter, [] if packet.command == b"B" else packet.words
        match packet.command:
            case b"D":
                known = (self.client if packet.data[:1] in b"CH" else letter).macros
                known.update(used(packet.data[1:]))
            case b"C":
                self.client.came(packet.data)
            case b"H" if words:
                self.client.helo = words[0][:LONGEST]
            case b"M" if words:
                letter.sender = words[0][:LONGEST]
            case b"R" if words:
                letter.add_recipient(words[0])
            case b"L" if len(words) > 1:
                letter.add_field(words[0], terms.space + words[1])
            case b"B" | b"E":
                letter.add_body(packet.data)
            case b"A":
                self.next_letter()
            case b"K":
                self.client = Client()
                self.next_letter()

    def next_letter(self) -> None:
        """Forgets the mail: it has been answered, or its sender has thought better of it."""
        self.letter = Letter(self.client, self.most)
