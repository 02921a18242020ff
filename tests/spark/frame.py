"""Frame: as much of a Spark data frame as `fit` asks for, in this process, so that laws can be tried many times.

What Spark itself does with it is tried in test_local.py, test_connect.py and test_cluster.py.
"""

import pickle
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa
from pyspark import cloudpickle

from bayleaf.spark import partial

TYPES = {pa.string(): "string", pa.int64(): "bigint", pa.float64(): "double", pa.bool_(): "boolean"}


class Frame:
    sparkSession: Any = None  # noqa: N815 - Spark's name
    isStreaming = False  # noqa: N815

    def __init__(self, partitions: list[pa.Table]) -> None:
        self.partitions = partitions

    @property
    def columns(self) -> list[str]:
        return self.partitions[0].column_names

    @property
    def schema(self) -> Any:
        def field(one: pa.Field) -> Any:
            name = TYPES.get(one.type, str(one.type))
            return SimpleNamespace(name=one.name, dataType=SimpleNamespace(simpleString=lambda: name))

        return SimpleNamespace(fields=[field(one) for one in self.partitions[0].schema])

    def __getattr__(self, name: str) -> Any:
        """A column, as an array that counts like one of Spark."""
        return np.array([value for part in self.partitions for value in part[name].to_pylist()], dtype=np.int64)

    def __getitem__(self, name: str) -> Any:
        return SimpleNamespace(isNotNull=lambda: plain(name))

    def where(self, name: str) -> "Frame":
        return Frame([part.filter(part[name].is_valid()) for part in self.partitions])

    def select(self, *names: str) -> "Frame":
        return Frame([part.select(list(map(plain, names))) for part in self.partitions])

    def toDF(self, *names: str) -> "Frame":  # noqa: N802 - Spark's name
        return Frame([part.rename_columns(list(names)) for part in self.partitions])

    def limit(self, count: int) -> "Frame":
        return Frame([self.toArrow().slice(0, count)])

    def toArrow(self) -> pa.Table:  # noqa: N802 - Spark's name
        return pa.concat_tables(self.partitions)

    def mapInArrow(self, function: Callable[..., Iterator[pa.RecordBatch]], _: str) -> "Frame":  # noqa: N802
        schema = pa.schema([("shard", pa.int32()), ("payload", pa.binary())])
        made = []
        for number, part in enumerate(self.partitions):
            with mock.patch.object(partial, "_partition", lambda number=number: number):
                there = pickle.loads(cloudpickle.dumps(function))  # as Spark sends it to its workers
                made.append(pa.Table.from_batches(there(iter(part.to_batches(max_chunksize=7))), schema))
        return Frame(made)

    def repartitionById(self, count: int, places: Any) -> "Frame":  # noqa: N802
        rows = self.toArrow()
        return Frame([rows.filter(pa.array(places == place)) for place in range(count)])

    def toLocalIterator(self, prefetchPartitions: bool) -> Iterator[tuple[Any, ...]]:  # noqa: N802
        for row in self.toArrow().to_pylist():
            yield tuple(row.values())


def plain(name: str) -> str:
    """The name that Spark reads between backticks."""
    assert name[0] == name[-1] == "`", f"{name} is quoted"
    return name[1:-1].replace("``", "`")


def frame(columns: dict[str, list[Any]], parts: list[int]) -> Frame:
    """Row i in partition ``parts[i]``."""
    whole = pa.table(columns)
    places = np.array(parts)
    return Frame([whole.filter(pa.array(places == part)) for part in range(max(parts, default=0) + 1)])
