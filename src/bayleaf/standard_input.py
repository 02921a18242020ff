"""Standard input: the bytes that are given to this process."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from bayleaf.errors import BayleafError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


def standard_input() -> BinaryIO:
    """What is given to this process; refused when its caller has closed it. Reading waits for what has not come yet."""
    if sys.stdin is None:
        raise BayleafError("standard input is closed: found nothing to read, expected a file or a pipe there")
    with suppress(OSError):  # it is none of the system's, or tells when it is read
        os.set_blocking(sys.stdin.fileno(), True)  # or a pause of whoever writes would be the end of the mail
    return sys.stdin.buffer
