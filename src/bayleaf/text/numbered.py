"""Numbered: the label of each text, by its number among those that occur."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayleaf.estimators.labelling import labels, number

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Ints


@dataclass(frozen=True)
class Numbered:
    """Labels, looked through once: everything after asks for the few that occur and not for each of a million.

    >>> answers = Numbered.of(None, ["spam", "ham", "spam"])
    >>> answers.names, answers.numbers, answers[1:].tolist()
    (array(['ham', 'spam'], dtype='<U4'), array([1, 0, 1]), ['ham', 'spam'])
    """

    names: Array  # sorted
    numbers: Ints

    @classmethod
    def of(cls, estimator: Any, y: Any) -> Self:
        """The labels that were passed to an estimator, or a refusal in words; texts even where they came as objects."""
        if isinstance(y, cls):
            return y
        if not (isinstance(y, list) and set(map(type, y)) == {str}):
            given = labels(estimator, y)
            if given.dtype.kind not in "OUS":
                return cls(*number(given))
            y = given.tolist()
        names = labels(estimator, sorted(set(y)))
        places = {name: i for i, name in enumerate(names.tolist())}
        return cls(names, np.fromiter(map(places.__getitem__, y), np.int64, len(y)))

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, part: slice) -> Numbered:
        return Numbered(self.names, self.numbers[part])

    def tolist(self) -> list[Any]:
        """The label of each text."""
        return list(map(self.names.tolist().__getitem__, self.numbers.tolist()))
