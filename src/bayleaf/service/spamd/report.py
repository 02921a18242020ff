"""Report: a verdict in words, as REPORT gives it."""

from __future__ import annotations

from bayleaf import __version__
from bayleaf.mail import Verdict
from bayleaf.mail.clue import telling
from bayleaf.service.marks import WIDE, host, printable
from bayleaf.service.points import POINTS, THRESHOLD, points

SHOWN = 12  # clues; Exim puts the report into a header


def report(verdict: Verdict) -> str:
    """The score and its strongest summands. ASCII only: tokens are the sender's words, and this ends up in headers."""
    score = points(verdict)
    out = [
        f"Judged by bayleaf {__version__} on {host()}: {printable(verdict.label)},"
        f" {printable(verdict.best)} with probability {verdict.probability:.4f}.",
        *(f"Note: {printable(note)}." for note in verdict.notes),
        "",
        f"Content analysis details:   ({score:.1f} points, {THRESHOLD:.1f} required)",
        "",
        " pts  clue",
        "----- " + "-" * WIDE,
    ]
    if set(verdict.scores) == {"spam", "ham"}:  # otherwise the summands are not those of the score for spam
        sign = POINTS if verdict.best == "spam" else -POINTS
        clues, others = telling(verdict.clues, SHOWN)
        out += [f"{sign * clue.summand:5.1f} {printable(clue.name)}" for clue in clues]
        if others:
            out.append(f"{sign * sum(clue.summand for clue in others):5.1f} {len(others)} others")
    return "\r\n".join(out) + "\r\n"
