"""Objects: rows that name their values, as columns."""

from __future__ import annotations

import json
from typing import Any


class Objects:
    """Turns objects into columns: those of the first objects; a key that turns up later is passed over."""

    def __init__(self, first: list[dict[str, Any]], notes: list[str]) -> None:
        self.names = list(dict.fromkeys(key for row in first for key in row))
        self._known = set(self.names)
        self._notes = notes

    def columns(self, rows: list[dict[str, Any]]) -> list[list[Any]]:
        """The values by column; a key that an object lacks is None, lists and objects are their JSON text."""
        more = set().union(*rows) - self._known
        if more:
            # Known from now on, so that each is told once.
            self._known |= more
            names = ", ".join(map(repr, sorted(more)[:3])) + (" and others" if len(more) > 3 else "")
            self._notes.append(f"passed over {names}: not in the first 256 KB of the file")
        return [flat([row.get(name) for row in rows]) for name in self.names]


def flat(column: list[Any]) -> list[Any]:
    """The column with lists and objects as JSON text."""
    if not set(map(type, column)) & {dict, list}:
        return column
    return [json.dumps(v, ensure_ascii=False, default=str) if isinstance(v, (dict, list)) else v for v in column]
