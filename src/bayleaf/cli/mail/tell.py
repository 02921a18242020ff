"""Tell: what was done to how many mails."""

from __future__ import annotations

import json
from collections.abc import Iterable


def tell(outcomes: Iterable[str], as_json: bool) -> None:
    """Counts outcomes and prints them."""
    counts: dict[str, int] = {}
    for outcome in outcomes:
        counts[outcome] = counts.get(outcome, 0) + 1
    if as_json:
        print(json.dumps(counts))
    else:
        print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()) or "no mails found")
