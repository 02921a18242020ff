"""``python -m benchmarks``: every comparison at full size, written to a dated table in benchmarks/results."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import estimators

if __name__ == "__main__":
    name = f"{datetime.now(UTC):%Y-%m-%d}-estimators-{platform.machine()}.md"
    estimators.main(["--out", str(Path(__file__).parent / "results" / name)])
