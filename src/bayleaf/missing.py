"""What files write where there is no value."""

from __future__ import annotations

MISSING = frozenset(("", "?", "NA", "N/A", "NaN", "nan", "null", "NULL"))


def label_text(value: object) -> str:
    """A label as text, empty where there is none; 1.0, as tables with gaps hold whole numbers, is 1.

    >>> [label_text(value) for value in (1.0, 1.5, float("nan"), None, "1.0", True)]
    ['1', '1.5', '', '', '1.0', 'True']
    """
    if value is None or value != value:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
