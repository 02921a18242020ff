"""Vocabulary: the text of tokens that people can read, by key."""

from __future__ import annotations

import struct
import zlib

from bayleaf._core import MailFeatures, Weighed
from bayleaf.mail.evidence import FAMILIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

READABLE = frozenset({FAMILIES.index("word"), FAMILIES.index("header")})


class Vocabulary:
    """The table `name`: one packed list of new tokens per learned mail.

    A token is written when it is seen for the second time, so that it is written about once and without looking it up;
    what only one mail ever said is not written at all.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def add(self, features: MailFeatures, weighed: Weighed, wanted: bool, known: int = 1) -> None:
        """Writes the readable tokens of a mail that so many learned mails have, or more than that when negative."""
        if not wanted:
            return
        lines = []
        keys = features.keys
        for at, group in enumerate(features.groups):
            if group in READABLE:
                seen = sum(weighed.counts(at))
                if seen == known or (known < 0 and seen >= -known):
                    (key,) = struct.unpack_from("<Q", keys, 8 * at)
                    lines.append(f"{key:016x} {features.name(at)}")
        self.write(lines)

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
