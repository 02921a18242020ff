"""frame: files as a data frame of Spark, with the columns that the other engine would find in them."""

from __future__ import annotations

import codecs
import json
from argparse import Namespace
from functools import reduce
from typing import TYPE_CHECKING, Any

from bayleaf.errors import BayleafError
from bayleaf.readers.source import repeated
from bayleaf.spark.named import named, selected

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

HEAD = 1000  # objects in which names are looked for, in their order
LOST = "\ufffd"  # what Spark reads instead of bytes that are not of the encoding


def frame(spark: SparkSession, kind: str, options: Namespace) -> DataFrame:
    """The rows of all files; fields of CSV files are text, as everywhere."""
    if kind == "parquet":
        return spark.read.parquet(*options.data)
    encoding = _codec(options.encoding)
    if kind == "json":
        lines = {"encoding": encoding, "lineSep": "\n"} if encoding else {}  # which Spark asks for with most encodings
        df = spark.read.json(options.data, mode="FAILFAST", **lines)
        df = selected(df, [*(name for name in _order(spark, options.data[0]) if name in df.columns), *df.columns])
    else:
        tables = [_table(spark, path, kind, encoding, options) for path in options.data]
        df = reduce(lambda one, other: one.unionByName(selected(other, one.columns)), tables)
    return df if encoding else _sound(df, " ".join(options.data))


def _codec(name: str | None) -> str | None:
    """The name by which Java knows an encoding of Python."""
    try:
        return None if name is None else codecs.lookup(name).name.removesuffix("-sig")
    except LookupError:
        raise BayleafError(f"found --encoding {name}, expected one that Python knows, as utf-8 or cp1252") from None


def _table(spark: SparkSession, path: str, kind: str, encoding: str | None, options: Namespace) -> DataFrame:
    """A CSV file or a folder of such."""
    form: dict[str, Any] = {
        "sep": options.delimiter or ("\t" if kind == "tsv" else ","),
        "encoding": encoding,
        "escape": '"',
        "multiLine": True,  # lines may end inside quotes, so that a file is one task
        "mode": "FAILFAST",
    }
    if options.no_header:
        df = spark.read.csv(path, header=False, **form)
        return df.toDF(*(f"column_{n}" for n in range(1, len(df.columns) + 1)))
    row = spark.read.csv(path, header=False, **form).first()
    fields = [field or "" for field in row or ()]
    lax = not all(fields)  # Spark names what has no name, and would find that the file has other names
    return spark.read.csv(path, header=True, enforceSchema=lax, **form).toDF(*_names(fields, path))


def _names(fields: list[str], path: str) -> list[str]:
    """The names in a header, as `readers` understands it; Spark would number those that are there twice."""
    names = [field.strip() or f"column_{n}" for n, field in enumerate(fields, 1)]
    twice = repeated(names)
    if twice is not None:
        raise BayleafError(f"{path}: found two columns called {twice!r}, expected names that differ; rename one")
    return names


def _order(spark: SparkSession, path: str) -> list[str]:
    """The names of the first objects as they come: Spark sorts them."""
    found: dict[str, None] = {}
    for row in spark.read.text(path).limit(HEAD).collect():
        try:
            found |= dict.fromkeys(json.loads(row.value))
        except (ValueError, TypeError):  # a blank line, another encoding; what is no object is refused by Spark
            continue
    return list(found)


def _sound(df: DataFrame, name: str) -> DataFrame:
    """The same rows; one with bytes that are not UTF-8 is refused when it is read."""
    from pyspark.sql import functions  # noqa: PLC0415 - an extra

    words = (
        f"{name}: found bytes that are not UTF-8, expected UTF-8 on Spark. Give --encoding cp1252 or what it is; "
        "--encoding utf-8 reads them as U+FFFD"
    )
    for field in df.schema.fields:
        if field.dataType.simpleString() == "string":
            cell = df[named(field.name)]
            refused = functions.raise_error(functions.lit(words))
            df = df.withColumn(field.name, functions.when(cell.contains(LOST), refused).otherwise(cell))
    return df
