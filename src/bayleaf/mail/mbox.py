"""Mbox: the mails of a file as it comes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bayleaf.mail.archive import refuse_archive
from bayleaf.mail.pieces import FROM, next_line, pieces

PART = 1 << 18  # bytes of a file that are read at a time
# A folder may hold the image of a disk, and a few packed bytes unpack to any number, so a mail is cut off here.
# Features come from its first 25 MB; its identity from all of it, so the limit is above what servers take: 35 MB of
# attachments are 48 MB as text.
LONGEST = 48 << 20
LEADING = (b"\xef", b"\r", b"\n")
LEAD = rb"(?:\xef\xbb\xbf)?[\r\n]{0,9}(?=From [^\n]*\d\d:\d\d)"  # what editors put before an mbox
LINE = 1 << 12  # bytes of a "From " line that is looked for behind a mail that was cut off


class Mbox:
    """The mails of a file that comes in parts, whether it is an mbox or one mail; about one mail is in memory.

    Iterating gives of each mail where it begins, its number (from 1 in an mbox, 0 where it is alone) and its bytes, of
    which there are at most `LONGEST`. When a part cannot be read, the mails that were whole come first, then the error,
    which is also that of an archive.
    """

    def __init__(self, parts: Iterable[bytes]) -> None:
        self._parts = iter(parts)
        self._window, self._begin = b"", 0  # what was read and not given yet, and its place in the file
        self._ended = False
        self._fault: OSError | None = None

    def __iter__(self) -> Iterator[tuple[int, int, bytes]]:
        self._grow(PART)
        if self._window[:1] in LEADING and (lead := re.match(LEAD, self._window)):
            self._drop(lead.end())
        if self._window[:5] == b"From " and re.match(FROM, self._window):
            mails = self._several()
            yield from ((begin, number, mail[:LONGEST]) for number, (begin, mail) in enumerate(mails, 1))
        else:
            number = int(self._window[:5] == b"From ")
            refuse_archive(self._window)
            self._grow(LONGEST)
            if self._fault is None:
                yield 0, number, self._window[:LONGEST]
        if self._fault is not None:
            raise self._fault

    def _several(self) -> Iterator[tuple[int, bytes]]:
        while self._window:
            before = self._begin
            yield from self._whole()
            if self._begin == before and len(self._window) >= LONGEST + PART:
                yield before, next(pieces(self._window))[1]
                self._skip()
            elif not self._ended:
                self._grow(max(PART, 2 * len(self._window)))

    def _whole(self) -> Iterator[tuple[int, bytes]]:
        """The mails in the window whose end is certain: all but the last, and that one where the file ends."""
        finished = self._ended and self._fault is None
        held: tuple[int, bytes] | None = None
        last = 0
        for place, mail in pieces(self._window, 0 if finished else LONGEST):
            if held is not None:
                yield held
            held, last = (self._begin + place.start, mail), place.start
        if finished and held is not None:
            yield held
        self._drop(len(self._window) if self._ended else last)

    def _skip(self) -> None:
        """Pass over the rest of a mail that was cut off."""
        while not (line := next_line(self._window, 2)) and not self._ended:
            self._drop(max(len(self._window) - LINE, 0))
            self._grow(LINE + PART)
        self._drop(line.start() if line else len(self._window))

    def _drop(self, size: int) -> None:
        self._window, self._begin = self._window[size:], self._begin + size

    def _grow(self, size: int) -> None:
        """Read until the window has so many bytes, less only at the end."""
        held, have = [self._window], len(self._window)
        try:
            while have < size and not self._ended:
                part = next(self._parts, b"")
                held.append(part)
                have, self._ended = have + len(part), not part
        except OSError as fault:
            self._fault, self._ended = fault, True
        self._window = b"".join(held)
