"""refusals: what bayleaf refuses on a worker is refused in the same words on the driver."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from bayleaf import errors

SAID = re.compile(r"bayleaf\.errors\.(\w+): (.+)")


@contextmanager
def refusals() -> Iterator[None]:
    """Raise the error that a worker raised instead of Spark's, which holds it among a hundred lines.

    >>> with refusals():
    ...     raise RuntimeError("Job aborted ... bayleaf.errors.MismatchError: Found other columns")
    Traceback (most recent call last):
    bayleaf.errors.MismatchError: Found other columns
    """
    try:
        yield
    except Exception as error:
        found = None if isinstance(error, errors.BayleafError) else SAID.search(str(error))
        kind = getattr(errors, found[1], None) if found else None
        if found is None or kind is None:
            raise
        raise kind(found[2].strip()) from error
