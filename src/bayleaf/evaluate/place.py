"""Place: where a mail is, to be read when its turn comes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from bayleaf.errors import BayleafError
from bayleaf.mail.mailbox import PACKED, box, files, parts, refusal
from bayleaf.mail.mbox import Mbox


class Place(NamedTuple):
    """A mail in a file: the byte it begins at, and its number, which is 0 where it is alone."""

    file: Path
    begin: int
    number: int

    def read_bytes(self) -> bytes:
        """The mail; refused where another program has changed its mbox meanwhile."""
        try:
            _, number, raw = next(iter(Mbox(parts(self.file, self.begin))))
        except OSError as error:
            raise BayleafError(refusal(self.file, 0, error)) from error
        if bool(number) != bool(self.number):
            raise BayleafError(
                f"{self.file}: found no mail {self.number or 1} where it was, expected a file that nobody changes "
                f"meanwhile; evaluate a copy of it"
            )
        return raw


class Held(NamedTuple):
    """A mail out of a pipe or a packed mailbox, which has no places to go back to."""

    raw: bytes

    def read_bytes(self) -> bytes:
        """The mail."""
        return self.raw


def places(path: str | Path) -> Iterator[Place | Held]:
    """Every mail at a path, in the order of `mails`; in memory are only those that cannot be read again."""
    for file in [Path("-")] if str(path) == "-" else files(path):
        try:
            content = parts(file)
            first = next(content, b"")
            if not first and file == Path(path):  # a mailbox without mails, or the sign of a broken pipe
                name = "standard input" if str(path) == "-" else path
                raise BayleafError(f"{name}: found nothing in it, expected a mail")
            once = not file.is_file() or first.startswith(PACKED)
            for begin, number, raw in box(chain([first], content)):
                yield Held(raw) if once else Place(file, begin, number)
        except OSError as error:
            raise BayleafError(refusal(file, 0, error)) from error
