"""free: a name that no column has yet."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain, count


def free(name: str, taken: Collection[str]) -> str:
    """A name for one column more: this one, or with a number behind it where there is a column called so.

    >>> free("label", ["label", "size"])
    'label_2'
    """
    numbered = (f"{name}_{number}" for number in count(2))
    return next(some for some in chain([name], numbered) if some not in taken)
