"""Vocabulary: the text of tokens that people can read, by key."""

from __future__ import annotations

import zlib

from bayleaf._core import MailFeatures, Weighed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf.mail.filter import Filter
    from bayleaf.store.session import Session


class Vocabulary:
    """The table `name`: one packed list of tokens per mail that was looked at.

    Every few mails the readable tokens that at least two learned mails have are written: what many mails say is soon
    there, what only one ever said never is. `expire` writes each of them once again.
    """

    def __init__(self, db: Session) -> None:
        self.db = db

    def add(self, features: MailFeatures, weighed: Weighed) -> None:
        """Writes the readable tokens of a mail that was read with names."""
        self.write(features.readable(weighed))

    def write(self, lines: list[str]) -> None:
        """Appends lines of key and text."""
        if lines:
            packed = zlib.compress("\n".join(line.replace("\n", " ") for line in lines).encode(errors="replace"))
            self.db.execute("INSERT INTO name(texts) VALUES (?)", (packed,))

    def read(self) -> dict[int, str]:
        """Text by key."""
        texts: dict[int, str] = {}
        for (packed,) in self.db.execute("SELECT texts FROM name ORDER BY id"):
            for line in zlib.decompress(packed).decode().split("\n"):
                key, _, text = line.partition(" ")
                texts[int(key, 16)] = text
        return texts


def readable(owner: Filter) -> dict[int, str]:
    """Text by key of all that a filter counts: of its own store, and of the shared one."""
    texts = {} if owner.shared is None else readable(owner.shared)
    with owner.store.ledger() as ledger:
        return texts | Vocabulary(ledger.db).read()
