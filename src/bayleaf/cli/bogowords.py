"""BogoWords: the words of a bogofilter call."""

from __future__ import annotations

import getopt
from collections.abc import Sequence
from pathlib import Path

from bayleaf.cli.settings import shown
from bayleaf.errors import BayleafError
from bayleaf.standard_input import standard_input
from bayleaf.store.address import file_named

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
    "spam-cutoff": "o",
    "terse": "t",
    "fixed-terse-format": "T",
    "verbosity": "v",
}
UNLIKE = ("sn", "SN", "sS", "nN", "us", "un", "uS", "uN")  # what cannot be meant of one mail
NAMING = {"d": "a folder", "I": "a file", "O": "a file", "o": "a probability"}
# Long options without a value; one that is not known here takes the next word, as a line of bogofilter's configuration.
BARE = (
    "no-config-file",
    "no-header-tags",
    "dataframe",
    "debug-to-stdout",
    "query",
    "quiet",
    "report-unsure",
    "use-syslog",
)


class BogoWords:
    """Flags by their short names, one for each time it was given, files, and where mails come from and go to."""

    def __init__(self, flags: str, given: dict[str, str], names: Sequence[str]) -> None:
        self.flags, self.names = flags, names
        self.folder, self.source, self.out = given.get("d"), given.get("I"), given.get("O")
        self.cutoffs = given.get("o")

    @classmethod
    def read(cls, words: Sequence[str]) -> Self:
        """What bogofilter would understand.

        >>> said = BogoWords.read(["-vvl", "--passthrough", "--min-dev", "0.1", "-d", "here", "-B", "mail"])
        >>> said.flags, said.folder, said.names
        ('vvlpB', 'here', ['mail'])
        """
        kept = [word for before, word in zip(["", *words], words, strict=False) if not worth(before, word)]
        pairs, names = getopt.gnu_getopt([word for word in map(short, kept) if word is not None], SHORT)
        given = {name[1:]: value for name, value in pairs if f"{name[1:]}:" in SHORT}
        flags = "".join(name[1:] for name, _ in pairs if name[1:] not in given)
        if names and not set(flags) & set("bB"):  # or the mail on standard input would not be read, and lost with -p
            raise BayleafError(f"found {shown(names[0])!r} behind the options, expected -B before names of mails")
        for one, other in map(list, UNLIKE):
            if one in flags and other in flags:  # as bogofilter, before anything is learned
                raise BayleafError(f"found -{one} and -{other}, expected one of them; -Sn and -Ns correct a mail")
        for name, what in NAMING.items():
            refuse_empty(f"-{name}", given.get(name, what), what)
            file_named(given.get(name, what))
        return cls(flags, given, names)

    def mail(self) -> bytes:
        """The input; nothing where mails are named."""
        if set(self.flags) & set("bB"):
            return b""
        return Path(self.source).read_bytes() if self.source else standard_input().read()


def short(word: str) -> str | None:
    """A long option as a short one; an option that stands for a line of bogofilter's configuration is None."""
    if not word.startswith("--") or word == "--":
        return word
    name, equals, value = word[2:].partition("=")
    letter = LONG.get(name, "")
    if letter not in NAMING:
        return f"-{letter}" if letter else None
    if equals:
        refuse_empty(f"--{name}", value, NAMING[letter])
    return f"-{letter}{value}"


def worth(before: str, word: str) -> bool:
    """Whether a word is the value of the option before it, and that one is nothing to us."""
    name = before.removeprefix("--")
    unknown = before != name and "=" not in name and name not in ("", *LONG, *BARE)
    return unknown and not word.startswith("-")


def refuse_empty(option: str, value: str, what: str) -> None:
    """An empty name is likely that of a variable that is not set."""
    if not value:
        raise BayleafError(
            f"found {option} with an empty name, expected {what}; leave the option out for the usual one"
        )
