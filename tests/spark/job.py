"""A driver as people write it: fits the Parquet files of a folder on a cluster, once for each number of partitions.

    python job.py MASTER FOLDER OUTPUT PARTITIONS...

The model of 7 partitions is OUTPUT/7.bayleaf. With FLAKY set, the first attempt at each odd partition dies after its
first batch.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark import TaskContext
from pyspark.sql import SparkSession

from bayleaf.spark import fit

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.executor.memory": "1g",
    # Every file is a partition; fewer are made of several by coalesce.
    "spark.sql.files.maxPartitionBytes": "256m",
    "spark.sql.files.openCostInBytes": "256m",
}


def flaky(batches: Iterator[Any]) -> Iterator[Any]:
    """The same rows, unless this is the first attempt at an odd partition: that one dies in the middle."""
    context = TaskContext.get()
    assert context is not None
    for batch in batches:
        yield batch
        if context.partitionId() % 2 and not context.attemptNumber():
            os._exit(1)


def main(master: str, folder: str, output: str, *partitions: str) -> None:
    builder = SparkSession.builder.master(master)
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    rows = spark.read.schema("text string, label string").parquet(folder)  # so that the first task counts
    for number in map(int, partitions):
        parts = rows.coalesce(number)
        assert parts.rdd.getNumPartitions() == number
        if "FLAKY" in os.environ:
            parts = parts.mapInArrow(flaky, parts.schema)
        fit(parts, text="text", label="label", path=Path(output, f"{number}.bayleaf"))
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
