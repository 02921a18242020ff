"""fit: a classifier from a Spark data frame."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sklearn.base import clone

from bayleaf.errors import BayleafError
from bayleaf.records import RecordClassifier
from bayleaf.spark.hollow import Classifier, text_part
from bayleaf.spark.merging import Shard, Summary, merge
from bayleaf.spark.partial import FAN, SCHEMA, SUMMARY, Task, partial
from bayleaf.spark.piece import Piece
from bayleaf.text import TextClassifier

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SHARDS = 8  # parts of the key space: their merging is shared by 4 times as many tasks
HEAD = 10_000  # rows by which the kinds of columns are guessed


def fit(
    df: DataFrame,
    *,
    label: str,
    text: str | Sequence[str] | None = None,
    columns: Mapping[str, str] | None = None,
    classifier: Classifier | None = None,
    onto: Classifier | None = None,
    shards: int | None = None,
    path: str | os.PathLike[str] | None = None,
    groups: str | None = None,
) -> Any:
    """A fitted classifier."""
    names = (text,) if isinstance(text, str) else None if text is None else tuple(text)
    wanted = _wanted(classifier, names, columns)
    used = df.select(label, *names, *([groups] if groups else [])) if names else df
    plain = clone(wanted).set_params(n_jobs=1)  # a task has one core
    task = Task(plain, label, names, groups, shards or SHARDS)
    counted = used.mapInArrow(partial(task), SCHEMA)
    like = plain if isinstance(plain, TextClassifier) else None
    if like is not None:
        like = clone(like)
        like._start()
    first = counted.repartitionById((task.shards + 1) * FAN, (counted.shard + 1) * FAN + counted.branch)
    first = first.mapInArrow(merge(like, task.shards), SCHEMA)
    last = first.repartitionById(task.shards + 1, first.shard + 1).mapInArrow(merge(like, task.shards), SCHEMA)
    table = last.toArrow()
    summary, total = Summary(), Shard(like)
    for shard, payload in zip(table["shard"].to_pylist(), table["payload"], strict=True):
        if shard == SUMMARY:
            summary.add(payload.as_buffer())
        else:
            total.add(Piece.load(payload.as_buffer()))
    found = summary.classifier
    if found is None:
        raise BayleafError("Found no labelled row; expected at least one per label")
    whole = text_part(found)
    if whole is not None and total.tally is not None:
        whole._tally = whole._tally + total.tally
    found.set_params(n_jobs=wanted.n_jobs)
    found.retune()
    if path is not None:
        found.save(path)
    return found


def _wanted(classifier: Any, names: Any, columns: Any) -> Any:
    if classifier is not None:
        return classifier
    return TextClassifier() if names is not None else RecordClassifier(columns=columns)
