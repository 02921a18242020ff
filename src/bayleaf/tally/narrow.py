"""Whole numbers in the narrowest type that holds them, as they are written to files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from bayleaf.arrays import Ints

TYPES = (np.uint8, np.uint16, np.uint32)


def narrowest(top: int) -> type[np.integer[Any]]:
    """The type for numbers from 0 up to `top`.

    >>> narrowest(300)
    <class 'numpy.uint16'>
    """
    return next((kind for kind in TYPES if top <= np.iinfo(kind).max), np.int64)


def narrow(values: Ints) -> Ints:
    """The same numbers, none of which is below 0, in that type."""
    return values.astype(narrowest(int(values.max(initial=0))))
