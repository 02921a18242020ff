"""named: columns of a data frame by their plain names, whatever is in those."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from bayleaf.errors import BayleafError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def named(name: str) -> str:
    """The name as Spark takes it for one column: a dot in it is no path into a struct.

    >>> named("mail.body")
    '`mail.body`'
    """
    return "`" + name.replace("`", "``") + "`"


def selected(df: DataFrame, names: Iterable[str]) -> DataFrame:
    """These columns, each once; refuses those that are not there."""
    found = list(dict.fromkeys(names))
    for name in found:
        if name not in df.columns:
            raise BayleafError(
                f"Found no column {name!r}, expected one of {', '.join(df.columns)}. Name another, or add it"
            )
    return df.select(*map(named, found))


def refuse_foreign(df: Any) -> None:
    """Refuse what is no data frame of Spark."""
    if not hasattr(df, "mapInArrow"):
        raise BayleafError(
            f"Found a {type(df).__name__} of {type(df).__module__.partition('.')[0]}, expected a data frame of Spark. "
            "Make one by `spark.createDataFrame`, or learn and judge it here by `TextClassifier` or `RecordClassifier`"
        )


def refuse_streaming(df: Any) -> None:
    """Refuse rows that never end."""
    if df.isStreaming:
        raise BayleafError(
            "Found a streaming data frame, expected one that ends: a model is learned from all of its rows. Learn each "
            "batch on top of the model by `writeStream.foreachBatch` and `fit(batch, ..., onto=model)`"
        )


def refuse_taken(df: DataFrame, names: Sequence[str]) -> None:
    """Refuse names of new columns that could not be told from others."""
    for n, name in enumerate(names):
        if name in df.columns or name in names[:n]:
            raise BayleafError(
                f"Found the name {name!r} for two columns, expected a new one for what is written. Drop the column "
                "that is there, or give other names: `prediction`, `probability`, in a stage predictionCol, "
                "probabilityCol"
            )
