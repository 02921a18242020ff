"""Reading: mails on their way to be learned."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from bayleaf.cli.mail.unread import REFUSED, Unread
from bayleaf.cli.streams import complain
from bayleaf.errors import BayleafError
from bayleaf.mail.mailbox import PACKED, files, headed, named
from bayleaf.store.entry import AGED

BLANK = b"\0 \t\r\n"  # a machine that crashed leaves files of zeros


class Reading:
    """Reads mails and notes what is odd about them.

    What is empty, unreadable or gone is left out: a nightly run goes on.
    """

    def __init__(self) -> None:
        self.empty = 0
        self.names: list[str] = []  # of all mails that were given
        self.unread = Unread()
        self.bare: list[str] = []
        self.twice: list[str] = []
        self._labels: dict[int, str] = {}  # by the hash of the mail

    def labelled(self, sources: Iterable[tuple[str, str]]) -> Iterator[tuple[bytes, str]]:
        """The mails of all sources, each a label and a path, with their labels."""
        return self.unread.each(sources, lambda source: ((raw, source[0]) for raw in self.mails(source[1], source[0])))

    def mails(self, path: str, label: str) -> Iterator[bytes]:
        """The mails at a path, which shall be learned as `label`; nothing at all is refused."""
        read = False
        for where, number, raw in named(path, self.unread.left):
            if not raw.strip(BLANK):
                self.empty += 1
                continue
            read = True
            name = f"{where}, mail {number}" if number else where
            self.names.append(name)
            if not headed(raw):
                self.bare.append(name)
            if self._labels.setdefault(hash(raw), label) != label:
                self.twice.append(name)
            yield raw
        if not read and not os.path.isdir(path):  # noqa: PTH112 - a new Maildir may have no mail yet
            refuse_empty(path)

    @property
    def name(self) -> str:
        """The name of the mail that was given last."""
        return self.names[-1]

    def tell(self, left: Sequence[int] = ()) -> int:
        """Prints what was noted, and which mails were `left` out since they have changed; the exit code."""
        if self.empty:
            complain(f"bayleaf: {self.empty} empty files or mails were left out")
        code = self.unread.tell()
        for names, what in (
            (self.bare, "found no header, expected a mail; learned as it is"),
            (self.twice, "found under another label before, expected one label; the last one counts"),
        ):
            if names:
                more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
                complain(f"bayleaf: {names[0]}{more}: {what}")
        for number in left:
            complain(f"bayleaf: {self.names[number]}: {AGED}")
        return code or (REFUSED if left else 0)


def is_pipe(path: str) -> bool:
    """Standard input, or what a shell writes for the output of a command: read once, and without a size."""
    there = os.path.exists(path)  # noqa: PTH110 - which does not fail in a folder that may not be entered
    return path == "-" or (there and not os.path.isfile(path) and not os.path.isdir(path))  # noqa: PTH112, PTH113


def is_uncounted(path: str) -> bool:
    """Whether a path that is one file may hold any number of mails: a pipe, an mbox, or what is packed."""
    if is_pipe(path):
        return True
    with suppress(OSError), open(path, "rb") as file:  # noqa: PTH123 - told when it is learned
        return file.read(16).startswith((b"From ", *PACKED))
    return False


def surveyed(sources: Sequence[tuple[str, str]]) -> int:
    """How many files there are; one that has two labels is refused.

    So are paths when none of them is there, or all are empty. One of those among others is told when it should be read.
    """
    labels: dict[str, str] = {}
    there = [(label, path) for label, path in sources if is_pipe(path) or not path or os.path.exists(path)]  # noqa: PTH110
    if not there:
        list(Unread().named(path for _, path in sources))
    if all(_is_empty(path) for _, path in there):
        refuse_empty(there[0][1])
    for label, path in there:
        if is_pipe(path):
            continue
        for file in files(path, []):  # what cannot be read is told when it is
            known = labels.setdefault(os.path.realpath(file), label)
            if known != label:
                raise BayleafError(
                    f"{file}: found as {known} and as {label}, expected one label; name folders that do not overlap"
                )
    return len(labels)


def _is_empty(path: str) -> bool:
    return os.path.isfile(path) and not os.path.getsize(path)  # noqa: PTH113, PTH202


def refuse_empty(path: str) -> None:
    """An empty mail teaches nothing and may be the sign of a broken pipe."""
    name = "standard input" if path == "-" else path
    raise BayleafError(f"{name}: found nothing in it, expected a mail; nothing of it was learned")
