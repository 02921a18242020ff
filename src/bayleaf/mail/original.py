"""Original: the mail inside the report that SpamAssassin makes of spam."""

from __future__ import annotations

import re

MARK = b"x-spam-type=original"
REPORT = rb"(?mi)^X-Spam-Checker-Version:[ \t]*SpamAssassin\b"
BOUNDARY = rb'(?mi)^Content-Type:[ \t]*multipart/mixed;\s*boundary="([^"\r\n]{1,70})"'
# The parts have a few fields each. A limit, since a pattern remembers every one.
PART = rb"\n--%b\r?\nContent-Type:[^\n]*; x-spam-type=original[ \t]*\r?\n(?:[!-9;-~]+:[^\n]*\n){0,9}\r?\n"


def original(raw: bytes) -> bytes:
    """The mail as it came, where it has been put into a report (`report_safe`, SpamAssassin's default); else this mail.

    Only for learning, as sa-learn does: whoever writes spam could hide it behind such a report from those who judge.
    """
    if MARK not in raw:
        return raw
    from bayleaf.mail.parts import parted  # noqa: PLC0415 - most mails are none

    _, fields, rest, _ = parted(raw)
    boundary = re.search(BOUNDARY, fields)
    if boundary is None or not re.search(REPORT, fields):
        return raw
    part = re.search(PART % re.escape(boundary[1]), rest)
    end = -1 if part is None else rest.find(b"\n--" + boundary[1], part.end())
    if part is None or end < 0:
        return raw
    return rest[part.end() : end].removesuffix(b"\r")
