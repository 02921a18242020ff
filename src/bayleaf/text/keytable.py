"""KeyTable: keyed counts as a table of classes x columns."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from bayleaf._core import KeyColumns, KeyWeights
from bayleaf.rows import Rows
from bayleaf.tally.grouped import GroupedCounts

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.tally.keyed import Fields, KeyedCounts


class KeyTable:
    """What families need of a tally as it is now: columns, which keys of one class with equal counts share.

    Those weigh the same. `apart`: each key has a column of its own, so that documents can be taken away.
    """

    def __init__(self, tally: KeyedCounts, apart: bool = False) -> None:
        self.tally, self.apart = tally, apart

    @cached_property
    def _laid(self) -> tuple[KeyColumns, GroupedCounts]:
        columns, times, table = KeyColumns.of(self.tally.native, self.apart)
        return columns, GroupedCounts(self.tally.documents.astype(np.float64), table.T, times)

    @property
    def columns(self) -> KeyColumns:
        """The column of each key."""
        return self._laid[0]

    @property
    def counts(self) -> GroupedCounts:
        """The counts by column; the classes of a key stand together, as families read them."""
        return self._laid[1]

    def members(self, columns: Ints) -> tuple[Array, Array, Array]:
        """The keys of some columns, the documents that hold each, and its column."""
        return self.columns.members(self.tally.native, columns.astype(np.uint32))

    def cells(self, fields: Fields, jobs: int) -> tuple[Array, Array, Array]:
        """The known keys of documents in the order in which they occur: starts, columns, values."""
        return self.columns.rows(self.tally.native, self.tally.keys, fields, self.tally.settings["lift"], jobs)

    def rows(self, fields: Fields, jobs: int) -> Rows:
        """The known keys of documents, read by so many threads: an entry for each, also where they share a column."""
        starts, columns, values = self.cells(fields, jobs)
        rows = sparse.csr_array((values, columns, starts), shape=(len(starts) - 1, self.columns.width))
        rows.has_canonical_format = True  # what is there twice are two keys, each left out of its own counts
        return Rows.of(rows)

    def add_to(self, joint: Floats, weights: KeyWeights, fields: Fields, jobs: int) -> None:
        """Add the scores of documents by the weights of their keys."""
        weights.add_to(self.tally.native, self.tally.keys, fields, jobs, joint)

    def weights(self, weights: Floats) -> KeyWeights:
        """Weights (d, k) of the columns, by key."""
        return KeyWeights(self.columns, weights)
