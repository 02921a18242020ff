"""Writing: a result file that is whole or not there."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from bayleaf.errors import BayleafError
from bayleaf.whole import whole


def refuse_nowhere(path: Path, inputs: Iterable[str | Path | None] = ()) -> None:
    """Refuse a file in a folder that is not there, and one of those that are read, before the work is done."""
    if str(path) == "-":
        raise BayleafError("- is standard output, which takes the words of this command; expected the name of a file")
    if not path.parent.is_dir():
        raise BayleafError(f"{path} cannot be written: there is no folder {path.parent}; make it or choose another")
    if path.is_dir():
        raise BayleafError(f"{path} cannot be written: it is a folder; name a file in it")
    if path.is_file() and any(other is not None and Path(other).is_file() and path.samefile(other) for other in inputs):
        raise BayleafError(f"{path} cannot be written: it is read by this command; choose another name")


@contextmanager
def written(path: Path | None, inputs: Iterable[str | Path | None] = ()) -> Iterator[TextIO]:
    """Standard output, which is also -, or a file that takes its name when all of it is written."""
    if path is None or str(path) == "-":
        if sys.stdout is None:
            raise BayleafError("standard output is closed; expected it open, or a file to write: -o PATH")
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a sign that cannot be printed is no reason to print nothing
        yield sys.stdout
        sys.stdout.flush()
        return
    refuse_nowhere(path, inputs)
    try:
        with whole(path) as sibling, sibling.open("w", encoding="utf-8", errors="replace", newline="") as file:
            yield file
    except OSError as error:
        raise BayleafError(f"{path} cannot be written: {error.strerror or error}") from error
