"""transform: the rows of a Spark data frame, judged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from bayleaf.errors import BayleafError
from bayleaf.spark.named import named, refuse_foreign, refuse_taken
from bayleaf.spark.partial import cells
from bayleaf.spark.plan import CELLS, LABELS, refuse
from bayleaf.spark.settled import settled
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
    """The data frame with two more columns: the most probable label, and the probabilities of all labels.

    The model file is sent to every machine once and opened once by each Python worker. Only the columns that the model
    reads go to Python. The numbers are those of `predict_proba`, to the last bit.

    Parameters
    ----------
    df : DataFrame
        Of Spark, classic or Connect.
    model : TextClassifier, RecordClassifier or path
        A fitted model, or the file of one.
    text : str, optional
        The column of texts, for a model of plain texts. Others know their columns by name.
    prediction, probability : str
        Names of the new columns; the probabilities are an array in the order of ``model.classes_``.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> from bayleaf.spark import transform
    >>> transform(mails, "mails.bayleaf", text="body").select("prediction")  # doctest: +SKIP
    """
    from pyspark.sql.functions import arrow_udf, struct  # noqa: PLC0415 - an extra

    refuse_foreign(df)
    refuse_taken(df, [prediction, probability])
    name, known = ship(df.sparkSession, model)
    columns = names(known, text)
    texts = isinstance(known, TextClassifier)
    refuse(df, columns, LABELS[:3] if texts else CELLS, "the model has learned such. Cast it")
    kind, arrow = TYPES.get(known.classes_.dtype.kind, WHOLE)

    def judge(rows: Iterator[pa.Array]) -> Iterator[pa.Array]:
        settled()
        judging = opened(name)
        for some in rows:
            held = [cells(column.fill_null("") if texts else column) for column in some.flatten()]
            chances = judging.predict_proba(held[0] if text else dict(zip(columns, held, strict=True)))
            best = judging.classes_[chances.argmax(axis=1)]
            ends = np.arange(0, chances.size + 1, chances.shape[1], dtype=np.int32)
            lists = pa.ListArray.from_arrays(ends, chances.ravel())
            yield pa.StructArray.from_arrays([pa.array(best.tolist(), arrow), lists], ["label", "chances"])

    judge.__annotations__ = {"rows": Iterator[pa.Array], "return": Iterator[pa.Array]}  # Spark reads what they mean
    scored = arrow_udf(judge, f"label {kind}, chances array<double>")(
        struct(*(df[named(column)] for column in columns))
    )
    return df.select("*", scored["label"].alias(prediction), scored["chances"].alias(probability))


def names(model: Any, text: str | None) -> list[str]:
    """The columns that a model reads."""
    if not isinstance(model, TextClassifier):
        return list(model._parts.kinds)
    fields = [tag.removesuffix(":") for tag in model._tags or () if tag]
    if bool(fields) == (text is not None):
        found = f"fields {', '.join(fields)}" if fields else "plain texts"
        raise BayleafError(f"Found text={text!r} for a model of {found}. Pass text='...' for plain texts only")
    return fields or [str(text)]
