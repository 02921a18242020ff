"""Marked: a mail with header lines of ours on top, and without such that came with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from bayleaf.mail.parts import doubtful, parted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf.mail.verdict import Verdict

OURS = b"X-Bayleaf-"  # what the names of our lines begin with
NAMES = ("X-Bayleaf-Verdict", "X-Bayleaf-Probability")
# maildrop passes over carriage returns before a name. For Python and Thunderbird a bare one ends a line: what follows
# goes, but not its end, which is that of the field before it for everybody else.
LINE = rb"(?mi)^\r*%b[^\n]*(?:\n|\Z)(?:[ \t][^\n]*(?:\n|\Z))*|\r%b[^\r\n]*"


def told(verdict: Verdict) -> list[str]:
    """The lines that say what a mail is."""
    shares = " ".join(f"{label}={share:.6f}" for label, share in verdict.probabilities.items())
    return [f"{name}: {encoded(value)}" for name, value in zip(NAMES, (verdict.label, shares), strict=True)]


def encoded(value: str) -> str:
    """Words of a header line as RFC 2047 has them; those in ASCII stay, for rules that look for ``spam=0.99``.

    >>> encoded("spam=0.99 büro=0.01")
    'spam=0.99 =?utf-8?b?YsO8cm89MC4wMQ==?='
    """
    if value.isascii():
        return value
    from email.header import Header  # noqa: PLC0415 - few labels need it

    runs = groupby(value.split(" "), str.isascii)  # Header itself loses a blank before a backslash or a bracket
    return " ".join(
        " ".join(words) if plain else Header(" ".join(words), "utf-8").encode(maxlinelen=0) for plain, words in runs
    )


def marked(raw: bytes, lines: Sequence[str], names: bytes = OURS) -> tuple[bytes, bytes]:
    """Head and rest of a mail with these lines on top; all but lines whose names begin so is as it was."""
    envelope, fields, rest, end = stripped(raw, names)
    return envelope + b"".join(line.encode() + end for line in lines) + fields, rest


def stripped(raw: bytes, names: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    """A mail as `parted`, without the fields whose names begin so, wherever some who deliver it look for fields."""
    envelope, fields, rest, end = parted(raw)
    more = doubtful(fields, rest)
    return without(envelope, names), without(fields, names), without(rest[:more], names) + rest[more:], end


def without(fields: bytes, names: bytes) -> bytes:
    r"""Header fields without those whose names begin so: whoever sent the mail may have written them.

    >>> without(b"x-bayleaf-verdict: ham,\n\tsurely\nSubject: a\n", OURS)
    b'Subject: a\n'
    >>> without(b"Subject: a\rX-Bayleaf-Verdict: ham\n", OURS)
    b'Subject: a\n'
    """
    return re.sub(LINE % (names, names), b"", fields)
