"""Spool: a table of counts on the disk of the driver, written range by range of its keys."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bayleaf.archive.archive import reason
from bayleaf.errors import BayleafError
from bayleaf.tally.keyed import WIDE
from bayleaf.tally.narrow import narrowest

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Ints
    from bayleaf.spark.piece import Lists, Piece
    from bayleaf.tally import KeyedCounts

STEP = 1 << 22  # numbers narrowed at a time


class Spool:
    """Takes pieces in the order of their keys; in memory is one at a time.

    Its `arrays` are those that the whole table would give, to the last bit, but lie in files. `sums` and `distinct`
    are those of the whole table as well.
    """

    def __init__(self, folder: Path, classes: Array, like: KeyedCounts) -> None:
        self.folder, self.classes, self.empty = folder, classes, like.arrays()
        self.place = np.zeros(256, dtype=np.intp)
        self.place[list(like.orders)] = np.arange(len(like.orders))
        self.sums = np.zeros((len(like.orders), len(classes)), dtype=np.int64)
        self.distinct = np.zeros(len(like.orders), dtype=np.int64)
        self.tops = dict.fromkeys(WIDE, 0)
        self.last = -1
        self._append("starts", np.zeros(1, dtype=np.int64))

    def add(self, piece: Piece) -> None:
        """Write the counts of the next keys."""
        lists = {name: array for name, array in piece.lists.items() if name != "by_class"}
        if not len(lists["keys"]):
            return
        if int(lists["keys"][0]) <= self.last:
            raise BayleafError("Found counts out of order; expected ascending keys. Please report this")
        self.last = int(lists["keys"][-1])
        places = np.searchsorted(self.classes, piece.classes).astype(np.uint16)
        lists["classes"] = places[lists["classes"]]
        orders = self.place[lists["orders"]]
        self.distinct += np.bincount(orders, minlength=len(self.distinct))
        starts = lists["starts"].astype(np.int64)
        per_key = starts[1:] - starts[:-1]
        np.add.at(self.sums, (np.repeat(orders, per_key), lists["classes"]), lists["counts"].astype(np.int64))
        lists["starts"] = lists["starts"][1:].astype(np.int64) + self.tops["starts"]
        if "text_ends" in lists:
            lists["text_ends"] = lists["text_ends"].astype(np.int64) + self.tops["text_ends"]
        for name, array in lists.items():
            self._append(name, array)

    def _append(self, name: str, array: Array) -> None:
        if name in WIDE:
            array = array.astype(np.uint16 if name == "classes" else np.int64)
            self.tops[name] = max(self.tops[name], int(array.max(initial=0)))
        try:
            with (self.folder / name).open("ab") as file:
                file.write(np.ascontiguousarray(array).data)
        except OSError as error:
            raise BayleafError(
                f"{self.folder.parent} cannot be written ({reason(error)}); counts are gathered there, in twice the "
                "size of the model file. Make room, or give another path"
            ) from error

    def arrays(self, by_class: Ints) -> Lists:
        """The lists of the whole table, as `KeyedCounts.arrays` gives them."""
        names = [name for name in self.empty if name != "by_class"]
        return {**{name: self._narrowed(name) for name in names}, "by_class": by_class}

    def _narrowed(self, name: str) -> Array:
        path = self.folder / name
        if not path.exists() or not path.stat().st_size:
            return self.empty[name]
        wide = np.int64 if name in WIDE and name != "classes" else np.uint16 if name == "classes" else None
        shape = (-1, 2) if name == "parts" else (-1,)
        found: Array = np.memmap(path, dtype=wide or self.empty[name].dtype, mode="r").reshape(shape)
        kind = narrowest(self.tops[name]) if wide else None
        if kind is None or kind == wide:
            return found
        narrow = path.with_suffix(".narrow")
        with narrow.open("wb") as file:
            for start in range(0, len(found), STEP):
                file.write(found[start : start + STEP].astype(kind).data)
        del found
        path.unlink()
        return np.memmap(narrow, dtype=kind, mode="r")


def chosen(arrays: Lists, keys: Array) -> Lists:
    """The lists of some keys that are there; no names, and all documents by class."""
    places = np.searchsorted(arrays["keys"], keys)
    places = np.unique(places[arrays["keys"][np.minimum(places, max(len(arrays["keys"]) - 1, 0))] == keys])
    first, last = arrays["starts"][places].astype(np.int64), arrays["starts"][places + 1].astype(np.int64)
    sizes = last - first
    starts = np.concatenate([[0], np.cumsum(sizes)])
    cells = np.repeat(first - starts[:-1], sizes) + np.arange(starts[-1])
    found = {name: arrays[name][places] for name in ("keys", "orders", "documents")}
    found |= {name: arrays[name][cells] for name in ("classes", "counts")}
    return {**found, "starts": starts, "by_class": arrays["by_class"]}
