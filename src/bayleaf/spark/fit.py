"""fit: a classifier from a Spark data frame."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from bayleaf.errors import BayleafError
from bayleaf.spark.base import Base
from bayleaf.spark.finishing import finished
from bayleaf.spark.hollow import Classifier, text_part
from bayleaf.spark.line import Line
from bayleaf.spark.merging import merge
from bayleaf.spark.partial import SCHEMA, SUMMARY, Task, partial
from bayleaf.spark.piece import Piece
from bayleaf.spark.plan import Plan
from bayleaf.spark.refusals import refusals
from bayleaf.spark.retained import Samples, needed, put_back
from bayleaf.spark.spool import Spool
from bayleaf.spark.summary import Summary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LOG = logging.getLogger(__name__)


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
    """A classifier that has learned all labelled rows of a data frame, each partition where it is.

    The counts are those of `TextClassifier` or `RecordClassifier` fitted on the same rows on one machine, to the last
    bit for texts and categories, whatever the partitions and however often a task was tried; sums of numbers agree to
    about 1e-12 of their size, since they are rounded in another order. The numbers derived from them are derived as
    there, from the same sample. Rows whose label is null or empty are left out, and their number is logged; a text that
    is null is empty.

    Parameters
    ----------
    df : DataFrame
        Of Spark, classic or Connect; one that ends, so no stream.
    label : str
        The column of the labels: texts, whole numbers or truth values.
    text : str or list of str, optional
        Columns of texts: one, or several that are told apart, as `TextClassifier` does with a mapping. Without it all
        other columns are learned by a `RecordClassifier`.
    columns : dict, optional
        Kinds of columns by name, as `RecordClassifier` takes them. Others are guessed from the first 10,000 rows.
    classifier : TextClassifier or RecordClassifier, optional
        One with other settings; it stays unfitted.
    onto : TextClassifier or RecordClassifier, optional
        A fitted model to learn on top of, as `partial_fit` does. It stays as it is.
    shards : int, optional
        Ranges of keys that are merged apart from each other: each must fit into the memory of a task. As many as there
        are cores unless given, from 4 to 64.
    path : path, optional
        Write the model file there, range by range: the driver holds one of them and what it derives numbers from.
    groups : str, optional
        A column of groups, as in `TextClassifier.fit`.

    Returns
    -------
    TextClassifier or RecordClassifier
        With `path`, one that is read from there when it is first asked something.

    Examples
    --------
    >>> from bayleaf.spark import fit
    >>> mails = spark.read.parquet("mails.parquet")  # doctest: +SKIP
    >>> model = fit(mails, text="body", label="kind", path="mails.bayleaf")  # doctest: +SKIP
    >>> model.predict(["win money now"]).tolist()  # doctest: +SKIP
    ['spam']
    """
    if onto is not None and classifier is not None:
        raise BayleafError("Found `onto` beside `classifier`; expected one of them: a model is learned on as it is")
    if isinstance(onto, str | os.PathLike):
        raise BayleafError(f"Found the path {onto} as `onto`, expected the model there: bayleaf.load(path)")
    if onto is not None and not hasattr(onto, "classes_"):
        raise BayleafError("Found `onto` that has learned nothing, expected a fitted model. Pass it as `classifier`")
    plan = Plan.of(df, label, text, columns, classifier or onto, groups, shards)
    found, unlabelled = learned(plan, onto, path)
    if unlabelled:
        LOG.warning("%d rows without a label were left out", unlabelled)
    return found


def learned(plan: Plan, onto: Classifier | None, path: str | os.PathLike[str] | None) -> tuple[Any, int]:
    """The classifier that `fit` returns, and how many rows had no label."""
    base = None if onto is None else Base(onto)
    folder = None if path is None else Path(path).resolve().parent
    if folder is not None and not folder.is_dir():
        raise BayleafError(f"Found no folder {folder}, expected one on the driver for the model file. Create it first")
    if path is not None and Path(path).is_dir():
        raise BayleafError(f"Found a folder at {path}, expected a place for the model file. Give a name inside it")
    with TemporaryDirectory(prefix=".bayleaf-", dir=folder) as spooled:
        summary = Summary()
        pieces = _pieces(plan, plan.task, summary)
        first = next(pieces, None)  # comes after the summary
        if summary.classifier is None:
            where = plan.task.reading.where
            raise BayleafError(f"Found no row with a label in {where}; expected at least one per label")
        found = _joined(plan, summary, base)
        spool = None
        if plan.like is not None:
            spool = Spool(Path(spooled), found.classes_, plan.like._empty(len(found.classes_)))
            new = pieces if first is None else chain([first], pieces)
            for piece in new if base is None else base.added(new, plan.like):
                spool.add(piece)
        samples = _sampled(plan, summary)
        put_back(found, samples if base is None else base.sampled(samples))
        return finished(found, spool, path), summary.unlabelled


def _pieces(plan: Plan, task: Task, summary: Summary) -> Iterator[Piece]:
    """Run the job; the merged counts in the order of their keys, and before them the summary is filled."""
    add = merge(plan.like, task.shards)
    numbered = plan.rows.toDF(
        *map(str, range(len(plan.rows.columns)))
    )  # mapInArrow would read a dot in a name as a path
    counted = numbered.mapInArrow(partial(task), SCHEMA)
    summed = counted.repartitionById(task.shards + 1, counted.shard - SUMMARY).mapInArrow(add, SCHEMA)
    ordered = summed.repartitionById(task.shards + 1, summed.shard - SUMMARY)  # else sums wait until they are fetched
    with refusals():
        for shard, payload in ordered.toLocalIterator(prefetchPartitions=True):
            if shard == SUMMARY:
                summary.add(payload)
            else:
                yield Piece.load(payload)


def _joined(plan: Plan, summary: Summary, base: Base | None) -> Any:
    """The classifier, with the parameters it is to have, still without counts of keys and without samples."""
    found = summary.classifier
    if base is not None:
        found = base.classifier + found
    elif plan.guesses is not None:
        kinds = {name: kind for name, (kind, _) in plan.guesses.items()}
        found.columns, found.guesses_, found.columns_ = plan.wanted.columns, plan.guesses, kinds
    found.n_jobs = plan.wanted.n_jobs
    if (text := text_part(found)) is not None:
        text.n_jobs = plan.wanted.n_jobs
    return found


def _sampled(plan: Plan, summary: Summary) -> Samples:
    """The documents that numbers are derived from; asked for again where partitions were so uneven that some lack."""
    while (edges := summary.missing(needed(plan.wanted))) is not None:
        again = Summary()
        for _ in _pieces(plan, replace(plan.task, edges=edges, shards=1), again):
            pass
        summary.samples, summary.edges = again.samples, again.edges
    return [one.sample() if isinstance(one, Line) else one for one in summary.samples]
