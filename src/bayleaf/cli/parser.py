"""Parser: argparse with examples below the help and with the exit code that the caller's world expects."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, HelpFormatter, Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from bayleaf.cli.settings import configure, shown
from bayleaf.cli.streams import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

MOST = 2**32 - 1  # things, or the largest seed that numpy takes
DIGITS = 20  # Python reads no endless digits
ANY = ("store", "shared", "users", "find", "row", "values")  # options and words that may be an address, or any text


class Layout(HelpFormatter):
    """Help in lines as wide as the terminal; examples as they are written."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns())

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith("examples:") else super()._fill_text(text, width, indent)


def columns() -> int:
    """How wide help may be. argparse would load shutil and three compressors to find out, at every start."""
    given = os.environ.get("COLUMNS", "")
    if given.isdigit():
        return int(given) - 2
    try:
        return min(os.get_terminal_size(1).columns, 102) - 2
    except OSError:
        return 98


class Parser(ArgumentParser):
    """A parser for one command.

    `wrong` is the exit code of wrong usage: 2 where people and scripts read it, 64 (EX_USAGE) where a mail system does
    and 2 would say "unsure". `beyond` says by which option a word is given that comes after all that are taken.
    """

    beyond = ""

    def __init__(self, name: str, about: str, examples: str = "", wrong: int = 2) -> None:
        epilog = f"examples:\n{examples.rstrip()}" if examples else None
        super().__init__(
            prog=f"bayleaf {name}", description=about, epilog=epilog, formatter_class=Layout, allow_abbrev=False
        )
        self.wrong = wrong
        self.typed: Sequence[str] = ()

    def options(self, argv: Sequence[str]) -> Namespace:
        """What was given; then the configuration file has been read as well."""
        self.typed = argv
        given, rest = self.parse_known_args(argv)
        if rest and not any(word.startswith("-") for word in rest):
            given, rest = self.parse_known_intermixed_args(argv)  # behind an option, where argparse took none before it
        if rest:
            hint = f" ({self.beyond})" if self.beyond and not any(word.startswith("-") for word in rest) else ""
            self.error(f"unrecognized arguments: {' '.join(rest)}{hint}")
        for address in addresses([value for name, value in vars(given).items() if name not in ANY]):
            from bayleaf.store.address import stray  # noqa: PLC0415 - not for every mail

            self.error(stray(address))
        configure()
        return given

    def print_help(self, file: Any = None) -> None:
        """Help that nobody takes is no fault; argparse of Python 3.11.2 does not know that."""
        with suppress(OSError):
            super().print_help(file)

    def error(self, message: str) -> NoReturn:
        """Says what is wrong in one line, and which option was meant where one was mistyped."""
        told = " ".join(map(shown, message.split(" ")))  # it may end in the journal: no password of a mistyped line
        complain(f"{self.prog}: {told}{self._meant(message)}; {self.prog} -h explains")
        raise SystemExit(self.wrong)

    def _meant(self, message: str) -> str:
        """The options that were meant; all words are asked, since argparse misses --label before it sees --lable."""
        if files := [word for word in self.typed if word[:1] == "-" and word != "-" and os.path.exists(word)]:  # noqa: PTH110
            return f" (a file whose name begins with - is written ./{files[0]})"
        typed = [word.partition("=")[0] for word in self.typed if word.startswith("--")]
        known = {name.lstrip("-"): name for name in self._option_string_actions}  # dashes make all of them look alike
        strange = [flag for flag in typed if not any(name.startswith(flag) for name in known.values())]
        meant = [f"{known[near]} instead of {flag}" for flag in strange if (near := nearest(flag.lstrip("-"), known))]
        if meant:
            return f" (did you mean {', '.join(meant)}?)"
        return f" (there is no option {strange[0]})" if strange and strange[0] not in message else ""


def addresses(given: object) -> Iterator[str]:
    """The addresses of databases among what was given. As names of files they would be shown with their passwords."""
    if isinstance(given, list):
        for each in given:
            yield from addresses(each)
    elif str(given).startswith(("postgresql:", "postgres:")):
        yield str(given)


def natural(text: str) -> int:
    """A number of things, or the seed of random numbers."""
    if not text.isascii() or not text.isdigit() or len(text) > DIGITS or int(text) > MOST:
        raise ArgumentTypeError(f"found {text[:40]!r}, expected a whole number from 0 to {MOST}")
    return int(text)


def share(text: str) -> float:
    """A number from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise ArgumentTypeError(f"found {text!r}, expected a number from 0 to 1")
    return number


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was meant, or None where none is near.

    Examples
    --------
    >>> nearest("tran", ["train", "predict"]), nearest("fly", ["train", "predict"])
    ('train', None)
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only those who mistype pay for it

    return next(iter(get_close_matches(word, list(known), n=1)), None)
