"""KeyedCounts: for each class and 64-bit key a whole number; the vocabulary is open."""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayleaf import _core
from bayleaf._core import threads
from bayleaf.errors import BayleafError, MismatchError, NegativeCountError
from bayleaf.tally.narrow import narrow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayleaf.arrays import Array, Ints
    from bayleaf.encoders.text import TextEncoder

Fields = tuple[list[str], list[list[str]]]  # tags, and a column of texts for each
CLASSES = 65_535  # they are numbered in 16 bits
TEXTS = ("parts", "text", "text_ends")  # the lists that hold the names of the keys
WIDE = ("documents", "counts", "starts", "text_ends", "classes")  # kept in the narrowest type that holds them


class KeyedCounts:
    """An additive group of class x key sums, in native code.

    What is counted of a document is its `lift`: "unit" (128 ln(1 + x) over the document's norm, rounded), "count" or
    "presence". Whole numbers that depend on the document alone, so learning, unlearning and merging are exact in any
    order. With `buckets` at most so many keys of each order are kept apart; with `named` the text of the keys is kept.

    Examples
    --------
    >>> import numpy as np
    >>> from bayleaf.encoders.text import TextEncoder
    >>> seen = KeyedCounts(TextEncoder.preset("small"), 2, "count")
    >>> _ = seen.learn(([""], [["free offer", "lunch"]]), np.array([1, 0]))
    >>> seen.documents, seen.distinct
    (array([1, 1]), array([3]))
    >>> (seen + seen - seen) == seen
    True
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, encoder: TextEncoder, k: int, lift: str, *, buckets: int | None = None, named: bool = True
    ) -> None:
        if not 0 <= k <= CLASSES:
            raise BayleafError(f"Found {k} classes, expected at most {CLASSES}")
        self.settings: dict[str, Any] = {"lift": lift, "buckets": buckets, "named": named}
        self.encoder, self.keys, self.k = encoder, encoder.keys, k
        self.native = _core.KeyedCounts(self.keys, k, lift, buckets, named)

    def _like(self, native: _core.KeyedCounts, k: int) -> Self:
        other = object.__new__(type(self))
        other.settings, other.encoder, other.keys = self.settings, self.encoder, self.keys
        other.k, other.native = k, native
        return other

    def learn(self, fields: Fields, codes: Ints, sign: int = 1, jobs: int | None = None) -> Ints:
        """Add `sign` times the documents, in place; a refused batch changes nothing.

        Returns a number for each document that depends on its texts alone, by which samples are drawn.
        """
        self._refuse_numbers(codes, len(fields[1][0]) if fields[1] else 0)
        try:
            return self.native.learn(self.keys, fields, codes.astype(np.uint16), sign, jobs or threads())
        except ValueError as error:
            raise refusal(error) from None

    def _refuse_numbers(self, codes: Ints, documents: int) -> None:
        if codes.shape != (documents,):
            raise MismatchError(
                f"Found class numbers of shape {codes.shape}, expected one for each of {documents} texts"
            )
        if documents and not 0 <= int(codes.min()) <= int(codes.max()) < self.k:
            strange = codes[(codes < 0) | (codes >= self.k)][0]
            raise MismatchError(
                f"Found class number {strange}, expected 0 to {self.k - 1}; number the labels from 0 on"
            )

    @property
    def documents(self) -> Ints:
        """Documents per class."""
        return self.native.documents

    @property
    def distinct(self) -> Ints:
        """Keys that some document holds, by order."""
        return self.native.distinct

    @property
    def orders(self) -> tuple[int, ...]:
        """The orders of the keys: number of words, or 128 plus the distance of a pair."""
        return tuple(self.native.orders)

    def copy(self) -> Self:
        """The same counts in a place of their own."""
        return self._like(self.native.copy(), self.k)

    def __add__(self, other: Self) -> Self:
        return self._merged(other, 1)

    def __sub__(self, other: Self) -> Self:
        return self._merged(other, -1)

    def _merged(self, other: Self, sign: int) -> Self:
        if not isinstance(other, KeyedCounts):
            return NotImplemented
        self._refuse_others(other)
        merged = self.copy()
        try:
            merged.native.merge(other.native, list(range(self.k)), sign)
        except ValueError as error:
            raise refusal(error) from None
        return merged

    def _refuse_others(self, other: Self) -> None:
        """Refuse counts under other keys or of other sizes: their sum would mean nothing."""
        mine, theirs = self._counting(), other._counting()
        differ = [name for name in mine if mine[name] != theirs[name]]
        if differ:
            # Without the values: the seed of an encoder may be a secret.
            raise MismatchError(
                f"Cannot add or subtract counts that differ in {', '.join(differ)}; expected the same encoder, lift, "
                f"buckets and number of classes in both. Count the texts again under one of them"
            )

    def _counting(self) -> dict[str, Any]:
        """What decides which numbers a text adds, and where: the encoder setting by setting."""
        names = [field.name for field in dataclasses.fields(self.encoder)]
        encoder = {f"encoder.{name}": getattr(self.encoder, name) for name in names}
        return {**encoder, "lift": self.settings["lift"], "buckets": self.settings["buckets"], "k": self.k}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, KeyedCounts):
            return NotImplemented
        mine, theirs = self.arrays(), other.arrays()
        return self.k == other.k and all(
            np.array_equal(mine[name], theirs[name]) for name in mine if name not in TEXTS and name in theirs
        )

    def regrouped(self, places: Sequence[int], k: int) -> Self:
        """The same counts with their classes at other `places` among `k`."""
        return self._like(self.native.relabelled(list(places), k), k)

    def drop_rare(self, least: int) -> int:
        """Forget the keys that fewer than `least` documents hold, for good; returns how many."""
        return self.native.drop_rare(least)

    def arrays(self) -> dict[str, Array]:
        """The counts as sorted lists, by name: equal counts give equal lists, in the narrowest type that holds them."""
        lists = self.native.listing()
        if not self.settings["named"] or self.settings["buckets"]:
            lists = {name: values for name, values in lists.items() if name not in TEXTS}
        lists = {name: narrow(values) if name in WIDE else values for name, values in lists.items()}
        return {**lists, "by_class": self.documents}

    def fill(self, arrays: Mapping[str, Array], places: Sequence[int] | None = None) -> None:
        """Add the lists that `arrays` gave, with their classes at these `places`; refuses lists that do not fit."""
        lists = _lists(arrays)
        if lists:
            self._refuse_larger(lists[3])
        try:
            fine = bool(lists) and _readable(lists[7], lists[8])
            fine = fine and self.native.fill(list(range(self.k) if places is None else places), *lists)
        except (TypeError, UnicodeDecodeError):  # of other dimensions; not text
            fine = False
        if not fine:
            raise BayleafError("The lists of counts do not fit each other; the file is damaged. Restore it from a copy")

    def _refuse_larger(self, starts: Ints) -> None:
        """Refuse rows of keys that several classes have where they do not fit into the memory of this machine."""
        need = 8 * self.k * int((np.diff(starts) > 1).sum())
        if "SC_PHYS_PAGES" in getattr(os, "sysconf_names", ()) and need > os.sysconf("SC_PHYS_PAGES") * os.sysconf(
            "SC_PAGE_SIZE"
        ):
            raise BayleafError(f"Found counts that need {need / 1e9:.0f} GB of memory, more than this machine has")


def _lists(arrays: Mapping[str, Array]) -> list[Any]:
    """The lists in the order and types that the native half takes; none where one is missing, strange or too wide."""
    names = ("keys", "orders", "documents", "starts", "classes", "counts", *TEXTS, "by_class")
    kinds = (np.uint64, np.uint8, np.int64, np.int64, np.uint16, np.int64, np.uint64, np.uint8, np.int64, np.int64)
    shapes = {"parts": (0, 2), "text": (0,), "text_ends": (0,)}
    known = {name: np.zeros(shape, dtype=np.uint8) for name, shape in shapes.items()} | dict(arrays)
    if set(known) != set(names) or not all(np.can_cast(known[n].dtype, t) for n, t in zip(names, kinds, strict=True)):
        return []
    return [np.ascontiguousarray(known[name], dtype=kind) for name, kind in zip(names, kinds, strict=True)]


def _readable(text: Array, ends: Ints) -> bool:
    """Whether the names of the keys are UTF-8 (lone surrogates are letters), each one whole."""
    text.tobytes().decode("utf-8", "surrogatepass")
    inside = ends[(ends >= 0) & (ends < len(text))]
    return not bool(((text[inside] & 0xC0) == 0x80).any())


def refusal(error: ValueError) -> Exception:
    """What the native half refused, in words."""
    if str(error) != "unlearned":
        return MismatchError(str(error))
    return NegativeCountError(
        "Some of these documents were never learned with these labels: a count would fall below zero. Pass documents "
        "that were learned; nothing was changed"
    )
