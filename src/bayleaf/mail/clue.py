"""Clue: one reason for a verdict."""

from __future__ import annotations

from typing import NamedTuple


class Clue(NamedTuple):
    """One summand of a score. `counts` are the learned mails that have the token, label by label as in the verdict."""

    name: str
    family: str
    summand: float
    counts: tuple[int, ...]
