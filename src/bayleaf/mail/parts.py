"""Parts: where the head of a mail ends, byte for byte."""

from __future__ import annotations

import re

HEAD = re.compile(rb"\A(From [^\n]*\n)?((?:[^\r\n][^\n]*(?:\n|\Z))*)")


def parted(raw: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    r"""The mbox line, the header fields and the rest of a mail, and how its lines end; the last field may have none.

    >>> parted(b"Subject: a\r\n\r\nbody")
    (b'', b'Subject: a\r\n', b'\r\nbody', b'\r\n')
    """
    head = HEAD.match(raw)
    envelope, fields = (head[1] or b"", head[2]) if head else (b"", b"")
    rest = raw[len(envelope) + len(fields) :]
    end = b"\r\n" if (fields or rest).partition(b"\n")[0].endswith(b"\r") else b"\n"
    return envelope, fields, rest, end
