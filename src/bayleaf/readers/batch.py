"""Batch: some rows of a source, column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bayleaf.readers.numerals import Numerals


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

    numerals: Mapping[str, Numerals] = field(default_factory=dict)
    """How columns write numbers that `float` does not read."""

    def plain(self) -> dict[str, list[Any]]:
        """The columns with such numbers as `float` reads them: 1.234,56 is 1234.56."""
        how = self.numerals
        return {
            name: list(map(how[name].plain, cells)) if name in how else cells for name, cells in self.columns.items()
        }

    def __len__(self) -> int:
        return len(self.places)
