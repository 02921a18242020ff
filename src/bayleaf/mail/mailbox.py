"""Mailboxes: mails out of files, mboxes, Maildirs and folders of them, packed or not."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path

from bayleaf.errors import BayleafError
from bayleaf.mail.deleted import deleted
from bayleaf.mail.mbox import PART, Mbox
from bayleaf.standard_input import standard_input
from bayleaf.store.address import file_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

# The first bytes of gzip, xz and bzip2. That of bzip2 has a level, and another first block where it holds nothing.
BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")
PACKED = (b"\x1f\x8b\x08", b"\xfd7zXZ\0", *(b"BZh%d%b" % (level, block) for level in range(1, 10) for block in BLOCKS))
# What mail programs keep beside mails, and what nmh has deleted.
PRIVATE = r"(?i:\..*|[,#]\d+|dovecot.*|cyrus\..*|maildirfolder|table_of_contents|.*\.(?:msf|cmeta|ibex.*))"
TRASHED = r".*[:;!]2,[A-Za-z]*T[A-Za-z]*"  # names of mails in a Maildir that are marked as deleted
BESIDE = rf"{PRIVATE}|{TRASHED}"  # what a folder of mails holds beside them


def mails(path: str | Path) -> Iterator[bytes]:
    """Every mail at a path: ``-`` is standard input, a folder is read with all in it, a Maildir has cur and new.

    Those that their reader has deleted are left out: programs that move a mail leave it behind, marked, until they
    tidy up, and what lies in Junk would be learned as good mail again.
    """
    return (raw for _, _, raw in named(path))


def named(path: str | Path, left: list[str] | None = None) -> Iterator[tuple[str, int, bytes]]:
    """The same with the file each mail is in, and its number there: from 1 in an mbox, 0 where it is alone.

    With `left`, files and folders in a folder that cannot be read are left out, and why is added there; so is the rest
    of a file that cannot be read to its end.
    """
    for file in [Path("-")] if str(path) == "-" else files(path, left):
        number = 0
        try:
            for _, number, raw in box(parts(file)):
                yield str(file), number, raw
        except OSError as error:
            why = refusal(file, number, error)
            if left is None or (file == Path(path) and not number):
                raise BayleafError(why) from error
            left.append(why)


def headed(raw: bytes) -> bool:
    """Whether a mail begins as mails do: with a field of a header."""
    return re.match(rb"[!-9;-~]+[ \t]*:", raw) is not None


def refusal(file: Path, number: int, error: OSError) -> str:
    """Why a file cannot be read, or cannot be read on behind one of its mails."""
    where = "standard input" if str(file) == "-" else str(file)
    found = "nothing there any more" if isinstance(error, FileNotFoundError) else error.strerror
    if number:
        return f"{where}, behind mail {number}: found {found}, expected more mails; those before it were read"
    return f"{where}: found {found}, expected a mail that may be read"


def box(content: Iterator[bytes]) -> Iterator[tuple[int, int, bytes]]:
    """The mails of a file that comes in parts, as an `Mbox` gives them, without those that their reader has deleted.

    What is packed is told by its first bytes, and unpacked on the way.
    """
    first = next(content, b"")
    whole: Iterator[bytes] = chain([first], content)
    if first.startswith(PACKED):
        from bayleaf.mail.unpacked import unpacked

        whole = unpacked(whole)
    return ((begin, number, raw) for begin, number, raw in Mbox(whole) if not number or not deleted(raw, number))


def parts(file: Path, begin: int = 0) -> Iterator[bytes]:
    """The bytes of a file from a place on, or of standard input (``-``), in parts of bounded size."""
    if str(file) == "-":
        yield from iter(partial(standard_input().read, PART), b"")
        return
    with _opened(file) as stream:
        if begin:  # a pipe has one place only
            stream.seek(begin)
        yield from iter(partial(stream.read, PART), b"")


def _opened(file: Path) -> BinaryIO:
    """A file, open. A mail in a Maildir gets another name when somebody reads it."""
    try:
        return file.open("rb")
    except FileNotFoundError:
        from bayleaf.mail.renamed import renamed

        found = renamed(file)
        if found is None:
            raise
        return found.open("rb")


def files(path: str | Path, left: list[str] | None = None) -> Iterator[Path]:
    """The files with mail at a path, in a fixed order; `left` as in `named`.

    Of a Maildir these are cur and new. What lies in tmp is still being delivered, and the folders inside (.Junk, .Sent)
    are mailboxes of their own: they are read when they are named. An empty name, likely that of a variable that is not
    set, is not the folder one happens to be in.
    """
    if path == "":
        raise BayleafError("found an empty name, expected a path; a dot is the folder you are in")
    path = file_named(path)
    try:
        is_folder, is_there = path.is_dir(), path.exists()
    except OSError as error:  # it lies in a folder that may not be entered
        raise BayleafError(refusal(path, 0, error)) from error
    if is_folder:
        yield from _inside(path, frozenset(), left)
    elif is_there:
        yield path
    else:
        raise BayleafError(f"{path}: found nothing there, expected a mail, an mbox, a Maildir or a folder of them")


def is_maildir(folder: Path) -> bool:
    """Whether a folder is a Maildir: it has cur, or new beside tmp; archives lose folders that are empty.

    One called new alone makes none: people have it beside other folders, which would not be read.
    """
    cur, new, tmp = ((folder / name).is_dir() for name in ("cur", "new", "tmp"))
    return cur or (new and tmp)


def _inside(folder: Path, above: frozenset[str], left: list[str] | None) -> Iterator[Path]:
    """The files of a folder; a link to a folder that it is in is not followed."""
    try:
        found = _listed(folder)
    except OSError as error:
        why = f"{folder}: found {error.strerror}, expected a folder that may be read"
        if left is None or not above:
            raise BayleafError(why) from error
        left.append(why)
        return
    above |= {str(folder.resolve())}
    for inner, is_folder in found:
        if is_folder and not inner.name.startswith("."):
            if str(inner.resolve()) not in above:
                yield from _inside(inner, above, left)
        elif not is_folder and not re.fullmatch(BESIDE, inner.name):
            yield inner


def _listed(folder: Path) -> list[tuple[Path, bool]]:
    """The files and folders in a folder, and which they are now: a mail may have another name when its turn comes."""
    if is_maildir(folder):
        return [(folder / name, True) for name in ("cur", "new") if (folder / name).is_dir()]
    with os.scandir(folder) as entries:
        kinds = [(Path(entry), os.path.isdir(entry), _may_be_file(entry)) for entry in entries]  # noqa: PTH112 - no failure where one may not look
    return sorted((path, is_folder) for path, is_folder, is_file in kinds if is_folder or is_file)


def _may_be_file(entry: os.DirEntry[str]) -> bool:
    """Whether it is a file; so is a link to where one may not look: opening it tells why."""
    try:
        return entry.is_file()
    except OSError:
        return True
