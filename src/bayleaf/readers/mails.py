"""Mailboxes as data: mbox, Maildir, single mails, and folders of these."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bayleaf.errors import DataError
from bayleaf.mail.mailbox import box, files, is_maildir
from bayleaf.mail.mbox import PART
from bayleaf.mail.pieces import FROM
from bayleaf.readers.input import Input
from bayleaf.readers.source import Piece, Source, classed
from bayleaf.readers.text import PIECE
from bayleaf.readers.visible import Visible


class Mails(Source):
    """Mails, one row each: from, subject and text, and in a folder of mailboxes the name of the mailbox as label."""

    format = "mail"

    def __init__(self, source: Input) -> None:
        super().__init__(source)
        self._path = source.path
        self.names = ["from", "subject", "text"]
        self._boxes: list[tuple[str, Path]] = []
        if self._path is not None and self._path.is_dir():
            self.rereadable = True
            self._boxes = mailboxes(self._path)
        if self._boxes:
            self.names.append("label")
            self.notes.append(classed(sorted({label for label, _ in self._boxes}), "mailboxes"))
        else:
            self.notes.append("mails: sender, subject and the text that is seen")

    def pieces(self) -> Iterator[Piece]:
        """A piece for each mail."""
        if self._path is None or not self._path.is_dir():
            yield from self._box(self._input, [])
            return
        for label, path in self._boxes or [("", self._path)]:
            for file in files(path):
                yield from self._box(Input(file), [label] if self._boxes else [])

    def _box(self, source: Input, label: list[str]) -> Iterator[Piece]:
        with source.open() as stream:
            try:
                for _, number, raw in box(iter(partial(source.read, stream, PART), b"")):
                    place = f"{source.name}, mail {number}" if number else source.name
                    yield Piece(len(raw) + 200, [[value] for value in (*Visible.read(raw), *label)], [place])
            except OSError as error:
                raise DataError(f"{source.name}: found {error.strerror}, expected a mail") from error


def mailboxes(path: Path) -> list[tuple[str, Path]]:
    """The mailboxes in a folder with their names: the folders and mboxes in it; none if it is a mailbox itself."""
    if is_maildir(path):
        return []
    inner = sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))
    return [(_label(entry), entry) for entry in inner if entry.is_dir() or _is_mbox(entry)]


def _label(entry: Path) -> str:
    return entry.name if entry.is_dir() else entry.name.split(".mbox", maxsplit=1)[0]


def _is_mbox(file: Path) -> bool:
    """Whether a file is called an mbox or begins with more than one mail."""
    if ".mbox" in file.name:
        return True
    head = Input(file).head(PIECE)
    line = re.compile(FROM)
    first = line.match(head)
    return first is not None and line.search(head, first.end()) is not None
