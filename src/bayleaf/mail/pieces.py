"""Pieces: the mails of one file, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Compiled when a file begins with "From ": a process is started per mail, and these take as long as judging it.
# A "From " line has a time; without that test a sentence that begins with "From " would cut a mail in two. Thunderbird
# writes nothing behind it, or a dash: then a header follows. Some programs leave the empty line before it out: then a
# header follows a whole date.
FROM = (
    rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From "
    rb"(?:[^\n]*\d\d:\d\d[^\n]*\n|(?:- ?)?\r?\n(?=[!-9;-~]+:))"
    rb"|(?<=\n)From [^\n]* [A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d[^\n]*\n(?=[!-9;-~]+:)"
)
QUOTED = rb"(?m)^>(>*From )"
LENGTH = rb"(?mi)^Content-Length:[ \t]*(\d+)[ \t]*\r?$"
BLANK = rb"\n\r?\n"
BEHIND = 8  # bytes that tell whether a mail ends where its Content-Length says


def split(content: bytes) -> Iterator[bytes]:
    """The mails of one file: one, or those of an mbox."""
    return (mail for _, mail in pieces(content))


def pieces(content: bytes, more: int = 0) -> Iterator[tuple[slice, bytes]]:
    """The same with the place of each, "From " line and all: the places together are the whole file.

    All dialects: where Content-Length is true it counts (mboxcl, mboxcl2), otherwise a mail ends before a "From " line
    in its text and the empty line before that (mboxo, mboxrd); one ">" is taken off quoted "From " lines. With `more`,
    the file goes on: the last mail may be a part of one, and is where a Content-Length of at most so many bytes points
    behind the content.
    """
    line = re.match(FROM, content) if content[:5] == b"From " else None
    if line is None:
        yield slice(0, len(content)), content
    while line is not None:
        begin, start = line.span()
        blank = re.compile(BLANK).search(content, start - 1)  # its first line end where it has no header
        stop = None if blank is None else _counted(content, start, blank)
        if stop is not None and len(content) < stop + BEHIND and stop - start <= more:
            yield slice(begin, len(content)), content[start:]
            return
        if stop is not None and not _ends(content, stop):
            stop = None
        line = None if blank is None else next_line(content, blank.end() if stop is None else stop)
        end = len(content) if line is None else line.start()
        if stop is not None:
            mail = content[start:stop]
        elif line is None:
            mail = _unquoted(content[start:])
        else:
            mail = _unquoted(content[start : _without_blank(content, end)])
        yield slice(begin, end), mail


def _without_blank(content: bytes, end: int) -> int:
    """The end of a mail before the empty line that separates it from the next, if there is one."""
    before = content[max(end - 3, 0) : end]
    return end - 2 if before == b"\n\r\n" else end - before.endswith(b"\n\n")


def _unquoted(mail: bytes) -> bytes:
    return re.sub(QUOTED, rb"\1", mail) if b">From " in mail else mail  # most have none, and the pattern is slow


def next_line(content: bytes, start: int) -> re.Match[bytes] | None:
    """The next "From " line. Looking for its first letters alone is forty times as fast as for the pattern."""
    line, at = re.compile(FROM), start - 2
    while (at := content.find(b"\nFrom ", at + 1)) >= 0:
        if found := line.match(content, at + 1):
            return found
    return None


def _counted(content: bytes, start: int, blank: re.Match[bytes]) -> int | None:
    """The end that Content-Length names in a header with an empty line behind it."""
    found = re.compile(LENGTH).search(content, start, blank.start() + 1)
    return None if found is None or len(found[1]) > 12 else blank.end() + int(found[1])


def _ends(content: bytes, stop: int) -> bool:
    """Whether a mail or the file really ends there."""
    rest = content[stop : stop + BEHIND].lstrip(b"\r\n")
    return stop <= len(content) and (rest.startswith(b"From ") or not rest)
