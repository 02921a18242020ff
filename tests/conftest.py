"""Hypothesis profiles; PostgreSQL, browser and a small disk for tests.

HYPOTHESIS_PROFILE=thorough looks harder; ci draws the same each time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from cluster import Cluster, programs
from daemon import open_folder
from hypothesis import HealthCheck, settings

BROWSER = os.environ.get("BAYLEAF_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
NUMBERS = count()  # of stores in the cluster

quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("default", deadline=None, max_examples=25, suppress_health_check=quiet)
settings.register_profile("ci", deadline=None, max_examples=25, suppress_health_check=quiet, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=1000, suppress_health_check=quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One PostgreSQL for all tests that want one; each takes a store with a name of its own."""
    if programs() is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    pytest.importorskip("psycopg", reason="psycopg is not installed (pip install 'bayleaf[postgres]')")
    server = Cluster()
    yield server
    server.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One Chromium for all tests that look at pages: Playwright takes the thread's event loop, and only once."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (pip install playwright)")
    if BROWSER is None:
        pytest.skip("no chromium on this machine (apt-get install chromium, or set BAYLEAF_BROWSER)")
    with api.sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A file system of 2 MB that every user may write to."""
    with open_folder() as disk:
        words = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)]
        if subprocess.run(words, capture_output=True, check=False).returncode:
            pytest.skip("a full disk needs the right to mount one")
        yield disk
        subprocess.run(["umount", str(disk)], check=True)


@pytest.fixture
def new_store(cluster: Cluster) -> Callable[[], str]:
    """Addresses of stores that are not there yet."""
    return lambda: cluster.url(f"s{next(NUMBERS)}")


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store can be made, in either database."""
    return str(tmp_path / "m.db") if request.param == "sqlite" else request.getfixturevalue("new_store")()
