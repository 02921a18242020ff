"""Calls of bayleaf-bogofilter."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def run(folder: Path, *words: str, raw: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """What it says with the store in that folder, where `raw` is its input."""
    code = "import sys; from bayleaf.cli.bogofilter import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, "-d", str(folder), *words], input=raw, capture_output=True, check=False
    )
