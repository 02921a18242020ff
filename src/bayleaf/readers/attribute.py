"""Attribute: what an ARFF file says of a column."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bayleaf.errors import DataError

LINE = re.compile(r"""\s*@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)\s*(\{.*\}|\S+).*""", re.IGNORECASE)
LEVEL = re.compile(r"""\s*(?:('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*|([^,'"\s][^,]*))(?:,|$)""")
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
LETTERS = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True)
class Attribute:
    """The name and kind of a column: "number", "text", or "nominal" with its levels."""

    name: str
    kind: str
    levels: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()

    @classmethod
    def read(cls, text: str, where: str) -> Attribute:
        """The attribute of an @attribute line."""
        found = LINE.fullmatch(text.rstrip())
        if found is None:
            raise DataError(f"{where}: found {text.strip()[:60]!r}, expected @attribute, a name and a type")
        name, kind = bare(found[1]), found[2]
        if kind.startswith("{"):
            levels = tuple(bare(quoted or plain) for quoted, plain in LEVEL.findall(kind[1:-1]))
            return cls(name, "nominal", levels, frozenset(levels))
        if kind.lower() in ("numeric", "real", "integer"):
            return cls(name, "number")
        if kind.lower() in ("string", "date"):
            return cls(name, "text")
        raise DataError(f"{where}: found type {kind[:40]!r}, expected numeric, string, date or {{levels}}")

    @property
    def zero(self) -> float | str | None:
        """What a sparse row leaves out: 0, or the first level; nothing for texts."""
        if self.kind == "number":
            return 0.0
        return self.levels[0] if self.levels else None

    def value(self, field: str, where: str) -> float | str | None:
        """The value that a field of this column stands for; ``?`` is missing."""
        field = field.strip()
        if field == "?":
            return None
        if self.kind == "number":
            try:
                return float(field)
            except ValueError:
                words = f"found {field[:40]!r} in {self.name!r}, expected a number or ?"
                raise DataError(f"{where}: {words}") from None
        found = bare(field)
        if self.levels and found not in self.known:
            words = f"found {found[:40]!r} in {self.name!r}, expected one of {', '.join(self.levels)[:80]}"
            raise DataError(f"{where}: {words}; add it to the @attribute line")
        return found


def bare(text: str) -> str:
    """A value without its quotes and backslashes."""
    text = text.strip()
    if len(text) < 2 or text[0] not in "'\"" or text[-1] != text[0]:
        return text
    return ESCAPE.sub(lambda found: LETTERS.get(found[1], found[1]), text[1:-1])
