"""``python -m benchmarks``: comparisons at full size, each written to a dated table in benchmarks/results.

``python -m benchmarks vectorizers`` runs one of them alone.
"""

from __future__ import annotations

import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import estimators, vectorizers

PARTS = {"estimators": estimators.main, "vectorizers": vectorizers.main}

if __name__ == "__main__":
    wanted = sys.argv[1:] or list(PARTS)
    if strangers := set(wanted) - PARTS.keys():
        sys.exit(f"no benchmark {', '.join(sorted(strangers))}; there are {', '.join(PARTS)}")
    for part in wanted:
        name = f"{datetime.now(UTC):%Y-%m-%d}-{part}-{platform.machine()}.md"
        PARTS[part](["--out", str(Path(__file__).parent / "results" / name)])
