"""bayleaf mail restore: a store from a backup."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from bayleaf.cli.mail.options import new_home, parser, store_path
from bayleaf.cli.parser import Parser
from bayleaf.mail import Filter


def main(argv: Sequence[str]) -> int:
    """Checks a backup and makes a new store of it. A store that exists is not overwritten."""
    options = arguments().options(argv)
    path = store_path(options.store)
    with new_home(path), Filter.restore(options.file, path) as judge:
        mails = judge.evidence().mails
    if options.json:
        print(json.dumps({"mails": mails}))
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("restore", main.__doc__ or "")
    command.add_argument("file", type=Path, metavar="FILE", help="what `bayleaf mail backup` wrote")
    return command
