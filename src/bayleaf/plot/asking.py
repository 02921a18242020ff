"""Asking: a model's opinion of made-up rows."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def nameless() -> Iterator[None]:
    """Where plain arrays are asked about, also of a model that was fitted on named columns: scikit-learn would warn."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        yield
