"""Entry: one line of the ledger."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """Which mail was learned as what. `keys` holds its keys, then one byte per key for its family, while it is recent."""

    seq: int
    identity: bytes
    label: int
    day: int
    age: int
    fingerprint: int
    pair: bytes | None
    keys: bytes | None
