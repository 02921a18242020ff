"""One daemon for all tests of a module, taught letters of both kinds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from daemon import Daemon, taught


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    folder: Path = tmp_path_factory.mktemp("d")
    with Daemon(folder, "--allow-tell", store=taught(folder / "mail.db")) as running:
        yield running
        assert running.stop() == 0
