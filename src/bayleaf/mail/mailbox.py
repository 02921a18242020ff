"""Mailboxes: mails out of files, mboxes, Maildirs and folders of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bayleaf.errors import BayleafError
from bayleaf.standard_input import standard_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap

# Compiled when a file begins with "From ": a process is started per mail, and six patterns take as long as judging it.
# A "From " line has a time; without that test a sentence that begins with "From " would cut a mail in two.
FROM = rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]*\d\d:\d\d[^\n]*\n"
QUOTED = rb"(?m)^>(>*From )"
LENGTH = rb"(?mi)^Content-Length:[ \t]*(\d+)[ \t]*\r?$"
SEPARATOR = rb"\r?\n\Z"
BLANK = rb"\n\r?\n"
HEADER = rb"[!-9;-~]+[ \t]*:"  # how a mail begins
PRIVATE = r"(?i)(?:\..*|dovecot.*|maildirfolder|.*\.(?:msf|cmeta|ibex.*))"


def mails(path: str | Path) -> Iterator[bytes]:
    """Every mail at a path: ``-`` is standard input, a folder is read with all in it, a Maildir has cur and new."""
    return (raw for _, _, raw in named(path))


def named(path: str | Path, left: list[str] | None = None) -> Iterator[tuple[str, int, bytes]]:
    """The same with the file each mail is in, and its number there: from 1 in an mbox, 0 where it is alone.

    With `left`, files of a folder that cannot be read are left out, and why is added there.
    """
    if str(path) == "-":
        yield from _numbered("-", standard_input().read())
        return
    for file in files(path):
        try:
            content = _content(file)
        except OSError as error:
            found = "nothing there any more" if isinstance(error, FileNotFoundError) else error.strerror
            why = f"{file}: found {found}, expected a mail that may be read"
            if left is None or file == Path(path):
                raise BayleafError(why) from error
            left.append(why)
        else:
            yield from _numbered(str(file), content)


def _content(file: Path) -> bytes:
    """What is in a file. A mail in a Maildir gets another name when somebody reads it."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        unique, flags, _ = file.name.partition(":2,")
        renamed = (other for other in file.parent.iterdir() if flags and other.name.startswith(unique + flags))
        found = next(renamed, None)
        if found is None:
            raise
        return found.read_bytes()


def _numbered(name: str, content: bytes) -> Iterator[tuple[str, int, bytes]]:
    for number, raw in enumerate(split(content), 1):
        yield name, number if content[:5] == b"From " else 0, raw


def files(path: str | Path) -> Iterator[Path]:
    """The files with mail at a path, in a fixed order.

    Of a Maildir these are cur and new. What lies in tmp is still being delivered, and the folders inside (.Junk, .Sent)
    are mailboxes of their own: they are read when they are named.
    """
    path = Path(path)
    if path.is_dir():
        yield from _inside(path, frozenset())
    elif path.exists():
        yield path
    else:
        raise BayleafError(f"{path}: found nothing there, expected a mail, an mbox, a Maildir or a folder of them")


def _inside(folder: Path, above: frozenset[str]) -> Iterator[Path]:
    """The files of a folder; a link to a folder that it is in is not followed."""
    above |= {str(folder.resolve())}
    maildir = (folder / "cur").is_dir()
    for inner in (folder / "cur", folder / "new") if maildir else sorted(folder.iterdir()):
        if inner.is_dir() and not inner.name.startswith("."):
            if str(inner.resolve()) not in above:
                yield from _inside(inner, above)
        elif inner.is_file() and not re.fullmatch(PRIVATE, inner.name):
            yield inner


def split(content: bytes | mmap) -> Iterator[bytes]:
    """The mails of one file: one, or those of an mbox."""
    return (mail for _, mail in pieces(content))


def pieces(content: bytes | mmap) -> Iterator[tuple[slice, bytes]]:
    """The same with the place of each, "From " line and all: the places together are the whole file.

    All dialects: where Content-Length is true it counts (mboxcl, mboxcl2), otherwise a mail ends before an empty line
    and a "From " line (mboxo, mboxrd); one ">" is taken off quoted "From " lines.
    """
    line = re.match(FROM, content) if content[:5] == b"From " else None
    if line is None:
        yield slice(0, len(content)), content[:]
    while line is not None:
        begin, start = line.span()
        stop = _counted(content, start)
        line = re.compile(FROM).search(content, start if stop is None else stop)
        end = len(content) if line is None else line.start()
        if stop is not None:
            mail = content[start:stop]
        elif line is None:
            mail = re.sub(QUOTED, rb"\1", content[start:])
        else:
            mail = re.sub(QUOTED, rb"\1", re.sub(SEPARATOR, b"", content[start:end]))
        yield slice(begin, end), mail


def _counted(content: bytes | mmap, start: int) -> int | None:
    """The end that Content-Length names, when a mail or the file really ends there."""
    blank = re.compile(BLANK).search(content, start)
    found = None if blank is None else re.compile(LENGTH).search(content, start, blank.start() + 1)
    if blank is None or found is None or len(found[1]) > 12:
        return None
    stop = blank.end() + int(found[1])
    rest = content[stop : stop + 8].lstrip(b"\r\n")
    return stop if stop <= len(content) and (rest.startswith(b"From ") or not rest) else None
