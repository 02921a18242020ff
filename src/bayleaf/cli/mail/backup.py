"""bayleaf mail backup: the whole store as one file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from bayleaf.cli.mail.options import parser, standing_filter
from bayleaf.cli.parser import Parser
from bayleaf.errors import BayleafError


def main(argv: Sequence[str]) -> int:
    """Writes the store, while it is in use, into one file that is a store itself."""
    options = arguments().options(argv)
    if str(options.file) == "-":
        raise BayleafError("found -, expected the name of a file: a backup is not written to standard output")
    with standing_filter(options) as judge:
        judge.backup(options.file)
    if options.json:
        print(json.dumps({"file": str(options.file), "bytes": options.file.stat().st_size}))
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("backup", main.__doc__ or "")
    command.add_argument("file", type=Path, metavar="FILE", help="the file to write")
    return command
