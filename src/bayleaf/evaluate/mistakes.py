"""Mistakes: the rows where a classifier was surest and wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from bayleaf.errors import BayleafError
from bayleaf.evaluate.labels import log_of_truth, numbered


def worst(labels: Iterable[Any], y: Iterable[Any], log_proba: Any, count: int = 10) -> list[int]:
    """Numbers of the rows whose wrong answer beats the truth by most, the worst first.

    A label that the model never learned counts as one of probability 0.

    Examples
    --------
    >>> import numpy as np
    >>> from bayleaf.evaluate.mistakes import worst
    >>> worst(["ham", "spam"], ["ham", "spam", "ham"], np.log([[0.4, 0.6], [0.4, 0.6], [0.1, 0.9]]))
    [2, 0]
    """
    logs = np.asarray(log_proba, dtype=np.float64)
    known: Any = labels if hasattr(labels, "__len__") else list(labels)
    codes = numbered(known, y)[1]
    if len(logs) != len(codes):
        raise BayleafError(f"Found {len(logs)} rows of probabilities and {len(codes)} labels; expected as many of both")
    if logs.shape[1:] != (len(known),) or np.isnan(logs).any():
        raise BayleafError(
            f"Found log-probabilities of shape {logs.shape}, or NaN among them; expected {(len(codes), len(known))}: "
            "rows by known labels. Pass what predict_log_proba returns"
        )
    own = log_of_truth(logs, codes)
    wrong = np.flatnonzero(logs.argmax(axis=1) != codes)
    surest = np.lexsort((-logs.max(axis=1)[wrong], own[wrong]))
    return [int(row) for row in wrong[surest][:count]]
