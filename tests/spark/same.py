"""Whether two model files hold the same model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bayleaf.archive import Archive


def assert_same(one: Path, other: Path) -> None:
    """The same counts bit for bit in the same types, and the same derived numbers to 1e-9."""
    a, b = Archive.read(one), Archive.read(other)
    assert a.kind == b.kind
    assert sorted(a.arrays) == sorted(b.arrays)
    for name, array in a.arrays.items():
        assert array.dtype == b.arrays[name].dtype, name
        assert array.shape == b.arrays[name].shape, name
        assert array.tobytes() == b.arrays[name].tobytes(), name
    assert_near(a.about, b.about)


def assert_near(a: Any, b: Any, place: str = "about") -> None:
    """Equal, floats to 1e-9."""
    if isinstance(a, dict):
        assert sorted(a) == sorted(b), place
        for name in a:
            assert_near(a[name], b[name], f"{place}.{name}")
    elif isinstance(a, list):
        assert len(a) == len(b), place
        for n, (x, y) in enumerate(zip(a, b, strict=True)):
            assert_near(x, y, f"{place}[{n}]")
    elif isinstance(a, float):
        assert b == pytest.approx(a, rel=1e-9, abs=1e-9), place
    else:
        assert a == b, place
