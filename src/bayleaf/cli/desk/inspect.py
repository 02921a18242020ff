"""bayleaf inspect: what a model file holds, without running anything."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from bayleaf.cli.desk.options import parser
from bayleaf.cli.parser import Parser
from bayleaf.cli.screen import paint
from bayleaf.plain import aligned, plain

ABOUT = """Shows what a model file holds: kind, labels, settings, where it came from, its tensors and their sizes, and
the hash of its contents, which is the same for equal models. The file is checked; no model is built from it."""
EXAMPLES = """  bayleaf inspect letters.bayleaf
  bayleaf inspect letters.bayleaf --json | jq .about
"""
MOST = 400  # characters of a setting
FEW = 6  # numbers of a list that are shown


def main(argv: Sequence[str]) -> int:
    """Prints the contents."""
    options = arguments().options(argv)
    from bayleaf.archive import Archive  # noqa: PLC0415 - numpy, which -h need not wait for

    archive = Archive.read(options.model)
    tensors: dict[str, dict[str, Any]] = {
        name: {
            "type": str(array.dtype),
            "shape": list(array.shape),
            "bytes": array.nbytes,
            "hash": blake2b(array.tobytes(), digest_size=8).hexdigest(),
        }
        for name, array in sorted(archive.arrays.items())
    }
    if options.json:
        facts = {"kind": archive.kind, "hash": archive.hash, "provenance": archive.provenance, "about": archive.about}
        print(json.dumps({**facts, "tensors": tensors}))
        return 0
    lines = [("kind", archive.kind), ("hash", archive.hash), *sorted(archive.provenance.items())]
    print("\n".join(aligned(lines, "ll")))
    print(f"\n{paint('settings', 'bold')}")
    print("\n".join(plain(f"{name}: {short(value)}") for name, value in sorted(archive.about.items())))
    print(f"\n{paint('tensors', 'bold')}")
    rows = [
        (name, told["type"], " x ".join(map(str, told["shape"])), f"{told['bytes']:,} bytes", told["hash"])
        for name, told in tensors.items()
    ]
    print("\n".join(aligned(rows, "lllrl")))
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("inspect", ABOUT, EXAMPLES)
    command.add_argument("model", type=Path, metavar="MODEL", help="a model file")
    return command


def short(value: Any) -> str:
    """A setting on one line; --json has all of it."""
    text = json.dumps(_counted(value), ensure_ascii=False)
    return text if len(text) <= MOST else f"{text[:MOST]}... ({len(text)} characters)"


def _counted(value: Any) -> Any:
    """Long lists of numbers as how many they are: of derived numbers there are thousands, and others behind them."""
    if isinstance(value, dict):
        return {name: _counted(some) for name, some in value.items()}
    long = isinstance(value, list) and len(value) > FEW and all(isinstance(one, int | float) for one in value)
    return f"{len(value)} numbers" if long else value
