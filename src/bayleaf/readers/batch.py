"""Batch: some rows of a source, column by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Batch:
    """Some rows, column by column, and where each row stands.

    Examples
    --------
    >>> batch = Batch({"size": ["3", None], "kind": ["a", "b"]}, places=[2, 3])
    >>> len(batch)
    2

    """

    columns: dict[str, list[Any]]
    """The values by column name; a missing value is None."""
    places: Sequence[int] | Sequence[str]
    """The line on which each row begins (the row's number in Parquet and Arrow, the file in folders)."""

    def __len__(self) -> int:
        return len(self.places)
