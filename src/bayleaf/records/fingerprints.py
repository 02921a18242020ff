"""Fingerprints: 64 bits of what a record holds and how it is labelled, the same wherever and whenever it comes."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from bayleaf.arrays import Array
    from bayleaf.records.records import Records

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
EMPTY = np.uint64(0x6A09E667F3BCC909)  # of a missing cell


def fingerprints(records: Records, labels: Array) -> Array:
    """One number per record, from its cells in the order of the columns."""
    state = _texts(labels.tolist())
    for column in (records.numbers + 0.0).T:  # -0.0 + 0.0 is 0.0
        bits = np.ascontiguousarray(column).view(np.uint64)
        state = _mixed(state, np.where(np.isnan(column), EMPTY, bits))
    columns: list[list[Any]] = [*records.categories, *records.texts.values()]
    for cells in columns:
        state = _mixed(state, _texts(cells))
    return state


def _texts(cells: Collection[Any]) -> Array:
    known = {cell: _hash(cell) for cell in set(cells)}
    return np.fromiter((known[cell] for cell in cells), dtype=np.uint64, count=len(cells))


def _hash(cell: Any) -> int:
    if cell is None:
        return int(EMPTY)
    digest = hashlib.blake2b(str(cell).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _mixed(state: Array, bits: Array) -> Array:
    """The finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014) over what came before and the next cell."""
    with np.errstate(over="ignore"):
        mixed = state * STEP + bits
        mixed = (mixed ^ (mixed >> np.uint64(30))) * FIRST
        mixed = (mixed ^ (mixed >> np.uint64(27))) * SECOND
    return mixed ^ (mixed >> np.uint64(31))
