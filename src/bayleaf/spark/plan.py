"""Plan: what a fit is to learn, checked on the driver before a job starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sklearn.base import clone

from bayleaf.errors import BayleafError
from bayleaf.records import RecordClassifier
from bayleaf.records.columns import Guess
from bayleaf.records.parts import Parts
from bayleaf.spark.named import named, refuse_foreign, refuse_streaming, selected
from bayleaf.spark.partial import Columns, Reading, Task, cells, labelled
from bayleaf.text import TextClassifier

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from bayleaf.spark.hollow import Classifier

SHARDS = (4, 64)  # parts of the key space, least and most: each is one task and one fetch by the driver, 0.1 s
HEAD = 10_000  # rows from which the kinds of columns are guessed
LABELS = ("string", "char", "varchar", "tinyint", "smallint", "int", "bigint", "boolean", "float", "double")
CELLS = (*LABELS, "decimal", "date", "timestamp", "timestamp_ntz")


@dataclass(frozen=True)
class Plan:
    """The columns that are read, what the tasks do with them, and what the result is like."""

    rows: DataFrame
    task: Task
    wanted: Classifier  # unfitted, with the parameters of the result
    guesses: dict[str, Guess] | None  # of the columns of records
    like: TextClassifier | None  # empty, counts as the text part of the result does

    @classmethod
    def of(
        cls,
        df: DataFrame,
        label: str,
        text: str | Sequence[str] | None,
        columns: Mapping[str, str] | None,
        classifier: Classifier | None,
        groups: str | None,
        shards: int | None,
    ) -> Plan:
        """The plan for the arguments of `fit`; refuses what does not fit together."""
        refuse_foreign(df)
        refuse_streaming(df)
        names = None if text is None else (text,) if isinstance(text, str) else tuple(text)
        wanted = _wanted(classifier, names, columns)
        if shards is not None and (not isinstance(shards, int) or shards < 1):
            raise BayleafError(f"Found shards={shards!r}, expected a whole number from 1, or leave it out")
        refuse(df, [label], LABELS, "a label is text, a number or a truth value. Cast it")
        if isinstance(wanted, TextClassifier):
            assert names is not None
            refuse(df, names, LABELS[:3], "texts are strings. Cast it, or leave `text` out for a table of columns")
            refuse(df, [groups] if groups else [], CELLS, "a group has a name or number. Cast it")
            _refuse_twice(names, label)
            single = clone(wanted).set_params(n_jobs=1)  # a task has one core
            like = clone(single)
            like._start()
            rows = selected(df, [label, *names, *([groups] if groups else [])])
            task = Task(single, Columns(rows.columns, label, names, groups), shards or _shards(df))
            return cls(rows, task, wanted, None, like)
        if groups:
            raise BayleafError(f"Found groups={groups!r} for records; expected it for texts only. Leave it out")
        guesses = _guessed(df, label, wanted)
        rows = selected(df, [label, *learnable(guesses)])
        return cls.of_records(rows, Columns(rows.columns, label, None, None), wanted, guesses, shards)

    @classmethod
    def of_records(
        cls,
        rows: DataFrame,
        reading: Reading,
        wanted: RecordClassifier,
        guesses: dict[str, Guess],
        shards: int | None = None,
    ) -> Plan:
        """The plan for records whose columns are known."""
        kinds = learnable(guesses)
        like = Parts.empty(kinds, wanted.encoder, 1).text
        if like is not None:
            like._start()
        single = clone(wanted).set_params(n_jobs=1, columns=kinds)
        return cls(rows, Task(single, reading, shards or _shards(rows)), wanted, guesses, like)


def learnable(guesses: Mapping[str, Guess]) -> dict[str, str]:
    """The kinds of the columns that are learned."""
    return {name: found.kind for name, found in guesses.items() if found.kind != "ignore"}


def _wanted(classifier: Any, names: Sequence[str] | None, columns: Mapping[str, str] | None) -> Any:
    if classifier is None:
        given = None if columns is None else dict(columns)
        classifier = TextClassifier() if names is not None else RecordClassifier(columns=given)
    elif columns is not None:
        raise BayleafError("Found `columns` beside a classifier; expected one of them. Give the classifier its columns")
    expected = RecordClassifier if names is None else TextClassifier
    if not isinstance(classifier, expected) or (names is not None and columns is not None) or names == ():
        raise BayleafError(
            f"Found a {type(classifier).__name__} with text={names}, columns={columns}; expected a TextClassifier with "
            "`text`, the names of columns of texts, or a RecordClassifier without"
        )
    return classifier


def _refuse_twice(names: Sequence[str], label: str) -> None:
    for n, name in enumerate(names):
        if name in names[:n] or name == label:
            also = "the label" if name == label else "another text"
            raise BayleafError(
                f"Found column {name!r} as a text and as {also}, expected it once. Leave it out of `text`"
            )


def _shards(df: DataFrame) -> int:
    """One for each core of the cluster, as far as it tells: Spark Connect does not."""
    context = getattr(df.sparkSession, "sparkContext", None)
    return SHARDS[0] if context is None else min(max(context.defaultParallelism, SHARDS[0]), SHARDS[1])


def refuse(df: DataFrame, names: Sequence[str], types: Sequence[str], advice: str) -> None:
    """Refuse columns that are not there or of another type."""
    found = {field.name: field.dataType.simpleString().split("(")[0] for field in df.schema.fields}
    for name in names:
        if name not in found:
            raise BayleafError(f"Found no column {name!r}, expected one of {', '.join(found)}. Name another, or add it")
        if found[name] not in types:
            raise BayleafError(f"Found column {name!r} of type {found[name]}, expected {', '.join(types)}: {advice}")


def _guessed(df: DataFrame, label: str, wanted: RecordClassifier) -> dict[str, Guess]:
    """The kind of every column, once for all partitions, from the first rows unless `columns` tells."""
    given = {str(name): kind for name, kind in (wanted.columns or {}).items()}
    used = [name for name in df.columns if name != label]
    refuse(
        df,
        [name for name in used if given.get(name) != "ignore"],
        CELLS,
        'records have numbers, categories and texts. Select other columns, or give it the kind "ignore"',
    )
    unknown = [name for name in used if name not in given]
    head: dict[str, Any] = {name: [] for name in used}
    if unknown:
        rows = selected(df, [label, *unknown]).where(df[named(label)].isNotNull()).limit(HEAD).toArrow()
        rows = rows.filter(labelled(rows[label]))
        head |= {name: cells(rows[name]) for name in unknown}
    return guessed(wanted, head)


def guessed(wanted: RecordClassifier, head: Mapping[str, Any]) -> dict[str, Guess]:
    """What a classifier takes columns for that begin so."""
    scout = clone(wanted)
    scout._validate_params()
    scout._start(head)
    return dict(scout.guesses_)
