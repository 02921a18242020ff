"""Every picture is closed after its test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from matplotlib import pyplot as plt


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")
