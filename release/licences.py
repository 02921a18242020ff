"""Licences of everything that comes along: each must be one that lets an MIT program be passed on."""

from __future__ import annotations

import re
from pathlib import Path

from release.fault import Fault
from release.parts import Part, crates, packages

ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "LGPL-3.0-only",  # psycopg, of the extra postgres: a library that is imported as it is
    "MIT",
    "MIT-CMU",
    "MPL-2.0",  # of whole files that are used as they are
    "PSF-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}
OLD = {  # what older metadata calls them
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}


def allowed(expression: str) -> bool:
    """Whether an SPDX expression can be met by what is allowed: one of the OR parts, all of the AND parts."""
    expression = expression.strip()
    if expression in ALLOWED or OLD.get(expression) in ALLOWED:
        return True
    for joined, enough in ((r"\s+AND\s+", all), (r"\s+OR\s+|\s*/\s*", any)):
        parts = split(expression, joined)
        if len(parts) > 1:
            return enough(allowed(part) for part in parts)
    inner = re.fullmatch(r"\((.*)\)", expression)
    return inner is not None and allowed(inner[1])


def split(expression: str, joined: str) -> list[str]:
    """The parts at the joints that stand outside all brackets."""
    parts, start = [], 0
    for joint in re.finditer(joined, expression):
        before = expression[: joint.start()]
        if before.count("(") == before.count(")"):
            parts.append(expression[start : joint.start()])
            start = joint.end()
    return [*parts, expression[start:]]


def check(root: Path, python: Path, dist: Path) -> str:
    """How many are fine; the list is written beside what is shipped."""
    parts = [*crates(root), *packages(python)]
    if bad := [part for part in parts if not allowed(part.licence)]:
        words = [f"{part.purl}: found the licence {part.licence or 'nothing'!r}" for part in bad]
        raise Fault("\n".join([*words, "expected one that release/licences.py allows"]))
    lines = ["# Licences of what comes along", "", "| part | licence |", "|---|---|", *map(row, parts), ""]
    (dist / "LICENCES.md").write_text("\n".join(lines), encoding="utf-8")
    return f"{len(parts)} parts, all allowed"


def row(part: Part) -> str:
    return f"| {part.kind} {part.name} {part.version} | {part.licence} |"
