"""Streams: standard output and error as a caller may leave them, closed, full or without a buffer."""

from __future__ import annotations

import os
import sys


def steady() -> None:
    """Opens standard error where it is closed: what is printed to None goes to standard output, into the mail."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123 - as long as the process; pathlib is not for every mail


def give(out: bytes) -> None:
    """Writes all of it to standard output. With PYTHONUNBUFFERED one write may take a part and say nothing."""
    rest = memoryview(out)
    while rest:
        taken = sys.stdout.buffer.write(rest)
        if taken is None:  # a pipe that does not wait for its reader
            raise BlockingIOError("standard output does not take the mail")
        rest = rest[taken:]
    sys.stdout.buffer.flush()


def settle() -> None:
    """Writes out what was printed; Python's own attempt at the end would fail with words of its own and code 120."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        sys.stdout = None  # whoever read has gone, or the disk is full
