"""Standard input: the bytes that are given to this process."""

from __future__ import annotations

import sys

from bayleaf.errors import BayleafError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


def standard_input() -> BinaryIO:
    """What is given to this process; refused when its caller has closed it."""
    if sys.stdin is None:
        raise BayleafError("standard input is closed: found nothing to read, expected a file or a pipe there")
    return sys.stdin.buffer
