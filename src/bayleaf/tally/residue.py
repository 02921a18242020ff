"""What may remain when something is taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.errors import NegativeCountError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayleaf.arrays import Array, Floats, Ints

# Fractional weights leave a residue of rounding when they are taken away in another order than they came:
# 0.1 + 0.2 - 0.3 = 5.6e-17. Below this share of what was there, and not a whole number, it is taken for zero. It is
# 1e-16 of the most that ever was there: by 1e-12, the last rows of weights over three decades were refused as never
# learned. By more than 1e-10, one would be lost where another of 1e9 times its weight goes.
ROUNDING = 1e-10
WHOLE = 2.0**53  # from here on every float64 is a whole number, residues too


def refuse_missing(row: Ints, left: Floats, held: Floats) -> None:
    """Refuse rows without which less than nothing would be left."""
    short = np.flatnonzero(left < -ROUNDING * held)
    if len(short):
        raise NegativeCountError(
            f"Row {int(row[short[0]])} cannot be left out: it was never learned with this label and weight. Pass rows "
            "that were learned"
        )


def remainder(before: Floats, after: Floats, what: str, names: Sequence[Any] | Array | None = None) -> Floats:
    """`after`, with residues of rounding set to zero; refuses what fell below zero, by the names of the columns."""
    exact = (before < WHOLE) if (before == np.rint(before)).all() else False  # sums of whole numbers leave no residue
    residue = (np.abs(after) <= ROUNDING * before) & ~(exact & (after == np.rint(after)))
    after = np.where(residue, 0.0, after)
    if (after < 0).any():
        place = tuple(int(i) for i in np.argwhere(after < 0)[0])
        raise NegativeCountError(
            f"Unlearning would leave {after[place]:g} {what} (class number {place[0]}"
            + (f", column {_called(place[1], names)}" if len(place) > 1 else "")
            + f"), where {before[place]:g} had been learned; expected zero or more. Unlearn only rows that were "
            "learned, with the same label and weight; the model is unchanged"
        )
    return after


def less(before: Floats, removed: Floats | float) -> Floats:
    """`before` without `removed`, at least zero, and zero where only a residue of rounding is left."""
    after: Floats = before - removed
    # Whole weights leave none, and looking for it takes as long as a logarithm.
    if np.all((removed == np.rint(removed)) & (removed < WHOLE)):
        return np.maximum(after, 0.0)
    fraction = (after < 0) | (after != np.rint(after)) | (before >= WHOLE)
    return np.where((after <= ROUNDING * before) & fraction, 0.0, after)


def refuse_spread(before: Floats, after: Floats, rounding: Floats, names: Sequence[Any] | None) -> None:
    """Refuse sums of squared deviations that fell below zero by more than rounding."""
    short = after < -rounding
    if short.any():
        row, column = (int(i) for i in np.argwhere(short)[0])
        raise NegativeCountError(
            f"Unlearning would leave a sum of squared deviations of {after[row, column]:g} (class number {row}, column "
            f"{_called(column, names)}), where {before[row, column]:g} had been learned; expected zero or more. "
            "Unlearn only rows that were learned, with the same label and weight; the model is unchanged"
        )


def _called(column: int, names: Sequence[Any] | Array | None) -> Any:
    return column if names is None else names[column]
