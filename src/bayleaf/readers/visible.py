"""What is seen of a mail: sender, subject and text. For mails as data; the mail filter has a parser of its own."""

from __future__ import annotations

import re
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from html import unescape
from typing import NamedTuple

from bayleaf.readers.encoding import decode

FAULTS = (LookupError, ValueError, TypeError, AttributeError, AssertionError, MessageError, RecursionError)
LONGEST = 1 << 24  # of a mail; the rest is attachments
TAG = re.compile(r"(<!--|-->|<[^<>]*>)")
NAME = re.compile(r"<([a-z][a-z0-9]*)")
HIDDEN = frozenset({"script", "style", "title"})
BREAKS = frozenset({"br", "p", "div", "tr", "li", "h1", "h2", "h3"})


class Visible(NamedTuple):
    """Sender, subject and text of a mail; None where it has none."""

    sender: str | None
    subject: str | None
    text: str | None

    @classmethod
    def read(cls, raw: bytes) -> Visible:
        """What can be seen of any bytes; what cannot be parsed is taken as plain text."""
        try:
            mail = BytesParser(policy=compat32).parsebytes(raw[:LONGEST])
            return cls(_header(mail, "From"), _header(mail, "Subject"), _text(mail))
        except FAULTS:
            return cls(None, None, decode(raw[:LONGEST].partition(b"\n\n")[2]) or None)


def _header(mail: Message, name: str) -> str | None:
    value = mail.get(name)
    if value is None:
        return None
    try:
        parts = decode_header(str(value))
        found = "".join(part if isinstance(part, str) else _decoded(part, charset) for part, charset in parts)
    except FAULTS:
        found = str(value)
    return " ".join(found.split()) or None


def _decoded(raw: bytes, charset: str | None) -> str:
    try:
        return raw.decode(charset) if charset else decode(raw)
    except (LookupError, ValueError):
        return decode(raw)


def _text(mail: Message) -> str | None:
    """The plain parts, or those in HTML where a choice has no plain one; attachments are left out."""
    plain: list[str] = []
    html: list[str] = []
    for part in mail.walk():
        if part.is_multipart() or part.get_content_disposition() == "attachment":
            continue
        kind = part.get_content_type()
        if kind not in ("text/plain", "text/html"):
            continue
        raw = part.get_payload(decode=True)
        found = _decoded(raw if isinstance(raw, bytes) else b"", part.get_content_charset())
        (plain if kind == "text/plain" else html).append(found)
    text = "\n".join(plain) if "".join(plain).strip() else "\n".join(map(_seen, html))
    return text.replace("\r\n", "\n").strip() or None


def _seen(html: str) -> str:
    """The text of a page without tags, scripts and comments, in one pass whatever the page holds."""
    parts: list[str] = []
    hidden = ""  # what ends the stretch that is not shown
    for i, piece in enumerate(TAG.split(html)):
        if hidden:
            hidden = "" if hidden in piece.lower() else hidden
        elif i % 2 == 0:
            parts.append(piece)
        elif piece == "<!--":
            hidden = "-->"
        else:
            name = NAME.match(piece.lower())
            hidden = f"</{name[1]}" if name and name[1] in HIDDEN else ""
            parts.append("\n" if name and name[1] in BREAKS else "")
    lines = (" ".join(line.split()) for line in unescape("".join(parts)).split("\n"))
    return "\n".join(filter(None, lines))
