"""Classes so far apart that no float64 holds their variance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayleaf.errors import BadValueError

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats
    from bayleaf.rows import Rows

APART = 1e153  # the square of a distance between classes is still a number


def refuse_apart(pivot: Floats, seen: Array, rows: Rows | None = None) -> None:
    """Refuse classes so far from each other that no variance spans them: what is learned must be readable."""
    low = np.where(seen, pivot, np.inf).min(axis=0, initial=np.inf)
    high = np.where(seen, pivot, -np.inf).max(axis=0, initial=-np.inf)
    apart = high / 2 - low / 2 > APART / 2  # halves: a whole distance may be beyond float64
    if apart.any():
        column = int(apart.argmax())
        name = column if rows is None or rows.names is None else rows.names[column]
        raise BadValueError(
            f"Found values from {low[column]:g} to {high[column]:g} in column {name}; expected them within {APART:g} "
            "of each other, or their squares cannot be summed. Rescale that column, or leave such values out",
            "overflow",
            None if rows is None else rows.farthest(column)[0],
            str(name),
        )
