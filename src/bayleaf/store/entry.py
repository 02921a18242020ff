"""Entry: one line of the ledger."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """Which mail was learned as what. While it is recent, `keys` holds its keys."""

    seq: int
    identity: bytes
    label: int
    day: int
    age: int
    fingerprint: int
    pair: bytes | None
    keys: bytes | None
