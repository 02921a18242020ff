"""Archive: what holds mails, but must be unpacked by others before they can be read."""

from __future__ import annotations

import re
from contextlib import suppress
from errno import EINVAL

# The first bytes, what they are of, and what unpacks it.
SIGNS = (
    (b"PK\x03\x04", "a ZIP archive", "unzip"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "7z x"),
    (b"Rar!\x1a\x07", "a RAR archive", "unrar x"),
    (b"\x28\xb5\x2f\xfd", "data packed with zstd", "zstd -dc"),
    (b"\x04\x22\x4d\x18", "data packed with lz4", "lz4 -dc"),
    (b"\x1f\x9d", "data packed with compress", "zcat"),
    (b"\x1f\x8b\x08", "data packed with gzip twice", "zcat"),
)
BLOCK = 512  # bytes of the header of a file in a tar archive
SUM = slice(148, 156)  # where the sum of its other bytes stands, in octal digits


def refuse_archive(content: bytes) -> None:
    """Raises an `OSError` if a file that begins so is an archive; its bytes would be learned as words of a mail.

    A mail begins with a field of a header, and no archive does but a tar whose first file has the name of one. That of
    a file in a Maildir has a colon as well, and is told by the folder before it.
    """
    for sign, found, remedy in SIGNS:
        if content.startswith(sign):
            raise OSError(EINVAL, f"{found}, to be unpacked first ({remedy})")
    if is_tar(content[:BLOCK]):
        raise OSError(EINVAL, "a tar archive, to be unpacked first (tar -x)")


def is_tar(block: bytes) -> bool:
    """Whether this is the header of a file in a tar archive and not that of a mail."""
    if len(block) < BLOCK or re.match(rb"[!-.0-9;-~]+[ \t]*:", block):
        return False
    with suppress(ValueError):
        return int(block[SUM].rstrip(b"\0 "), 8) == sum(block) - sum(block[SUM]) + len(block[SUM]) * ord(" ")
    return False
