"""Writing: a result file that is whole or not there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from bayleaf.errors import BayleafError
from bayleaf.store.whole import whole


@contextmanager
def written(path: Path | None) -> Iterator[TextIO]:
    """Standard output, or a file that takes its name when all of it is written."""
    if path is None:
        yield sys.stdout
        sys.stdout.flush()
        return
    try:
        with whole(path) as sibling, sibling.open("w", encoding="utf-8", newline="") as file:
            yield file
    except OSError as error:
        raise BayleafError(f"{path} cannot be written: {error.strerror or error}") from error
