"""bayleaf mail expire: forget what has not been seen for long."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bayleaf.cli.mail.options import parser, standing_filter
from bayleaf.cli.parser import Parser, natural


def main(argv: Sequence[str]) -> int:
    """Drops tokens that no learned mail has had for some days, or the oldest until few enough are left.

    The days end with the last mail that was learned: a filter that is at rest keeps what it knows.
    """
    options = arguments().options(argv)
    with standing_filter(options) as judge:
        gone = judge.expire(options.days, options.limit)
    print(json.dumps({"expired": gone}) if options.json else f"{gone} tokens expired")
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("expire", main.__doc__ or "")
    command.add_argument("--days", type=natural, default=365, help="last seen longer ago than this (365)")
    command.add_argument("--limit", type=natural, help="keep at most so many tokens, those seen last")
    return command
