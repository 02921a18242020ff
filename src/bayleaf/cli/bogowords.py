"""BogoWords: the words of a bogofilter call."""

from __future__ import annotations

import getopt
from collections.abc import Sequence
from pathlib import Path

from bayleaf.standard_input import standard_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

SHORT = "pesnSNuvtTMI:O:bBd:hVc:ClL:m:o:Uy:k:x:qQDFHPER"
LONG = {  # by bogofilter's own help; those it takes from its configuration file are ignored
    "help": "h",
    "version": "V",
    "passthrough": "p",
    "ham-true": "e",
    "update-as-scored": "u",
    "classify-mbox": "M",
    "classify-stdin": "b",
    "classify-files": "B",
    "register-spam": "s",
    "register-ham": "n",
    "unregister-spam": "S",
    "unregister-nonspam": "N",
    "bogofilter-dir": "d",
    "input-file": "I",
    "output-file": "O",
    "terse": "t",
    "fixed-terse-format": "T",
    "verbosity": "v",
}


class BogoWords:
    """Flags by their short names, one for each time it was given, files, and where mails come from and go to."""

    def __init__(self, flags: str, given: dict[str, str], names: Sequence[str]) -> None:
        self.flags, self.names = flags, names
        self.folder, self.source, self.out = given.get("d"), given.get("I"), given.get("O")

    @classmethod
    def read(cls, words: Sequence[str]) -> Self:
        """What bogofilter would understand.

        >>> said = BogoWords.read(["-vvl", "--passthrough", "--spam-cutoff=0.9", "-d", "here", "mail"])
        >>> said.flags, said.folder, said.names
        ('vvlp', 'here', ['mail'])
        """
        pairs, names = getopt.gnu_getopt([word for word in map(short, words) if word], SHORT)
        flags = "".join(name[1:] for name, value in pairs if not value)
        return cls(flags, {name[1:]: value for name, value in pairs if value}, names)

    def mail(self) -> bytes:
        """The input; nothing where mails are named."""
        if set(self.flags) & set("bB") or self.names:
            return b""
        return Path(self.source).read_bytes() if self.source else standard_input().read()


def short(word: str) -> str:
    """A long option as a short one; an option that stands for a line of bogofilter's configuration is nothing."""
    if not word.startswith("--") or word == "--":
        return word
    name, _, value = word[2:].partition("=")
    return (
        f"-{LONG[name]}{value if name in ('bogofilter-dir', 'input-file', 'output-file') else ''}"
        if name in LONG
        else ""
    )
