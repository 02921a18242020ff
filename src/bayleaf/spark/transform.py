"""transform: the rows of a Spark data frame, judged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from bayleaf.errors import BayleafError
from bayleaf.spark.shipped import opened, ship
from bayleaf.text import TextClassifier

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from bayleaf.spark.hollow import Classifier

TYPES = {"U": ("string", pa.string()), "b": ("boolean", pa.bool_()), "f": ("double", pa.float64())}
WHOLE = ("bigint", pa.int64())


def transform(
    df: DataFrame,
    model: Classifier | str | os.PathLike[str],
    *,
    text: str | None = None,
    prediction: str = "prediction",
    probability: str = "probability",
) -> DataFrame:
    """The data frame with two more columns.

    Only the columns that the model reads go to Python.
    """
    from pyspark.sql.functions import ArrowUDFType, arrow_udf, struct  # noqa: PLC0415 - an extra

    name, known = ship(df.sparkSession, model)
    columns = names(known, text)
    lost = [column for column in columns if column not in df.columns]
    if lost:
        raise BayleafError(f"Found the columns {df.columns}, expected {', '.join(map(repr, lost))} as well")
    kind, arrow = TYPES.get(known.classes_.dtype.kind, WHOLE)
    plain = isinstance(known, TextClassifier)

    def judge(rows: Iterator[pa.StructArray]) -> Iterator[pa.StructArray]:
        judging = opened(name)
        for some in rows:
            found = dict(zip(columns, some.flatten(), strict=True))
            if plain:
                found = {column: cells.fill_null("") for column, cells in found.items()}
            cells = {column: cells.to_pylist() for column, cells in found.items()}
            chances = judging.predict_proba(next(iter(cells.values())) if plain and text else cells)
            best = judging.classes_[chances.argmax(axis=1)]
            ends = np.arange(0, chances.size + 1, chances.shape[1], dtype=np.int32)
            lists = pa.ListArray.from_arrays(ends, chances.ravel())
            yield pa.StructArray.from_arrays([pa.array(best.tolist(), arrow), lists], ["label", "chances"])

    scored = arrow_udf(judge, f"label {kind}, chances array<double>", ArrowUDFType.SCALAR_ITER)
    both = scored(struct(*(df[column] for column in columns)))
    return df.select("*", both["label"].alias(prediction), both["chances"].alias(probability))


def names(model: Any, text: str | None) -> list[str]:
    """The columns that a model reads."""
    if not isinstance(model, TextClassifier):
        return list(model._parts.kinds)
    fields = [tag.removesuffix(":") for tag in model._tags or () if tag]
    if fields:
        return fields
    if text is None:
        raise BayleafError("Found no column of texts; expected its name. Pass text='...'")
    return [text]
