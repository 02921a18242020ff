"""Options that the desk commands have in common."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path

from bayleaf.cli.parser import Parser

QUIET = "print results only: no notes, no progress"


def parser(name: str, about: str, examples: str, quiet: str = QUIET) -> Parser:
    """A parser with the options of every command; `quiet` says what -q does where the result is a file alone."""
    command = Parser(name, about, examples)
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("-q", "--quiet", action="store_true", help=quiet)
    command.add_argument(
        "-v", "--verbose", action="store_true", help="also say how long it took and, when refused, where in the code"
    )
    return command


def add_data(command: Parser, several: bool = False) -> None:
    """The file of rows, and how to read it."""
    command.add_argument(
        "data",
        metavar="FILE",
        nargs="+" if several else None,
        help="CSV, TSV, JSON Lines, Parquet, Arrow, ARFF, a folder with one folder of texts per label, mailboxes; "
        "also compressed; - is standard input",
    )
    add_reading(command)


def add_reading(command: Parser) -> None:
    """How to read a file, where looking at it is not enough."""
    command.add_argument("--format", help="the format, where content and name do not tell")
    command.add_argument(
        "--delimiter", type=delimiter, help="between the fields of a CSV file, where it cannot be seen"
    )
    command.add_argument("--encoding", help="of its text, where it is neither UTF-8 nor windows-1252")
    command.add_argument("--no-header", action="store_true", help="the first line is a row; columns are column_1, ...")


def add_label(command: Parser) -> None:
    """Which column is the answer."""
    command.add_argument(
        "--label", metavar="COLUMN", help="the column with the labels (default: label, class or target)"
    )


def add_output(command: Parser, what: str, required: bool = False) -> None:
    """Where the result goes."""
    command.add_argument("-o", "--output", type=Path, metavar="PATH", required=required, help=what)


def delimiter(text: str) -> str:
    r"""What parts fields; the two signs ``\t`` are a tab, which is hard to type in a shell."""
    return "\t" if text == r"\t" else text


def add_kinds(command: Parser) -> None:
    """What columns are, where looking at them is not enough."""
    command.add_argument(
        "--columns",
        action="extend",
        nargs="+",
        type=kind,
        default=[],
        metavar="NAME=KIND",
        help="take a column for text, number or category, or ignore it",
    )


def kind(text: str) -> tuple[str, str]:
    """One NAME=KIND."""
    from bayleaf.records.columns import KINDS  # noqa: PLC0415 - only where one is given

    name, _, given = text.rpartition("=")
    if not name or given not in KINDS:
        raise ArgumentTypeError(f"found {text!r}; expected COLUMN=KIND with one of {', '.join(KINDS)}")
    return name, given
