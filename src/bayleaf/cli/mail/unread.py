"""Unread: what could not be read, while all else went on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from bayleaf.cli.streams import complain
from bayleaf.errors import BayleafError
from bayleaf.mail.mailbox import named

Path = TypeVar("Path")
Mail = TypeVar("Mail")
REFUSED = 70


class Unread:
    """Notes paths that are refused and what is left out of folders, and tells it in the end: others go on."""

    def __init__(self) -> None:
        self.left: list[str] = []  # in a folder, or the rest of a file
        self.refused: list[BayleafError] = []  # paths that were named

    def named(self, paths: Iterable[str]) -> Iterator[tuple[str, int, bytes]]:
        """Every mail of several paths with its file and its number there."""
        return self.each(paths, lambda path: named(path, self.left))

    def each(self, paths: Iterable[Path], mails: Callable[[Path], Iterator[Mail]]) -> Iterator[Mail]:
        """The mails of each path; when there is no mail at all, a path that cannot be read is refused."""
        read = False
        for path in paths:
            try:
                for mail in mails(path):
                    read = True
                    yield mail
            except BayleafError as error:
                self.refused.append(error)
        if self.refused and not read:
            last = self.refused.pop()
            self.tell()
            raise last

    def tell(self) -> int:
        """Names all of it; the exit code, which is that of a refusal when a path was refused that somebody named."""
        for why in (*self.left, *self.refused):
            complain(f"bayleaf: left out: {why}")
        return REFUSED if self.refused else 0
