"""Who runs a command."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture
def somebody() -> Iterator[None]:
    """Not root, who may read everything."""
    own = os.geteuid()
    if own == 0:
        os.seteuid(65534)
    yield
    os.seteuid(own)
