"""Marks: the headers a judged mail is given, and the symbols that stand for a verdict."""

from __future__ import annotations

import re
import socket
from functools import cache

from bayleaf import __version__
from bayleaf.mail import Verdict
from bayleaf.mail.marked import told
from bayleaf.mail.parts import parted
from bayleaf.service.points import THRESHOLD, points

OURS = rb"X-(?:Spam|Bayleaf)-"  # what the names of our lines begin with
OTHER = re.compile(r"[^A-Z]+")
MESSAGE_ID = re.compile(rb"^Message-ID:[ \t]*(?:\r?\n[ \t]+)?<?([^\s<>]+)", re.IGNORECASE | re.MULTILINE)
TOP = 1 << 14  # bytes of a mail in which it is looked for
WIDE = 60  # characters of a word of strangers
SPAMD = ("X-Spam-Flag", "X-Spam-Checker-Version", "X-Spam-Level", "X-Spam-Status")  # lines as spamd writes them
NOTED = 8  # of the notes; a header line may have 998 bytes


@cache
def host() -> str:
    """The name of this machine."""
    return socket.gethostname()


def symbols(verdict: Verdict) -> list[str]:
    """The verdict and what was odd, as names: ``BAYLEAF_SPAM``, ``BAYLEAF_NOTE_...``."""
    notes = (f"BAYLEAF_NOTE_{OTHER.sub('_', note.upper()).strip('_')[:60]}" for note in verdict.notes[:NOTED])
    return [f"BAYLEAF_{OTHER.sub('_', verdict.label.upper())}", *dict.fromkeys(notes)]


def lines(verdict: Verdict) -> list[str]:
    """The header lines of a judged mail, those of spamd first."""
    score, spam = points(verdict), verdict.label == "spam"
    values = (
        "YES" if spam else "",
        f"bayleaf {__version__} on {host()}",
        "*" * min(int(score), 50),
        f"{'Yes' if spam else 'No'}, score={score:.1f} required={THRESHOLD:.1f}"
        f" tests={','.join(symbols(verdict))} autolearn=no version={__version__}",
    )
    named = [f"{name}: {value}" for name, value in zip(SPAMD, values, strict=True)]
    return [*(named if spam else named[1:]), *told(verdict)]


def message_id(raw: bytes) -> str:
    """What the mail calls itself, to be found by in the logs of others; empty where it does not say."""
    found = MESSAGE_ID.search(parted(raw[:TOP])[1])
    return "" if found is None else printable(found[1].decode("ascii", "replace"))


def printable(text: str) -> str:
    """Text of strangers in printable ASCII, cut."""
    ascii_only = text.encode("ascii", "backslashreplace").decode()
    return "".join(sign if sign.isprintable() else "?" for sign in ascii_only)[:WIDE]
