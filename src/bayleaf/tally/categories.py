"""Categories: counts of category codes, several tally columns per feature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayleaf.errors import BayleafError, MismatchError
from bayleaf.tally import sound
from bayleaf.tally.counts import Counts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayleaf.arrays import Array, Floats, Ints


class Categories(Counts):
    """Counts whose columns are the categories of all features side by side.

    Feature j owns the columns ``starts[j]`` up to ``starts[j + 1]``; adding tallies that know different numbers of
    categories gives one that knows them all.

    Examples
    --------
    >>> import numpy as np
    >>> from bayleaf.tally import Categories
    >>> from bayleaf.rows import Rows
    >>> seen = Categories.zero(1, 0).grown(np.array([0, 2, 5]))
    >>> seen.learn(Rows.codes(np.array([[1, 0], [1, 2]]), seen.starts), np.array([0, 0]))
    >>> seen.table
    array([[0., 2., 1., 0., 1.]])
    """

    __slots__ = ("starts",)

    def __init__(self, weight: Floats, table: Floats, absent: Floats | None = None, starts: Ints | None = None) -> None:
        super().__init__(weight, table, absent)
        self.starts: Ints = np.zeros(1, dtype=np.int64) if starts is None else starts

    @property
    def sizes(self) -> Ints:
        """Number of categories per feature."""
        return np.diff(self.starts)

    @property
    def feature(self) -> Ints:
        """The feature that each column belongs to."""
        return np.repeat(np.arange(len(self.starts) - 1), self.sizes)

    def column(self, j: int) -> Categories:
        """What was seen of one feature."""
        start, end = self.starts[j], self.starts[j + 1]
        return Categories(self.weight, self.table[:, start:end], None, np.array([0, end - start]))

    def grown(self, starts: Ints) -> Self:
        """The same counts with room for the categories that `starts` tells."""
        if np.array_equal(starts, self.starts):
            return self
        table = np.zeros((len(self.weight), int(starts[-1])))
        if len(self.starts) > 1:
            shift = (starts[:-1] - self.starts[:-1])[self.feature]
            table[:, np.arange(self.table.shape[1]) + shift] = self.table
        return type(self)(self.weight.copy(), table, None, starts)

    def reordered(self, places: list[Ints]) -> Self:
        """The same counts with code i of feature j moved to ``places[j][i]``, and room for the codes in between."""
        sizes = [max(int(size), int(place.max(initial=-1)) + 1) for size, place in zip(self.sizes, places, strict=True)]
        starts = np.cumsum([0, *sizes])
        table = np.zeros((len(self.weight), int(starts[-1])))
        for j, place in enumerate(places):
            table[:, starts[j] + place] = self.table[:, self.starts[j] + np.arange(len(place))]
        return type(self)(self.weight.copy(), table, None, starts)

    def regrouped(self, places: Ints, k: int) -> Self:
        grown = super().regrouped(places, k)
        grown.starts = self.starts
        return grown

    def _combine(self, other: Self, sign: float) -> Self:
        if not isinstance(other, Categories):
            return NotImplemented
        if len(self.starts) != len(other.starts):
            raise MismatchError(
                f"Cannot add counts of {len(other.starts) - 1} categorical columns to counts of {len(self.starts) - 1}"
                "; expected the same columns"
            )
        sizes = np.maximum(self.sizes, other.sizes)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        mine, theirs = self.grown(starts), other.grown(starts)
        total = super(Categories, mine)._combine(theirs, sign)
        total.starts = starts
        return total

    def __mul__(self, scale: float) -> Self:
        return type(self)(self.weight * scale, self.table * scale, None, self.starts)

    def __eq__(self, other: object) -> bool:
        same = super().__eq__(other)
        return same and isinstance(other, Categories) and np.array_equal(self.starts, other.starts)

    __hash__ = None

    def after_removal(self, before: Self, names: Sequence[Any] | Array | None = None) -> Self:
        features = np.asarray(range(len(self.sizes)) if names is None else names)
        left = super().after_removal(before, features[self.feature])
        left.starts = self.starts
        return left

    def arrays(self) -> dict[str, Array]:
        return {**super().arrays(), "starts": self.starts}

    @classmethod
    def restored(cls, arrays: Mapping[str, Array], k: int, d: int) -> Self:
        sound.refuse_others(arrays, ("weight", "table", "starts"))
        starts = arrays["starts"]
        if starts.dtype != np.int64 or starts.shape != (d + 1,) or starts[0] != 0 or (np.diff(starts) < 0).any():
            raise BayleafError(f"Found starts of categories that are not {d + 1} numbers rising from 0")
        table = sound.counts(arrays, "table", (k, int(starts[-1])))
        return cls(sound.counts(arrays, "weight", (k,)), table, None, starts.copy())
