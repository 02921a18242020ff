"""``python -m benchmarks``: comparisons at full size, each written to a dated table in benchmarks/results.

``python -m benchmarks vectorizers desk`` runs these; words after the names go to each of them, as in
``python -m benchmarks accuracy --sets sms``. Without a name the speed of everything but the mail filter is measured.
"""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import takewhile

from bayleaf.errors import DataError
from benchmarks.place import place

SPEED = ("estimators", "vectorizers", "classifier", "desk")
PARTS = (*SPEED, "accuracy", "families", "features", "vocabulary", "mail", "service")

if __name__ == "__main__":
    names = list(takewhile(lambda word: not word.startswith("-"), sys.argv[1:]))
    words = sys.argv[1 + len(names) :]
    if unknown := set(names) - set(PARTS):
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    for name in names or SPEED:
        out = [] if any(word.startswith("--out") for word in words) else [f"--out={place(name)}"]
        try:
            import_module(f"benchmarks.{name}").main([*out, *words])
        except DataError as error:
            print(f"{name} not run: {error}", file=sys.stderr)
