"""Deleted: mails that are still in their file, though whoever reads them has deleted or moved them."""

from __future__ import annotations

import re

# Thunderbird writes its flags above all fields that came with the mail: further down anybody may have written them.
FLAGS = rb"(?i)\A(?:X-(?:Account-Key|UIDL|Mozilla-Keys):[^\n]*\n){0,9}X-Mozilla-Status:[ \t]*([0-9a-f]{4})[ \t]*\r?\n"
EXPUNGED = 0x0008
INTERNAL = b"DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA"
TOP = 1 << 12  # bytes in which all that stands


def deleted(mail: bytes, number: int) -> bool:
    r"""Whether a mail of an mbox is none for its reader: deleted, or the first one, in which IMAP servers keep notes.

    >>> deleted(b"X-Mozilla-Status: 0009\nSubject: moved to Junk\n", 2)
    True
    """
    top = mail[:TOP]
    flags = re.match(FLAGS, top)
    return (flags is not None and bool(int(flags[1], 16) & EXPUNGED)) or (
        number == 1 and re.search(rb"(?m)^Subject: %b" % INTERNAL, top) is not None
    )
