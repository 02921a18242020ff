"""bayleaf train --engine spark: the same training, on a cluster."""

from __future__ import annotations

import logging
import os
import re
import socket
import sys
import warnings
from argparse import Namespace
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bayleaf.cli.desk.rows import label_column, refuse_other_kinds, refuse_unknown
from bayleaf.cli.parser import Parser
from bayleaf.errors import BayleafError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ENDINGS = {"parquet": "parquet", "csv": "csv", "tsv": "tsv", "tab": "tsv", "jsonl": "json", "ndjson": "json"}
FORMATS = {"parquet": "parquet", "csv": "csv", "tsv": "tsv", "jsonl": "json"}
EXPECTED = "expected Parquet, CSV, TSV or JSON Lines"


@dataclass
class Table:
    """What a data frame is called and what its columns are."""

    name: str
    names: list[str]


def add_engine(command: Parser) -> None:
    """Where the counting is done."""
    command.add_argument(
        "--engine",
        choices=("here", "spark"),
        default="here",
        help="count in this process, or on Apache Spark: Parquet, CSV, TSV and JSON Lines, also hdfs:// and the like",
    )
    command.add_argument(
        "--master", metavar="URL", help="the Spark master: spark://HOST:PORT, yarn, sc://HOST:PORT (default: local[*])"
    )


def learned(options: Namespace) -> tuple[Any, dict[str, Any]]:
    """The model of all rows, counted by Spark, and how many there were."""
    from bayleaf.face import Face  # noqa: PLC0415 - half a second that -h need not wait for
    from bayleaf.records import RecordClassifier  # noqa: PLC0415

    kind = kind_of(options)
    onto = RecordClassifier.load(options.onto) if options.onto else None
    if onto:
        refuse_other_kinds(onto, options)
    spark = session(options)
    if options.quiet:
        logging.getLogger("bayleaf.spark").setLevel(logging.ERROR)  # it tells how many rows had no label
    from py4j.protocol import Py4JJavaError  # noqa: PLC0415 - an extra
    from pyspark.errors import PySparkException  # noqa: PLC0415

    from bayleaf.cli.desk.frame import frame  # noqa: PLC0415
    from bayleaf.spark import fit  # noqa: PLC0415

    try:
        df = frame(spark, kind, options)
        table = Table(" ".join(options.data), df.columns)
        label = label_column(table, options.label)
        refuse_unknown(table, label, options.columns)
        df = stripped(df, label)
        model = fit(df, label=label, columns=None if onto else dict(options.columns), onto=onto)
        rows = int(model.class_count_.sum() - (onto.class_count_.sum() if onto else 0))
        unlabelled = df.count() - rows
    except (PySparkException, Py4JJavaError) as error:
        raise BayleafError(reason(str(error))) from error
    finally:
        spark.stop()
    return model, {"rows": rows, "unlabelled": unlabelled, "labels": Face(model).counts()}


def reason(said: str) -> str:
    """What is wrong, of a hundred lines that Spark says: our own words, or else what it gives a code."""
    if ours := re.search(r"\[USER_RAISED_EXCEPTION\] (.+?) SQLSTATE", said):
        return ours[1]
    coded = re.findall(r"\[[A-Z_]+(?:\.[A-Z_]+)*\] .+", said)
    bad = [line for line in coded if "MALFORMED" in line or "HEADER" in line]
    return f"Spark refused: {(bad or coded or said.splitlines())[0]}"


def stripped(df: Any, label: str) -> Any:
    """Labels as the other engine reads them: texts without space around them, and none where nothing is left."""
    from pyspark.sql import functions  # noqa: PLC0415 - an extra

    from bayleaf.spark.named import named  # noqa: PLC0415

    cell = df[named(label)]
    if dict(df.dtypes)[label] == "boolean":
        cell = functions.when(cell, "True").when(~cell, "False")
    text = functions.regexp_replace(cell.cast("string"), r"^\s+|\s+$", "")
    return df.withColumn(label, functions.when(text != "", text))


def kind_of(options: Namespace) -> str:
    """The format of the files, by their names or as it was given; Spark reads one at a time."""
    if options.format:
        if options.format not in FORMATS:
            raise BayleafError(f"--engine spark cannot read --format {options.format}; {EXPECTED} (jsonl)")
        return FORMATS[options.format]
    kinds = {path: ending(path) for path in options.data}
    strange = next((path for path, kind in kinds.items() if not kind), None)
    if strange is not None:
        raise BayleafError(
            f"{strange}: --engine spark cannot tell what this is; {EXPECTED}. Give --format or leave --engine out"
        )
    if len(set(kinds.values())) > 1:
        found = ", ".join(sorted(set(kinds.values())))
        raise BayleafError(
            f"found files of several formats ({found}); expected one for --engine spark. Train on one, then on the "
            "others with --onto"
        )
    return next(iter(kinds.values()))


def ending(path: str) -> str:
    """The format that the name of a file or a folder of files tells."""
    name = re.sub(r"\.(?:gz|bz2|zst)$", "", path.rstrip("/").lower())
    return ENDINGS.get(name.rpartition(".")[2], "")


def session(options: Namespace) -> SparkSession:
    """A session on the master, of few words."""
    try:
        from py4j.protocol import Py4JJavaError  # noqa: PLC0415 - an extra
        from pyspark.errors import PySparkException  # noqa: PLC0415
        from pyspark.sql import SparkSession  # noqa: PLC0415
    except ImportError:
        raise BayleafError(
            "--engine spark needs pyspark, which is not installed; pip install 'bayleaf[spark]'"
        ) from None
    warnings.filterwarnings("ignore", "PySpark does not yet", FutureWarning)  # of pandas 3, which is not used
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers of this machine; a cluster sets its own
    master = options.master or "local[*]"
    builder = SparkSession.builder.appName("bayleaf train")
    builder = builder.remote(master) if master.startswith("sc://") else builder.master(master)
    talk = "false" if options.quiet or options.json else "true"
    settings = {
        "spark.log.level": "ERROR",
        "spark.ui.showConsoleProgress": talk,
        "spark.sql.caseSensitive": "true",  # as names of columns are everywhere else
        "spark.sql.legacy.javaCharsets": "true",  # all that Java knows, not only UTF and Latin-1
    }
    try:
        if master.startswith("sc://"):  # Spark would try for ten minutes
            socket.create_connection((urlsplit(master).hostname or "", urlsplit(master).port or 15002), 10).close()
        return builder.config(map=settings).getOrCreate()
    except (PySparkException, Py4JJavaError, OSError, ValueError) as error:
        raise BayleafError(
            f"found no Spark at --master {master} ({str(error).splitlines()[0]}); expected a running cluster, and Java "
            "17 on this machine. Start it, or give another --master"
        ) from error
