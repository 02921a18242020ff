"""What files write for a value, and where there is none."""

from __future__ import annotations

MISSING = frozenset(("", "?", "NA", "N/A", "NaN", "nan", "null", "NULL"))


def written(value: object) -> str:
    """A value as files write it; 1.0, as tables with gaps hold whole numbers, is 1.

    >>> written(3.0), written("3.0"), written(2.5)
    ('3', '3.0', '2.5')
    """
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def label_text(value: object) -> str:
    """A label as text, empty where there is none.

    >>> [label_text(value) for value in (1.0, 1.5, float("nan"), None, "1.0", True)]
    ['1', '1.5', '', '', '1.0', 'True']
    """
    return "" if value is None or value != value else written(value)
