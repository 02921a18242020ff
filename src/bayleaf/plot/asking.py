"""Asking: a model's opinion of made-up rows, and whether a thing is what a picture draws."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bayleaf.errors import BayleafError

MEASURED = "what measure returns: bayleaf.evaluate.scores.measure(model.classes_, y, model.predict_log_proba(X))"


@contextmanager
def nameless() -> Iterator[None]:
    """Where plain arrays are asked about, also of a model that was fitted on named columns: scikit-learn would warn."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        yield


def refuse_other(found: Any, trait: str, expected: str) -> None:
    """Refuse what lacks the trait of the things that a picture draws."""
    if not hasattr(found, trait):
        raise BayleafError(f"Found {type(found).__name__}, expected {expected}")
