"""Arrays from a file, before they are believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayleaf.errors import BayleafError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bayleaf.arrays import Array, Floats

# Weights of at most 1e120 times values of at most 1e150, some 1e15 rows: sums of such sums are finite as well.
LARGEST = 1e290


def refuse_others(arrays: Mapping[str, Array], wanted: Collection[str], optional: Collection[str] = ()) -> None:
    """Refuse arrays that lack a wanted one or hold one that nobody asked for."""
    if not set(wanted) <= set(arrays) <= {*wanted, *optional}:
        raise BayleafError(f"Found the arrays {sorted(arrays)}, expected {sorted(wanted)}")


def counts(arrays: Mapping[str, Array], name: str, shape: tuple[int, ...]) -> Floats:
    """A copy of an array of sums that cannot be negative."""
    array = numbers(arrays, name, shape)
    if not bool(((array >= 0) & (array <= LARGEST)).all()):
        raise BayleafError(f"Found {name} with counts below zero or beyond {LARGEST:g}; expected what rows can leave")
    return array


def numbers(arrays: Mapping[str, Array], name: str, shape: tuple[int, ...]) -> Floats:
    """A copy of an array of finite numbers."""
    array = arrays[name]
    if array.dtype != np.float64 or array.shape != shape:
        raise BayleafError(f"Found {name} of {array.dtype} and shape {array.shape}, expected float64 and {shape}")
    if not bool(np.isfinite(array).all()):
        raise BayleafError(f"Found NaN or infinity in {name}; expected finite numbers")
    return np.array(array, dtype=np.float64, order="C")
