"""``python -m benchmarks``: comparisons at full size, each written to a dated table in benchmarks/results.

``python -m benchmarks vectorizers`` runs one of them alone; words after its name go to it, as in
``python -m benchmarks classifier speed``.
"""

from __future__ import annotations

import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import classifier, desk, estimators, features, vectorizers, vocabulary

PARTS = {
    "estimators": estimators.main,
    "vectorizers": vectorizers.main,
    "classifier": classifier.main,
    "desk": desk.main,
    "features": features.main,
    "vocabulary": vocabulary.main,
}

if __name__ == "__main__":
    part, words = (sys.argv[1], sys.argv[2:]) if sys.argv[1:] else ("", [])
    if part and part not in PARTS:
        sys.exit(f"no benchmark {part}; there are {', '.join(PARTS)}")
    for name in [part] if part else PARTS:
        file = f"{datetime.now(UTC):%Y-%m-%d}-{name}-{platform.machine()}.md"
        PARTS[name](["--out", str(Path(__file__).parent / "results" / file), *words])
