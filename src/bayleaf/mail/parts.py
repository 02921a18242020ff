"""Parts: where the head of a mail ends, byte for byte."""

from __future__ import annotations

import re

# A pattern for all fields would remember each: 80 bytes for one of three. A line that only begins with a carriage
# return ends no head for those who deliver the mail: what stands behind it is a field for their rules.
EMPTY = re.compile(rb"(?m)^(?=\r*\n)")
# Where all who deliver mail agree that the head ends, if lines end with carriage returns too, and if not.
CLEAN = {True: re.compile(rb"\n\n|\r\n\r\n"), False: re.compile(rb"\n\n")}


def parted(raw: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    r"""The mbox line, the header fields and the rest of a mail, and how its lines end; the last field may have none.

    >>> parted(b"Subject: a\r\n\r\nbody")
    (b'', b'Subject: a\r\n', b'\r\nbody', b'\r\n')
    >>> parted(b"Subject: a\n\rX: y\n\nbody")[1:3]
    (b'Subject: a\n\rX: y\n', b'\nbody')
    """
    begin = raw.find(b"\n") + 1 if raw.startswith(b"From ") else 0
    empty = EMPTY.search(raw, begin)
    stop = len(raw) if empty is None else empty.start()
    envelope, fields, rest = raw[:begin], raw[begin:stop], raw[stop:]
    end = b"\r\n" if (fields or rest).partition(b"\n")[0].endswith(b"\r") else b"\n"
    return envelope, fields, rest, end


def doubtful(fields: bytes, rest: bytes) -> int:
    r"""How many bytes of the rest are still fields for some who deliver mail.

    For procmail no carriage return may stand in the empty line that ends the head, for Sieve only one. Where all lines
    end with both, all of them mean the same or get line feeds alone.

    >>> doubtful(b"Subject: a\r\n", b"\r\nX: y\r\n"), doubtful(b"Subject: a\n", b"\r\nX: y\n\nbody")
    (0, 8)
    """
    both = fields.count(b"\n") == fields.count(b"\r\n")
    if rest.startswith((b"\n", b"\r\n") if both else b"\n"):
        return 0
    found = CLEAN[both].search(rest)
    return len(rest) if found is None else found.end()
