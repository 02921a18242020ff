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


NATIVE = ("bayleaf._core", "sqlite3")


class Interrupt(KeyboardInterrupt):
    """Ctrl-C at a line that is named."""


def moments(work: Callable[[], object]) -> int:
    """How many moments there are in `work` at which it can be interrupted."""
    return interrupt(work, -1)


def interrupt(work: Callable[[], object], at: int) -> int:
    """Does work until the moment of that number, and breaks it off there; how many moments there were.

    Before each line of bayleaf that a call comes to for the first time (Python comes back to the line of a `with` to
    end its block, where a real interrupt cannot hit), and after each native call, which is when Python hears of Ctrl-C
    that was pressed during it.
    """
    lines, frames, native = set[tuple[int, int]](), list[FrameType](), 0

    def moment(frame: FrameType) -> None:
        if len(lines) + native == at:
            raise Interrupt(f"{frame.f_code.co_filename.removeprefix(SOURCE)}:{frame.f_lineno}")

    def line(frame: FrameType, event: str, _: Any) -> Any:
        place = id(frame), frame.f_lineno
        if event == "line" and place not in lines:
            lines.add(place)
            frames.append(frame)  # or another could have its id
            moment(frame)
        return line

    def call(frame: FrameType, *_: Any) -> Any:
        return line if ours(frame) else None

    def returned(frame: FrameType, event: str, function: Any) -> None:
        nonlocal native
        if event == "c_return" and ours(frame) and type(function.__self__).__module__ in NATIVE:
            native += 1
            moment(frame)

    before = sys.gettrace()
    sys.settrace(call)
    sys.setprofile(returned)
    try:
        with suppress(Interrupt):
            work()
    finally:
        sys.setprofile(None)
        sys.settrace(before)
        frames.clear()  # and the cursors in them
    return len(lines) + native


def ours(frame: FrameType) -> bool:
    """Whether a frame is one of bayleaf's that can be interrupted."""
    file = frame.f_code.co_filename
    return file.startswith(SOURCE) and not file.startswith(APART)
