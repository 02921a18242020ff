"""Curve: how accuracy grows with the number of learned rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, NamedTuple, Protocol

import numpy as np

from bayleaf.errors import BayleafError
from bayleaf.evaluate.estimate import Estimate
from bayleaf.evaluate.labels import LEAST, log_of_truth, numbered


class Additive(Protocol):
    """What learns in parts and gives probabilities."""

    classes_: Any

    def partial_fit(self, X: Any, y: Any, *args: Any, **kwargs: Any) -> Any:
        """Learn rows on top of what is known; may take all `classes` beforehand, as scikit-learn's do."""

    def predict_log_proba(self, X: Any) -> Any:
        """Log-probabilities (n, k)."""


class Point(NamedTuple):
    """What a model that has learned so many rows achieves."""

    rows: int
    accuracy: Estimate
    log_loss: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Numbers and names only."""
        return {"rows": self.rows, "accuracy": self.accuracy.to_dict(), "log_loss": self.log_loss.to_dict()}


def learning_curve(
    make: Callable[[], Additive],
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    points: int = 10,
    seed: int = 0,
) -> list[Point]:
    """Points at growing numbers of rows: each learned once, since what is learned is a sum.

    `make` returns an empty model. With `X_test` and `y_test` the rows are learned in random order and every point is
    measured there. Without, each part is judged before it is learned, in the order given (prequentially); its point
    stands at the rows learned by then.

    Examples
    --------
    >>> import numpy as np
    >>> from bayleaf import GaussianNB
    >>> from bayleaf.evaluate.curve import learning_curve
    >>> X, y = np.array([[0.0], [1.0]] * 50) + np.linspace(0, 0.4, 100)[:, None], np.arange(100) % 2
    >>> [point.rows for point in learning_curve(GaussianNB, X, y, X, y, points=3)]
    [10, 32, 100]
    """
    if (X_test is None) != (y_test is None):
        raise BayleafError("Found one of X_test and y_test; expected both, or neither to judge each part beforehand")
    for rows, labels in ((X, y), (X_test, y_test)):
        _refuse_unequal(rows, labels)
    _refuse_made(make)
    truth = np.asarray(y)
    n = len(truth)
    if n < 2 or points < 2:
        raise BayleafError(f"Found {n} rows and {points} points for a learning curve; expected at least 2 of each")
    X = X.tocsr() if hasattr(X, "tocsr") else X
    model = make()
    known = {"classes": np.unique(truth)} if "classes" in signature(model.partial_fit).parameters else {}
    held_out = X_test is not None
    order = np.random.default_rng(seed).permutation(n) if held_out else np.arange(n)
    sizes = np.unique(np.geomspace(min(max(n // 100, 10), n // 2), n, points).round().astype(np.int64))
    found = []
    for start, end in zip([0, *sizes[:-1]], sizes, strict=True):
        part, answers = _rows(X, order[start:end]), truth[order[start:end]]
        if not held_out and start:
            found.append(_point(model, int(start), part, answers))
        model.partial_fit(part, answers, **known)
        if held_out:
            found.append(_point(model, int(end), X_test, np.asarray(y_test)))
    return found


def _point(model: Additive, rows: int, X: Any, y: Any) -> Point:
    logs = np.asarray(model.predict_log_proba(X))
    codes = numbered(model.classes_, y)[1]
    right = int((logs.argmax(axis=1) == codes).sum())
    losses = -np.maximum(log_of_truth(logs, codes), LEAST)
    return Point(rows, Estimate.share(right, len(codes)), Estimate.mean(losses, -LEAST))


def _refuse_made(make: object) -> None:
    """Refuse a model where something is expected that makes one."""
    if not callable(make):
        kind = type(make).__name__
        raise BayleafError(f"Found a {kind}; expected what makes an empty one. Pass {kind}, or lambda: {kind}(...)")


def _refuse_unequal(X: Any, y: Any) -> None:
    """Refuse labels that are missing, or do not match the rows in number."""
    if X is None:
        return
    columns = next(iter(X.values()), ()) if isinstance(X, Mapping) else X
    rows, labels = columns.shape[0] if hasattr(columns, "shape") else len(columns), len(numbered((), y)[1])
    if rows != labels:
        raise BayleafError(f"Found {rows} rows and {labels} labels; expected as many of both")


def _rows(X: Any, places: Any) -> Any:
    """Some rows of a list, an array, a column, a data frame or a mapping of columns."""
    if isinstance(X, Mapping):
        return {name: _rows(column, places) for name, column in X.items()}
    if hasattr(X, "iloc"):
        return X.iloc[places]
    if hasattr(X, "take") and hasattr(X, "to_pylist"):  # Arrow
        return X.take(places)
    return [X[place] for place in places] if isinstance(X, list | tuple) else X[places]
