"""Judged: one mail of the history."""

from __future__ import annotations

from typing import NamedTuple

SHOWN = 80  # characters of a text in the history


class Judged(NamedTuple):
    """What a mail was held for, and what somebody said later.

    `id` grows with time. `probability` is that of `best`, the likeliest label also when `label` is unsure. `told` is
    the label that somebody gave, or None. `kept` says whether `History.raw` still has the mail itself.
    """

    id: int
    time: float
    face: str
    user: str
    identity: bytes
    label: str
    best: str
    probability: float
    sender: str
    subject: str
    size: int
    told: str | None
    kept: bool


def opening(raw: bytes | str) -> str:
    """The beginning of a text, which has no subject."""
    return " ".join(raw[:SHOWN].split()) if isinstance(raw, str) else ""
