"""Answers, byte by byte as clients of each version parse them. Their header names are compared with their case."""

from __future__ import annotations

from bayleaf.mail import Verdict
from bayleaf.mail.marked import marked
from bayleaf.service.marks import OURS, lines, symbols
from bayleaf.service.points import THRESHOLD, points
from bayleaf.service.spamd.report import report
from bayleaf.service.spamd.request import Request

OK = b"SPAMD/1.1 0 EX_OK\r\n"
PONG = b"SPAMD/1.5 0 PONG\r\n"
LENGTHS, SEVERAL = (1, 2), (1, 3)  # versions from which Content-length, and more than one header, is understood


def judged(request: Request, verdict: Verdict) -> bytes:
    """The answer to every verb that asks what a mail is."""
    spam = b"Spam: %s ; %.1f / %.1f\r\n" % (
        b"True" if verdict.label == "spam" else b"False",
        points(verdict),
        THRESHOLD,
    )
    if request.verb == "CHECK":
        return b"%s%s\r\n" % (OK, spam)
    if request.verb in ("PROCESS", "HEADERS"):
        return rewritten(request, verdict, spam)
    text = words(request, verdict)
    if request.version < SEVERAL:
        return b"%s%s\r\n%s" % (OK, spam, text)
    return b"%sContent-length: %d\r\n%s\r\n%s" % (OK, len(text), spam, text)


def words(request: Request, verdict: Verdict) -> bytes:
    """The body of SYMBOLS, REPORT and REPORT_IFSPAM."""
    if request.verb == "SYMBOLS":
        return ",".join(symbols(verdict)).encode() + (b"\r\n" if request.version < SEVERAL else b"")
    if request.verb == "REPORT_IFSPAM" and verdict.label != "spam":
        return b""
    return report(verdict).encode("ascii")


def rewritten(request: Request, verdict: Verdict, spam: bytes) -> bytes:
    """The answer to PROCESS and HEADERS: the mail, or its header block with the empty line that ends it."""
    head, rest = marked(request.body, lines(verdict), OURS)
    if request.verb == "HEADERS":
        rest = rest[: rest.find(b"\n") + 1] or rest  # the empty line; without one, a last header line without an end
    size = len(head) + len(rest)
    if request.version < LENGTHS:
        return b"SPAMD/1.0 0 EX_OK\r\n%s%s" % (head, rest)
    if request.version < SEVERAL:
        return b"%sContent-length: %d\r\n\r\n%s%s" % (OK, size, head, rest)
    return b"%sContent-length: %d\r\n%s\r\n%s%s" % (OK, size, spam, head, rest)


def told(did: str | None) -> bytes:
    """The answer to TELL: ``DidSet`` or ``DidRemove``, or neither when it was so already."""
    return OK + (f"{did}: local\r\n".encode() if did else b"") + b"\r\n"
