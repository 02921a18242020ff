"""Screen: colour and progress for people, neither for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO, TypeVar

T = TypeVar("T")
COLOURS = {"red": "31", "green": "32", "yellow": "33", "dim": "2", "bold": "1"}
VERDICTS = {"spam": "red", "ham": "green", "unsure": "yellow"}


def coloured(stream: TextIO) -> bool:
    """Whether colour is wanted: a terminal, and NO_COLOR is not set."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str | None, stream: TextIO | None = None) -> str:
    """Text in a colour, where colour is wanted."""
    if colour is None or not coloured(stream or sys.stdout):
        return text
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m"


def progress(items: Iterable[T], total: int | None, verb: str) -> Iterator[T]:
    """The items; meanwhile a bar on standard error, when that is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    done = 0
    for item in items:
        yield item
        done += 1
        if done % 50 == 0:
            _draw(done, total, verb)
    _draw(done, total, verb)
    print(file=sys.stderr)


def _draw(done: int, total: int | None, verb: str) -> None:
    bar = ""
    if total:
        filled = min(30 * done // total, 30)
        bar = f" [{'#' * filled}{'.' * (30 - filled)}] of {total}"
    print(f"\r{verb} {done}{bar}", end="", file=sys.stderr, flush=True)


def table(rows: Sequence[Sequence[str]], right: str) -> list[str]:
    """Rows in columns as wide as their widest cell; a column marked `r` in `right` is aligned to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))] if rows else []
    return [
        "  ".join(
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in rows
    ]
