"""One Spark on two threads for all tests of this folder."""

import os
import sys
from collections.abc import Generator, Iterator
from typing import Any

import pytest

ALL = bool(os.environ.get("BAYLEAF_ALL_SPARK"))
if ALL:
    import pyspark  # noqa: F401 - modules that are not collected for want of it would go unnoticed


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    pytest.importorskip("pyspark", reason="pyspark is not installed; `make test-spark` installs it")
    from pyspark.sql import SparkSession

    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    builder = SparkSession.builder.master("local[2]").appName("bayleaf tests")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With BAYLEAF_ALL_SPARK set, as in CI, a missing Java is a failure and no excuse."""
    report = yield
    if report.skipped and ALL:
        report.outcome = "failed"
    return report
