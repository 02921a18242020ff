"""The model of a cluster is that of one machine, to the bit: a million documents, lost workers, tasks that die.

Documents are 20 Newsgroups and SpamAssassin, each cut to 1,000 characters and repeated; see documents.py.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen
from typing import NamedTuple

import pytest
from spark.cluster import SparkCluster, environment, eventually
from spark.documents import documents, write
from spark.same import assert_same

from bayleaf import TextClassifier

pytestmark = [
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.skipif(
        not shutil.which("java"), reason="no java on this machine (apt install openjdk-17-jre-headless)"
    ),
]
MILLION = 1_000_000
JOB = Path(__file__).with_name("job.py")
RUNS = re.compile(r"Running task \d+\.(\d+) in stage")  # what an executor logs; the second number is the attempt


class Learned(NamedTuple):
    """Parquet files, and the model of one machine that has learned the same documents."""

    folder: Path
    model: Path


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Learned:
    return learned(tmp_path_factory.mktemp("many"), MILLION)


def learned(place: Path, least: int, most: int | None = None) -> Learned:
    rows = documents()[:most]
    times = write(place / "parquet", rows, least)
    texts, labels = (list(column) * times for column in zip(*rows, strict=True))
    assert len(texts) >= least
    TextClassifier().fit(texts, labels).save(place / "alone.bayleaf")
    return Learned(place / "parquet", place / "alone.bayleaf")


@pytest.fixture(scope="module")
def cluster() -> Iterator[SparkCluster]:
    pytest.importorskip("pyspark", reason="pyspark is not installed (pip install 'bayleaf[spark]')")
    with SparkCluster() as running:
        yield running


@contextmanager
def job(cluster: SparkCluster, folder: Path, output: Path, *partitions: int, **env: str) -> Iterator[Popen[bytes]]:
    """A driver in a process of its own, as on any cluster; in the end it must have ended well."""
    words = [sys.executable, str(JOB), cluster.url, str(folder), str(output), *map(str, partitions)]
    with (output / "log").open("wb") as log, Popen(words, env={**environment(), **env}, stderr=log) as driver:
        try:
            yield driver
            assert driver.wait() == 0, (output / "log").read_text()  # pytest's timeout ends one that hangs
        finally:
            driver.kill()


def test_a_million_documents_in_2_7_and_64_partitions(many: Learned, cluster: SparkCluster, tmp_path: Path) -> None:
    with job(cluster, many.folder, tmp_path, 2, 7, 64):
        pass
    for number in (2, 7, 64):
        assert_same(many.model, tmp_path / f"{number}.bayleaf")


def test_tasks_that_die_count_once(cluster: SparkCluster, tmp_path: Path) -> None:
    few = learned(tmp_path, 2_000, most=2_000)
    before = cluster.executors()
    with job(cluster, few.folder, tmp_path, 4, FLAKY="1"):
        pass
    assert "1" in attempts(cluster.executors() - before), "no task died"
    assert_same(few.model, tmp_path / "4.bayleaf")


def test_a_worker_that_is_killed_changes_nothing(many: Learned, tmp_path: Path) -> None:
    with SparkCluster() as cluster:
        lost, left = cluster.workers
        with job(cluster, many.folder, tmp_path, 7) as driver:
            eventually(lambda: attempts(lost.executors()) or driver.poll(), "the first task of the worker")
            assert driver.poll() is None, (tmp_path / "log").read_text()
            lost.end()
        assert set(attempts(left.executors())) - {"0"}, "the task of the worker that was lost did not run again"
    assert_same(many.model, tmp_path / "7.bayleaf")


def attempts(logs: Iterable[Path]) -> list[str]:
    """The attempts at which tasks ran, by what executors logged."""
    return [attempt for log in logs for attempt in RUNS.findall(log.read_text(errors="replace"))]
