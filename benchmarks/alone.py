"""Work in a process of its own: nothing that ran before it matters."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

ONE_THREAD = dict.fromkeys(("BAYLEAF_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
# On one thread fastText fills a tenth of its matrix and takes the rest as it comes ("Encountered NaN" where the memory
# was used before): large pieces have to come zeroed from the system.
ZEROED = {"MALLOC_MMAP_THRESHOLD_": "1048576"}


def alone(work: Callable[..., Any], *given: Any, zeroed: bool = False) -> Any:
    """What `work` returns, run on one thread of a new process."""
    before = dict(os.environ)
    os.environ.update({**ONE_THREAD, **(ZEROED if zeroed else {})})
    try:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            return pool.submit(work, *given).result()
    finally:
        os.environ.clear()
        os.environ.update(before)
