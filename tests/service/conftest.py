"""One daemon for all tests of a module, taught letters of both kinds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from daemon import Daemon, open_folder, taught


@pytest.fixture(scope="module")
def daemon() -> Iterator[Daemon]:
    with open_folder() as folder, Daemon(folder, "--allow-tell", store=taught(folder / "mail.db")) as running:
        yield running
        assert running.stop() == 0
