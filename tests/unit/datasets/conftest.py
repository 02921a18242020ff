"""A cache of its own and a server on loopback for each test; no proxy comes between."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback import Loopback


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BAYLEAF_DATA", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "cache"


@pytest.fixture
def web(cache: Path) -> Iterator[Loopback]:
    with Loopback() as web:
        yield web
