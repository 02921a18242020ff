"""Decision boundary in two dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.encoders import Table
from bayleaf.errors import BayleafError
from bayleaf.logarithms import LARGEST
from bayleaf.plot.asking import nameless
from bayleaf.plot.canvas import INK, PAPER, along, canvas, colours, look, name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bayleaf.arrays import Array, Floats

GRID = 240  # points each way
MARGIN = 0.12


def decision_boundary(model: Any, X: Any, y: Any, ax: Axes | None = None, **style: Any) -> Axes:
    """Regions of a model of two columns, tinted by probability, the lines between them and the rows.

    The line is where the two most probable classes are equally so, found on log-probabilities, so that it is as smooth
    as the model. Rows with a missing value have no place in the picture. `style` goes to the points.
    """
    points, names = _points(X)
    truth = np.asarray(y)
    if len(truth) != len(points):
        raise BayleafError(f"Found {len(points)} rows and {len(truth)} labels; expected as many of both")
    ax = canvas(ax, *names)
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    gap = MARGIN * np.where(high > low, high - low, 1.0)
    sides = [np.linspace(a, b, GRID) for a, b in zip(np.maximum(low - gap, _least(model)), high + gap, strict=True)]
    grid = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
    with nameless():
        logs = np.asarray(model.predict_log_proba(np.clip(np.rint(grid), low, high) if _coded(model) else grid))
    tints = colours(model.classes_)
    extent = (sides[0][0], sides[0][-1], sides[1][0], sides[1][-1])
    ax.imshow(_tinted(logs, tints), extent=extent, origin="lower", aspect="auto", interpolation="bilinear", zorder=0)
    for lead in _leads(logs):
        lines = ax.contour(*sides, lead.reshape(GRID, GRID), levels=[0.0], colors=INK, linewidths=1.2)
        lines.set_gid("boundary")
    for label, tint in zip(model.classes_, tints, strict=True):
        own = points[truth == label]
        ax.scatter(own[:, 0], own[:, 1], **look(style, s=14, color=tint, edgecolors=PAPER, linewidths=0.5))
    along(ax, list(zip(map(name, model.classes_), tints, strict=True)))
    ax.set(xlim=extent[:2], ylim=extent[2:])
    return ax


def _least(model: Any) -> float:
    """The least value that a model can be asked about: counts end at 0."""
    return 0.0 if getattr(_takes(model), "positive_only", False) else -np.inf


def _coded(model: Any) -> bool:
    """Whether it takes codes of categories, between which there is nothing: a point has the nearest one."""
    return bool(getattr(_takes(model), "categorical", False))


def _takes(model: Any) -> Any:
    """What scikit-learn's tags say of the rows that a model takes, or None."""
    tags = getattr(model, "__sklearn_tags__", None)
    return None if tags is None else tags().input_tags


def _tinted(logs: Floats, tints: list[str]) -> Array:
    """Colours mixed by probability, the paler the less sure, (GRID, GRID, 4)."""
    from matplotlib.colors import to_rgb

    proba = np.exp(logs)
    palette = np.array([to_rgb(tint) for tint in tints])
    sure = (proba.max(axis=1) - 1 / proba.shape[1]) / (1 - 1 / max(proba.shape[1], 2))
    return np.column_stack([np.clip(proba @ palette, 0, 1), 0.06 + 0.3 * sure]).reshape(GRID, GRID, 4)


def _leads(logs: Floats) -> list[Floats]:
    """For each class but the last its lead over the best of the others; the same line is drawn once for two."""
    bounded = np.maximum(logs, -LARGEST)
    k = bounded.shape[1]
    leads = [bounded[:, c] - np.delete(bounded, c, axis=1).max(axis=1) for c in range(k if k > 2 else k - 1)]
    return [lead for lead in leads if lead.min() < 0 < lead.max()]


def _points(X: Any) -> tuple[Floats, tuple[str, str]]:
    table = Table.of(X, "decision_boundary")
    if len(table.names) != 2:
        raise BayleafError(f"Found {len(table.names)} columns; expected two columns. Fit on two and pass these")
    values = table.numbers([0, 1])
    if np.isnan(values).all(axis=0).any():
        raise BayleafError("Found a column without a value; expected some in both. Pass rows that have them")
    return values, (name(table.names[0]), name(table.names[1]))
