"""bayleaf mail check: whether everything adds up."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bayleaf.cli.mail.options import parser, standing_filter
from bayleaf.cli.parser import Parser


def main(argv: Sequence[str]) -> int:
    """Recounts the store: every count must follow from the mails in the ledger. Exit 70 and the reason when not."""
    options = arguments().options(argv)
    with standing_filter(options) as judge:
        found = judge.check()
    print(json.dumps(found) if options.json else "sound: " + ", ".join(f"{n} {what}" for what, n in found.items()))
    return 0


def arguments() -> Parser:
    """What the command takes."""
    return parser("check", main.__doc__ or "")
