"""Interrupted: work that is broken off before any one of its lines."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

from bayleaf import __file__ as package

SOURCE = package.removesuffix("__init__.py")
# Its transactions end by lines of Python; what an interrupt among them leaves open, the server ends after two minutes.
APART = SOURCE + "store/postgres/"


class Interrupt(KeyboardInterrupt):
    """Ctrl-C at a line that is named."""


def lines(work: Callable[[], object]) -> int:
    """How many lines of bayleaf `work` comes to; the second time in the same call does not count.

    Python comes back to the line of a `with` to end its block, where a real interrupt cannot hit.
    """
    return interrupt(work, -1)


def interrupt(work: Callable[[], object], at: int) -> int:
    """Does work until the line of that number, and breaks it off there."""
    seen, frames = set[tuple[int, int]](), list[FrameType]()

    def line(frame: FrameType, event: str, _: Any) -> Any:
        place = id(frame), frame.f_lineno
        if event == "line" and place not in seen:
            seen.add(place)
            frames.append(frame)  # or another could have its id
            if len(seen) == at:
                raise Interrupt(f"{frame.f_code.co_filename.removeprefix(SOURCE)}:{frame.f_lineno}")
        return line

    def call(frame: FrameType, *_: Any) -> Any:
        file = frame.f_code.co_filename
        return line if file.startswith(SOURCE) and not file.startswith(APART) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        with suppress(Interrupt):
            work()
    finally:
        sys.settrace(before)
    return len(seen)
