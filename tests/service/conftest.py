"""One daemon for all tests of a module, taught letters of both kinds."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator

import pytest
from daemon import Daemon, open_folder, taught


@pytest.fixture(scope="module")
def daemon() -> Iterator[Daemon]:
    with open_folder() as folder, Daemon(folder, "--allow-tell", store=taught(folder / "mail.db")) as running:
        yield running
        assert running.stop() == 0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With BAYLEAF_ALL_CLIENTS set, as in CI, a program that is missing is a failure and no excuse."""
    report = yield
    if report.skipped and os.environ.get("BAYLEAF_ALL_CLIENTS"):
        report.outcome = "failed"
    return report
