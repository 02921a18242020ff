"""Streams: standard output and error as a caller may leave them, closed, full or without a buffer."""

from __future__ import annotations

import codecs
import io
import os
import sys

from bayleaf.plain import plain


def steady() -> None:
    """Opens standard error where it is closed: what is printed to None goes to standard output, into the mail.

    And has standard output take every name of a file and every word of a mail, whatever the locale.
    """
    codecs.register_error("bayleaf", given_back)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="bayleaf")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123 - as long as the process; pathlib is not for every mail


def given_back(error: UnicodeError) -> tuple[bytes, int]:
    """What cannot be encoded: the bytes that a name of a file has, and ``?`` for a sign that is not in the locale."""
    assert isinstance(error, UnicodeEncodeError)
    signs = map(ord, error.object[error.start : error.end])
    return bytes(sign - 0xDC00 if 0xDC80 <= sign <= 0xDCFF else ord("?") for sign in signs), error.end


def complain(words: str) -> None:
    """One line on standard error. Where nobody takes it the line is lost; the mail and the exit code are not."""
    try:
        print(plain(words), file=sys.stderr)
    except OSError:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123 - or Python would try again at the end


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
