"""State: what a store holds at one moment."""

from __future__ import annotations

from typing import NamedTuple

from bayleaf._core import Run


class State(NamedTuple):
    """Labels, mails learned per label, and the runs whose sum are the counts."""

    labels: tuple[str, ...]
    totals: tuple[int, ...]
    runs: tuple[Run, ...]
    age: int
    layer: str
