"""Values in a model file: names and categories of any plain kind as three arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.errors import BayleafError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bayleaf.arrays import Array

KINDS: tuple[Any, ...] = (str, int, float, bool)


def packed(values: Sequence[Any]) -> dict[str, Array]:
    """The number of each value's kind (str, int, float, bool), the text of all of them, and where each text ends.

    >>> {name: array.tolist() for name, array in packed(["a", 1, True]).items()}
    {'kinds': [0, 1, 3], 'text': [97, 49, 84, 114, 117, 101], 'ends': [1, 2, 6]}
    >>> unpacked(packed(["a", 1, 0.1, True]))
    ['a', 1, 0.1, True]
    """
    kinds = []
    texts = []
    for value in values:
        if type(value) not in KINDS:
            raise BayleafError(
                f"Found {value!r} of {type(value).__name__} among the names and categories; a file holds text, whole "
                "numbers, floats and truth values. Convert it to str before fitting"
            )
        kinds.append(KINDS.index(type(value)))
        texts.append(str(value).encode("utf-8", "surrogatepass"))
    return {
        "kinds": np.array(kinds, dtype=np.uint8),
        "text": np.frombuffer(b"".join(texts), dtype=np.uint8),
        "ends": np.cumsum([len(text) for text in texts], dtype=np.int64),
    }


def unpacked(arrays: Mapping[str, Array]) -> list[Any]:
    """The values that `packed` gave; refuses anything else."""
    kinds, text, ends = arrays["kinds"], arrays["text"], arrays["ends"]
    kept = [(array.dtype.name, array.ndim) for array in (kinds, text, ends)]
    borders = np.concatenate([[0], ends]) if ends.ndim == 1 else ends
    if kept != [("uint8", 1), ("uint8", 1), ("int64", 1)] or len(kinds) != len(ends) or set(arrays) != set(packed([])):
        raise BayleafError("Found lists of values that do not fit each other; expected kinds, text and ends")
    if (np.diff(borders) < 0).any() or borders[-1] != len(text) or kinds.max(initial=0) >= len(KINDS):
        raise BayleafError("Found values whose kinds or ends lie outside of what there is")
    whole = text.tobytes()
    cuts = zip(kinds.tolist(), borders[:-1].tolist(), borders[1:].tolist(), strict=True)
    return [_value(KINDS[kind], whole[start:end].decode("utf-8", "surrogatepass")) for kind, start, end in cuts]


def _value(kind: Any, text: str) -> Any:
    value = text == "True" if kind is bool else kind(text)
    if str(value) != text:
        raise BayleafError(f"Found {text[:80]!r}, expected {kind.__name__} as Python writes it")
    return value
