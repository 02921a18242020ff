"""Any partitioning gives the model of one machine."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("pyspark", reason="pyspark is not installed; `make test-spark` installs it")

from spark.frame import frame

import bayleaf
from bayleaf import RecordClassifier, TextClassifier
from bayleaf.spark import fit, partial, piece, retained, summary
from bayleaf.store.archive import Archive

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning")]

WORDS = "tea milk sugar rain snow wind noon lunch late early".split()
texts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
rows = st.lists(st.tuples(texts, st.sampled_from("abc"), st.integers(0, 5)), min_size=1, max_size=40)


def parted(some: list[tuple[str, str, int]]) -> tuple[list[str], list[str], Any]:
    body, kind, parts = (list(column) for column in zip(*some, strict=True))
    return body, kind, frame({"body": body, "kind": kind}, parts)


@given(rows, st.sampled_from([1, 3, 8]))
@settings(max_examples=25, deadline=None)
def test_any_partitioning_gives_the_file_of_one_machine(some: Any, shards: int) -> None:
    body, kind, df = parted(some)
    assert fit(df, text="body", label="kind", shards=shards)._archive().hash == (
        TextClassifier().fit(body, kind)._archive().hash
    )
