"""Index: mails in order, such as those of a TREC corpus."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import overload

from bayleaf.errors import BayleafError
from bayleaf.evaluate.place import Held, Place, places

LABELS = ("spam", "ham")
UNKNOWN = "unknown"  # a mail without a label, in the words of TREC's toolkit: nothing to measure, nothing to teach


class Index(Sequence[tuple[bytes, str]]):
    """Mails and labels. A mail is read when it is asked for: a corpus may be larger than memory.

    Where a label is written in several ways, they are those of TREC's toolkit: `spam` is judged, then taught; `Spam` is
    only judged, `SPAM` only taught.
    """

    def __init__(self, lines: Sequence[tuple[Path | Place | Held, str]]) -> None:
        self.lines = lines

    @classmethod
    def read(cls, path: Path) -> Index:
        """The index at `path`: lines of label and file, which is relative to the index; other columns are ignored."""
        try:
            text = path.read_text(encoding="utf-8-sig", errors="surrogateescape")
        except OSError as error:
            found = "nothing there" if isinstance(error, FileNotFoundError) else error.strerror
            raise BayleafError(f"{path}: found {found}, expected a TREC index (lines of label and path)") from error
        lines: list[tuple[Path | Place | Held, str]] = []
        for number, line in enumerate(text.split("\n"), 1):
            label, *rest = line.split(maxsplit=1) or [UNKNOWN]
            if label.lower() == UNKNOWN:
                continue
            if label.lower() not in LABELS:
                raise BayleafError(f"{path}, line {number}: found the label {label!r}, expected spam or ham")
            lines.append((_mail(f"{path}, line {number}", path.parent, "".join(rest).rstrip()), label))
        spellings = {label for _, label in lines}
        if len(spellings) == len({label.lower() for label in spellings}):  # one way for each: capitals say nothing
            lines = [(mail, label.lower()) for mail, label in lines]
        return cls(lines)

    @classmethod
    def shuffled(cls, spam: Iterable[str | Path], ham: Iterable[str | Path], seed: int) -> Index:
        """The mails at these paths in random order."""
        lines = [(place, "spam") for path in spam for place in places(path)]
        lines += [(place, "ham") for path in ham for place in places(path)]
        random.Random(seed).shuffle(lines)
        return cls(lines)

    def __len__(self) -> int:
        return len(self.lines)

    @overload
    def __getitem__(self, at: int) -> tuple[bytes, str]: ...
    @overload
    def __getitem__(self, at: slice) -> Index: ...
    def __getitem__(self, at: int | slice) -> tuple[bytes, str] | Index:
        if isinstance(at, slice):
            return Index(self.lines[at])
        mail, label = self.lines[at]
        return mail.read_bytes(), label


def _mail(where: str, folder: Path, rest: str) -> Path:
    """The file that a line names: with blanks in its name, or followed by TREC's columns of user and genre."""
    for name in (rest, *rest.split(maxsplit=1)[:1]):
        if name and (folder / name).is_file():
            return folder / name
    raise BayleafError(f"{where}: found nothing at {folder / rest}, expected a mail; paths are relative to the index")
