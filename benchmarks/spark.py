"""bayleaf against Spark MLlib on one standalone cluster: same data, same run.

    python -m benchmarks.spark [--out FILE] [--times N]

Learned are the posts of 20 Newsgroups (training half, headers and all), repeated; judged are the same rows, and for the
accuracy the test half. One master and two workers of one core and 2 GB each run on this machine, 16 Parquet files are
16 partitions. Everybody has learned and judged a tenth of the posts before, so that classes are loaded and compiled and
Python workers run: "start" is how long that took, the other columns come after it. MLlib gets its labels as numbers,
which bayleaf makes of texts itself; judging gives a prediction and probabilities for every row, thrown away.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from pyarrow import parquet
from pyspark.ml import Pipeline
from pyspark.ml.classification import NaiveBayes
from pyspark.ml.feature import CountVectorizer, HashingTF, RegexTokenizer, Tokenizer
from pyspark.sql import SparkSession
from tests.spark.cluster import SparkCluster, environment

from bayleaf import TextClassifier
from bayleaf.spark import fit, transform
from benchmarks.corpora import Labelled, news
from benchmarks.report import setting

FILES, MEMORY = 16, "2g"
GOAL = 5
HEAD = ("pipeline", "start s", "fit s", "transform s", "both s", "accuracy", "times `words`", "times default")
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": MEMORY,
    "spark.executor.memory": MEMORY,
    "spark.sql.files.maxPartitionBytes": "256m",
    "spark.sql.files.openCostInBytes": "256m",
}


class Contender(NamedTuple):
    """`fit` makes a model of a data frame, `judge` adds the columns prediction and probability."""

    name: str
    fit: Callable[[Any], Any]
    judge: Callable[[Any, Any], Any]
    truth: str  # the column that the prediction is compared with


class Timed(NamedTuple):
    """Seconds and the share of right answers."""

    start: float
    fit: float
    transform: float
    accuracy: float

    @property
    def both(self) -> float:
        return self.fit + self.transform


def ours(name: str, classifier: TextClassifier) -> Contender:
    return Contender(
        name,
        lambda df: fit(df, text="text", label="label", classifier=classifier),
        lambda model, df: transform(df, model, text="text"),
        "label",
    )


def theirs(name: str, *stages: Any) -> Contender:
    pipeline = Pipeline(stages=[*stages, NaiveBayes(featuresCol="features", labelCol="number")])
    return Contender(
        name,
        pipeline.fit,
        lambda model, df: model.transform(df).select(*df.columns, "prediction", "probability"),
        "number",
    )


def contenders() -> list[Contender]:
    """bayleaf as MLlib does it (words of two letters and more, multinomial) and by default; then MLlib."""
    words = RegexTokenizer(inputCol="text", outputCol="words", pattern=r"\W+", minTokenLength=2)
    spaces = Tokenizer(inputCol="text", outputCol="words")
    hashed = HashingTF(inputCol="words", outputCol="features")
    counted = CountVectorizer(inputCol="words", outputCol="features")
    return [
        ours("bayleaf `words`, multinomial", TextClassifier("words", family="multinomial")),
        ours("bayleaf, default", TextClassifier()),
        theirs("MLlib RegexTokenizer, HashingTF, NaiveBayes", words, hashed),
        theirs("MLlib RegexTokenizer, CountVectorizer, NaiveBayes", words, counted),
        theirs("MLlib Tokenizer, HashingTF, NaiveBayes", spaces, hashed),
    ]


def write(folder: Path, rows: Labelled, times: int) -> None:
    """Parquet files of text, label and its number."""
    folder.mkdir()
    names = sorted({label for label, _ in rows})
    for n in range(FILES):
        labels, texts = zip(*(rows * times)[n::FILES], strict=True)
        numbers = [float(names.index(label)) for label in labels]
        table = pa.table({"text": texts, "label": labels, "number": numbers})
        parquet.write_table(table, folder / f"{n:02}.parquet", compression="lz4")


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    found = work()
    return time.perf_counter() - started, found


def measured(spark: Any, folder: Path, contender: Contender) -> Timed:
    few, many, test = (spark.read.parquet(str(folder / name)) for name in ("few", "many", "test"))

    def judged(model: Any, df: Any) -> Any:
        return contender.judge(model, df).write.format("noop").mode("overwrite").save()

    start, _ = seconds(lambda: judged(contender.fit(few), few))
    fit, model = seconds(lambda: contender.fit(many))
    transform, _ = seconds(lambda: judged(model, many))
    answers = contender.judge(model, test)
    right = answers.where(answers["prediction"] == answers[contender.truth]).count()
    return Timed(start, fit, transform, right / test.count())


def rows(spark: Any, folder: Path) -> list[tuple[str, ...]]:
    """One row per contender; ratios are end to end, against the two of ours."""
    table: list[tuple[str, ...]] = []
    own: list[Timed] = []
    for contender in contenders():
        found = measured(spark, folder, contender)
        if len(own) < 2:
            own.append(found)
        ratios = [found.both / one.both for one in own]
        shown = ["", ""] if len(table) < 2 else [f"{ratio:.1f}" for ratio in ratios]
        numbers = (f"{value:.1f}" for value in (found.start, found.fit, found.transform, found.both))
        table.append((contender.name, *numbers, f"{found.accuracy:.2%}", *shown))
        print(" | ".join(table[-1]), flush=True)
    return table


def session(url: str) -> Any:
    builder = SparkSession.builder.master(url).appName("bayleaf benchmark")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    name = f"{datetime.now(UTC):%Y-%m-%d}-spark-{platform.machine()}.md"
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / name)
    parser.add_argument("--times", type=int, default=40, help="how often the posts are repeated")
    options = parser.parse_args()
    os.environ.update(environment())
    with tempfile.TemporaryDirectory() as place, SparkCluster(MEMORY) as cluster:
        posts = news("train")
        for part, some, times in (("few", posts[::10], 1), ("many", posts, options.times), ("test", news("test"), 1)):
            write(Path(place, part), some, times)
        spark = session(cluster.url)
        table = rows(spark, Path(place))
        spark.stop()
    size = options.times * sum(len(text) for _, text in posts) / 1e6
    about = (__doc__ or "").split("\n\n")[2].strip()
    lines = [
        *("# On a cluster, against Spark MLlib", "", setting(), "", about, ""),
        f"{options.times * len(posts):,} documents, {size:.0f} MB of text. Goal: {GOAL} times faster end to end "
        "(the last two columns), accuracy at least equal.",
        "",
        "| " + " | ".join(HEAD) + " |",
        "|" + "---|" * len(HEAD),
        *("| " + " | ".join(row) + " |" for row in table),
        "",
    ]
    options.out.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
