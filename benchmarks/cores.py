"""What a second core of this machine is worth: the most that two threads of anything can gain here."""

from __future__ import annotations

import subprocess
import sys
import time
from functools import cache

WORK = "s = 0\nfor i in range(6_000_000): s += i * i & 255"  # about half a second; touches no memory


@cache
def second_core() -> float:
    """How many times the work of one plain process two of them do in the same time, best of three each."""
    alone, both = (min(_took(count) for _ in range(3)) for count in (1, 2))
    return 2 * alone / both


def _took(count: int) -> float:
    start = time.perf_counter()
    running = [subprocess.Popen([sys.executable, "-c", WORK]) for _ in range(count)]
    for process in running:
        process.wait()
    return time.perf_counter() - start
