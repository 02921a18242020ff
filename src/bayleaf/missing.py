"""MISSING: what files write where there is no value."""

from __future__ import annotations

MISSING = frozenset(("", "?", "NA", "N/A", "NaN", "nan", "null", "NULL"))
