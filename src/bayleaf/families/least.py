"""Least: the point where a smooth loss is least, to more digits than anything prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize

if TYPE_CHECKING:
    from bayleaf.arrays import Floats

Edges = Sequence[tuple[float | None, float | None]]


def least(
    loss: Callable[[Floats], tuple[float, Floats]],
    start: Sequence[float] | Floats,
    edges: Edges | None = None,
    steps: int = 15_000,
) -> tuple[Floats, float]:
    """The point of least loss, within the edges if there are some, and its loss, by L-BFGS-B; a loss has its slope.

    What is found after so many steps is returned whether it is the least or not.

    SciPy's default stops where a step takes 2e-9 off the loss, some 5e-5 away from the least point: where exactly
    hangs on the last bits of sums, which differ between processors, and so does the fourth digit of a table.

    Examples
    --------
    >>> point, value = least(lambda x: (float((x[0] - 2) ** 2), 2 * (x - 2)), [0.0], [(0.0, None)])
    >>> point.round(6).tolist(), round(value, 6)
    ([2.0], 0.0)

    """
    found = minimize(
        loss,
        np.asarray(start),
        jac=True,
        method="L-BFGS-B",
        bounds=edges,
        options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": steps},
    )
    return found.x, float(found.fun)
