"""bayleaf mail status: what has been learned."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bayleaf.cli.mail.options import judging_filter, parser
from bayleaf.cli.parser import Parser
from bayleaf.plain import aligned

ROWS = """keys are the features that are counted, runs the tables that they are in: one in two runs counts twice. worth
is the weight of a kind of evidence in the score, learned from the mails: that of the mean of all its features in a
mail, and that of the mean of its tails, the strongest of them."""


def main(argv: Sequence[str]) -> int:
    """Mails per label, size of the store, and what each kind of evidence is worth."""
    options = arguments().options(argv)
    with judging_filter(options) as judge:
        status = judge.status()
    if options.json:
        print(json.dumps(status))
        return 0
    rows = [(name, str(value)) for name, value in status.items() if not isinstance(value, dict)]
    for name, values in status.items():
        if isinstance(values, dict):
            rows += [
                (f"{name} {inner}", f"{value:.3f}" if isinstance(value, float) else str(value))
                for inner, value in values.items()
            ]
    print("\n".join(aligned(rows, "ll")))
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("status", main.__doc__ or "")
    command.epilog = ROWS
    return command
