"""Shipped: a model file on every machine of a cluster, opened once by each worker."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from bayleaf.archive import Archive
from bayleaf.errors import BayleafError
from bayleaf.loading import load
from bayleaf.spark.hollow import Classifier

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SENT: WeakKeyDictionary[SparkSession, set[str]] = WeakKeyDictionary()


def ship(spark: SparkSession, model: Any) -> tuple[str, Any]:
    """Send a model, or the file of one, to the cluster; the name that it has there, and the model.

    The name is the hash of what is in it: the same model is sent and opened once, and another one never mistaken for
    it.
    """
    written = isinstance(model, str | os.PathLike)
    known = load(model) if written else model
    if not isinstance(known, Classifier):
        raise BayleafError(
            f"Found a {type(known).__name__}, expected a TextClassifier or a RecordClassifier, or the file of one. Fit "
            "one of these, by `bayleaf.spark.fit` or here"
        )
    archive = Archive.read(model) if written else known._archive()
    name = f"{archive.hash}.bayleaf"
    sent = SENT.setdefault(spark, set())
    if name not in sent:
        target = Path(_folder().name) / name
        archive.write(target)  # without provenance: equal models are equal files
        spark.addArtifacts(str(target), file=True)
        sent.add(name)
    return name, known


@lru_cache(maxsize=1)
def _folder() -> TemporaryDirectory[str]:
    """Where files lie as long as this process runs: executors fetch them from here when they start."""
    return TemporaryDirectory(prefix="bayleaf-")


@lru_cache(maxsize=4)
def opened(name: str) -> Any:
    """On a worker, the model that was sent under this name."""
    from pyspark import SparkFiles  # noqa: PLC0415 - runs on the workers

    model = load(SparkFiles.get(name))
    return model.set_params(n_jobs=1)  # a task has one core
