"""Tell: what was done to how many mails."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from bayleaf.cli.streams import complain


def tell(outcomes: Iterable[str], kept: Sequence[str], as_json: bool) -> None:
    """Counts outcomes and prints them, then why some mails were kept; what came before a failure too."""
    counts: dict[str, int] = {}
    try:
        for outcome in outcomes:
            counts[outcome] = counts.get(outcome, 0) + 1
    except BaseException:
        if counts:
            _print(counts, kept, as_json)
        raise
    _print(counts, kept, as_json)


def _print(counts: dict[str, int], kept: Sequence[str], as_json: bool) -> None:
    if as_json:
        print(json.dumps(counts))
    else:
        print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()) or "no mails found")
    for why in kept:
        complain(f"bayleaf: {why}")
