"""Labels in a model file: a list that JSON can write, and what they were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.errors import BayleafError

if TYPE_CHECKING:
    from bayleaf.arrays import Array

NUMBERS = {f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)} | {"float16", "float32", "float64"}
KINDS = NUMBERS | {"str", "bool", "object"}
PLAIN = (str, bool, int, float)


def written(labels: Array) -> dict[str, Any]:
    """Labels as the entries of an `about`; refuses kinds that JSON has no word for.

    >>> written(np.array([3, 7], dtype=np.uint8))
    {'labels': [3, 7], 'label_type': 'uint8'}
    """
    values = labels.tolist()
    kind = {"U": "str", "b": "bool", "O": "object"}.get(labels.dtype.kind, labels.dtype.name)
    if kind == "object":
        values = [str(value) if isinstance(value, str) else value for value in values]  # np.str_ among objects
    if kind not in KINDS or any(type(value) not in PLAIN for value in values):
        raise BayleafError(
            f"Found labels of type {labels.dtype}; expected text, numbers or truth values. Convert them to str"
        )
    return {"labels": values, "label_type": kind}


def labels_of(about: dict[str, Any]) -> Array:
    """The labels that `written` gave; refuses what is not sorted or not of one kind."""
    values, kind = about["labels"], about["label_type"]
    wanted = {"str": (str,), "bool": (bool,), "object": PLAIN}.get(kind, (float,) if "float" in kind else (int,))
    one = isinstance(values, list) and len(values) > 0 and len({type(value) for value in values}) == 1
    if kind not in KINDS or not one or type(values[0]) not in wanted:
        raise BayleafError(f"Found labels that are not {kind}; expected one kind, at least one label")
    labels: Array = np.array(values, dtype=None if kind == "str" else kind)
    if labels.tolist() != values or not bool(np.all(labels[1:] > labels[:-1])):
        raise BayleafError("Found labels that are not in order; expected each one once, sorted")
    return labels
