"""Where the table of a run is written."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from pathlib import Path


def place(kind: str) -> Path:
    """The file of today and of this kind of machine."""
    return Path(__file__).parent / "results" / f"{datetime.now(UTC):%Y-%m-%d}-{kind}-{platform.machine()}.md"
