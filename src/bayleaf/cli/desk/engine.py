"""bayleaf train --engine spark: the same training, on a cluster."""

from __future__ import annotations

import os
import re
import socket
import sys
import warnings
from argparse import Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bayleaf.cli.desk.rows import (
    codes_of,
    grown,
    kinds,
    located,
    reasoned,
    refuse_other_kinds,
    tell,
    tell_unlabelled,
    written,
)
from bayleaf.cli.parser import Parser
from bayleaf.errors import BayleafError
from bayleaf.readers.kind import by_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FORMATS = {"parquet": "parquet", "csv": "csv", "tsv": "tsv", "jsonl": "json"}
EXPECTED = "expected Parquet, CSV, TSV or JSON Lines"


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
    from py4j.protocol import Py4JJavaError  # noqa: PLC0415 - an extra
    from pyspark.errors import PySparkException  # noqa: PLC0415

    try:
        model, unlabelled = counted(spark, kind == "parquet", options, onto)
    except (PySparkException, Py4JJavaError) as error:
        raise BayleafError(reason(str(error))) from error
    finally:
        spark.stop()
    tell_unlabelled(unlabelled, options)
    rows = int(model.class_count_.sum() - (onto.class_count_.sum() if onto else 0))
    found = grown(Face(onto).counts() if onto else {}, Face(model).counts())
    return model, {"rows": rows, "unlabelled": unlabelled, **found}


def counted(spark: SparkSession, parquet: bool, options: Namespace, onto: Any) -> tuple[Any, int]:
    """The model, and how many rows had no label: what columns hold is found out here, tasks do the rest."""
    from bayleaf.cli.desk.files import WHOLE, Files, handed  # noqa: PLC0415 - an extra
    from bayleaf.records import RecordClassifier  # noqa: PLC0415
    from bayleaf.spark.fit import learned  # noqa: PLC0415
    from bayleaf.spark.plan import Plan, guessed, learnable  # noqa: PLC0415

    for name, value in WHOLE.items():
        spark.conf.set(name, value)
    df = handed(spark, parquet, options.data)
    files = Files.of(options, df.columns[2:] if parquet else None)
    codes, wanted = codes_of(onto), onto
    if onto is None:
        source, label, rows, _ = files.begun(spark)
        codes = written(source, label)
        if not options.quiet and not options.json:
            tell(source, [source.format, *source.notes])
        wanted = RecordClassifier(columns=kinds(rows, options))
        with located(rows, given=True):
            guesses = guessed(wanted, rows.columns)
    else:
        guesses = onto.guesses_
    if parquet:  # its files can be cut, and small ones read together
        for name in WHOLE:
            spark.conf.unset(name)
    plan = Plan.of_records(df, replace(files, kinds=learnable(guesses), codes=codes), wanted, guesses)
    model, unlabelled = learned(plan, onto, None)
    reasoned(model, codes)
    return model, unlabelled


def reason(said: str) -> str:
    """What is wrong, of a hundred lines that Spark says: the first one with a code."""
    coded = re.findall(r"\[[A-Z_]+(?:\.[A-Z_]+)*\] .+", said)
    return f"Spark refused: {(coded or said.splitlines())[0]}"


def kind_of(options: Namespace) -> str:
    """The format of the files, by their names or as it was given; Spark reads Parquet or text, not both at once."""
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
    if len(set(kinds.values())) > 1 and "parquet" in kinds.values():
        found = ", ".join(sorted(set(kinds.values())))
        raise BayleafError(
            f"found files of several formats ({found}); expected one for --engine spark. Train on one, then on the "
            "others with --onto"
        )
    return next(iter(kinds.values()))


def ending(path: str) -> str:
    """The format that the name of a file or a folder of files tells."""
    return FORMATS.get(by_name(path.rstrip("/").lower().removesuffix(".zst")), "")  # which Spark unpacks too


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
        "spark.sql.session.timeZone": "UTC",  # as times are written where a file does not say it
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
