"""How many threads to use."""

import os


def thread_count(n_jobs: int | None = None) -> int:
    """Return n_jobs if given (-1: all cores), else BAYLEAF_NUM_THREADS, else OMP_NUM_THREADS, else all cores.

    Read at each call. No result depends on it.

    >>> thread_count(3)
    3
    """
    cores = os.cpu_count() or 1
    if n_jobs is not None:
        return n_jobs if n_jobs > 0 else max(1, cores + 1 + n_jobs)
    for name in ("BAYLEAF_NUM_THREADS", "OMP_NUM_THREADS"):
        if (value := os.environ.get(name, "")).isdecimal() and int(value) > 0:
            return int(value)
    return cores
