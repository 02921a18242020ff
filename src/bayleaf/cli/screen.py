"""Screen: colour and progress for people, neither for programs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TextIO, TypeVar

from bayleaf.plain import plain

T = TypeVar("T")
COLOURS = {"red": "31", "green": "32", "yellow": "33", "dim": "2", "bold": "1"}
SHADES = {-4: 196, -3: 203, -2: 210, -1: 217, 1: 157, 2: 120, 3: 83, 4: 46}  # of the 256 colours: red to green
VERDICTS = {"spam": "red", "ham": "green", "unsure": "yellow"}


def coloured(stream: TextIO | None) -> bool:
    """Whether colour is wanted: a terminal, and NO_COLOR is not set. A stream that is closed is None."""
    return (
        stream is not None and stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def paint(text: str, colour: str | None) -> str:
    """Text in a colour, where colour is wanted."""
    if colour is None or not coloured(sys.stdout):
        return text
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m"


def named(name: str) -> str:
    """The name of a file: as it may be shown on a terminal, and as it is for programs."""
    return plain(name) if sys.stdout is not None and sys.stdout.isatty() else name


def progress(items: Iterable[T], total: int | None, verb: str, size: Callable[[T], int] | None = None) -> Iterator[T]:
    """The items; meanwhile a bar on standard error, when that is a terminal. `size` is what an item counts for."""
    if not sys.stderr.isatty():
        yield from items
        return
    done, next_draw = 0, 0.0
    for item in items:
        yield item
        done += 1 if size is None else size(item)
        if time.monotonic() >= next_draw:
            next_draw = time.monotonic() + 0.1
            _draw(done, total, verb)
    _draw(done, total, verb)
    print(file=sys.stderr)


def _draw(done: int, total: int | None, verb: str) -> None:
    if total is not None and done > total:  # files were counted, and some hold several mails
        print(f"\r{verb} {done}".ljust(_columns() - 1), end="", file=sys.stderr, flush=True)
        return
    line = f"\r{verb} {done}" + (f" of {total}" if total else "")
    room = min(30, _columns() - len(f"{verb} {total} of {total} [] "))  # a line that wraps cannot be drawn over
    if total and room > 0:
        filled = min(room * done // total, room)
        line += f" [{'#' * filled}{'.' * (room - filled)}]"
    print(line, end="", file=sys.stderr, flush=True)


def _columns() -> int:
    """How wide the terminal of standard error is; 80 where it does not say."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        return 80


def number_of(count: int, noun: str) -> str:
    """A count and its noun.

    Examples
    --------
    >>> number_of(1, "row"), number_of(2, "row")
    ('1 row', '2 rows')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def shade(text: str, weights: Sequence[float]) -> str:
    """Text whose characters are green where their weight is positive and red where it is negative, if colour is wanted.

    Four steps of each colour, relative to the strongest character; hidden characters are shown as by `plain`.
    """
    signs = [
        "" if text[at : at + 2] == "\r\n" else sign if sign in "\n\t" else plain(sign) for at, sign in enumerate(text)
    ]
    top = max((abs(weight) for weight in weights), default=0.0)
    if not coloured(sys.stdout) or top == 0.0:
        return "".join(signs)
    steps = [round(4 * weight / top) for weight in weights]
    parts = []
    for step, run in groupby(zip(steps, signs, strict=True), key=lambda pair: pair[0]):
        piece = "".join(sign for _, sign in run)
        parts.append(f"\x1b[38;5;{SHADES[step]}m{piece}\x1b[0m" if step else piece)
    return "".join(parts)
