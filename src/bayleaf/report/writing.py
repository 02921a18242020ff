"""Writing: a file is the old one or the new one, never half of it."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: str | Path, content: bytes) -> Path:
    """The path, after its content was written to a sibling and moved there."""
    path = Path(path)
    sibling = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        sibling.write_bytes(content)
        sibling.replace(path)
    finally:
        sibling.unlink(missing_ok=True)
    return path
