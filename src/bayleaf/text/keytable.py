"""KeyTable: keyed counts as a table of classes x keys."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from bayleaf._core import KeyColumns, KeyWeights
from bayleaf.rows import Rows
from bayleaf.tally import Counts

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats
    from bayleaf.tally.keyed import Fields, KeyedCounts


class KeyTable:
    """What families need of a tally as it is now: a column for each key, those of many documents first.

    Texts ask for common keys again and again. Keys are hashes: in their order every common key would be in a page of
    memory of its own, and predicting by words and pairs took twice as long.
    """

    def __init__(self, tally: KeyedCounts) -> None:
        self.tally = tally

    @cached_property
    def lists(self) -> dict[str, Array]:
        """The counts as lists, keys ascending."""
        return self.tally.native.listing()

    @cached_property
    def order(self) -> Array:
        """Which key each column is: by the powers of two of their documents."""
        powers = np.frexp(self.lists["documents"])[1]
        return np.argsort((-powers).astype(np.int8), kind="stable")  # bytes are sorted in one pass

    @cached_property
    def keys(self) -> Array:
        """The key of each column."""
        return self.lists["keys"][self.order]

    @cached_property
    def documents(self) -> Array:
        """How many documents have each key."""
        return self.lists["documents"][self.order]

    @cached_property
    def counts(self) -> Counts:
        """The counts as a table; the classes of a key stand together, as families read them."""
        lists = self.lists
        shape = (len(self.keys), self.tally.k)
        cells = sparse.csr_array((lists["counts"].astype(np.float64), lists["classes"], lists["starts"]), shape=shape)
        return Counts(self.tally.documents.astype(np.float64), cells[self.order].toarray().T)

    @cached_property
    def columns(self) -> KeyColumns:
        """Where each key stands."""
        return KeyColumns(self.keys)

    def cells(self, fields: Fields, jobs: int) -> tuple[Array, Array, Array]:
        """The known keys of documents in the order in which they occur: starts, columns, values."""
        return self.columns.rows(self.tally.native, self.tally.keys, fields, self.tally.settings["lift"], jobs)

    def rows(self, fields: Fields, jobs: int) -> Rows:
        """The known keys of documents, read by so many threads."""
        starts, columns, values = self.cells(fields, jobs)
        return Rows.of(sparse.csr_array((values, columns, starts), shape=(len(starts) - 1, len(self.keys))))

    def add_to(self, joint: Floats, weights: KeyWeights, fields: Fields, jobs: int) -> None:
        """Add the scores of documents by the weights of their keys."""
        weights.add_to(self.tally.native, self.tally.keys, fields, jobs, joint)

    def weights(self, weights: Floats) -> KeyWeights:
        """Weights (d, k) by key."""
        return KeyWeights(self.keys, weights)
