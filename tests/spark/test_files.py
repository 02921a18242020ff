"""Files of any make give the model, or the refusal, of one machine; one Spark reads them all."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed; `make test-spark` installs it")

import pyarrow as pa
from pyarrow import parquet

from bayleaf.archive import Archive
from bayleaf.cli.desk import engine, files, train
from bayleaf.errors import BayleafError

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]  # Spark warns of pandas 3 at every turn

ROWS = [(f"{text} {n}", n * 1.5, label) for n in range(12) for text, label in (("win money", "spam"), ("noon", "ham"))]
HEAD = "note,size,label\n"
TABLE = HEAD + "".join(f"{note},{size},{label}\n" for note, size, label in ROWS)
Made = dict[str, bytes]


def table(cell: Callable[[int], str], delimiter: str = ",") -> bytes:
    """A table whose second column is written in some way."""
    lines = [HEAD.strip().split(","), *([note, cell(n), label] for n, (note, _, label) in enumerate(ROWS))]
    return "".join(delimiter.join(line) + "\n" for line in lines).encode()


def objects(cell: Callable[[int], Any], label: Callable[[int], Any] = lambda n: ROWS[n][2]) -> bytes:
    """Objects whose second value is written in some way."""
    lines = [{"note": note, "size": cell(n), "label": label(n)} for n, (note, _, _) in enumerate(ROWS)]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def columns(**changed: Any) -> bytes:
    """A Parquet file."""
    note, size, label = map(list, zip(*ROWS, strict=True))
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table({"note": note, "size": size, "label": label, **changed}), sink)
    return sink.getvalue().to_pybytes()


CASES: dict[str, Made] = {
    "Excel's first line": {"a.csv": b"sep=;\n" + TABLE.replace(",", ";").encode()},
    "semicolons and decimal commas": {"a.csv": table(lambda n: f"{n},5", ";")},
    "tabs": {"a.csv": TABLE.replace(",", "\t").encode()},
    "money": {"a.csv": table(lambda n: f'"${n + 1},000.50"')},
    "percent and gaps": {"a.csv": table(lambda n: "n/a" if n % 5 == 0 else f"{n}.5%")},
    "UTF-16": {"a.csv": TABLE.encode("utf-16"), "b.csv": b"\xfe\xff" + TABLE.encode("utf-16-be")},
    "UTF-16, packed": {"a.csv.gz": gzip.compress(b"\xfe\xff" + TABLE.encode("utf-16-be"))},
    "windows-1252": {"a.csv": TABLE.replace("win", "wÿn").encode("cp1252")},
    "packed": {"a.csv.bz2": bz2.compress(TABLE.encode()), "b.csv.xz": lzma.compress(TABLE.encode())},
    "packed under another name": {"a.csv": gzip.compress(TABLE.encode())},
    "lines in quotes, blank lines, no end": {"a.csv": b"\n" + table(lambda n: f'"{n}\r\n\n ""x"""').rstrip()},
    "delimiters at the ends of lines": {"a.csv": TABLE.replace("\n", ",\n").encode()},
    "labels with odd space, and none": {
        "a.csv": TABLE.replace(",ham", ",\u3000ham\u00a0").encode() + b"a,1,\xc2\xa0\n"
    },
    "two names": {"a.csv": b"note,note,label\na,b,c\n"},
    "a short line": {"a.csv": TABLE.encode() + b"milk\n"},
    "a word among numbers": {"a.csv": table(lambda n: "oops" if n == 23 else f"{n}.5")},
    "a zero character": {"a.csv": TABLE.replace("win", "w\0n").encode()},
    "a name that is a pattern": {"a[1].csv": TABLE.encode()},
    "other columns": {"a.csv": TABLE.encode(), "b.csv": TABLE.replace("size", "width").encode()},
    "kinds by the first file": {"a.csv": table(lambda n: str(n % 3)), "b.csv": table(lambda n: f"{n % 3}.0")},
    "values of many types": {"a.jsonl": objects(lambda n: [1, "a", 2.5, True, None, ["é"], {"z": 1}][n % 7])},
    "labels of many types": {"a.jsonl": objects(lambda n: n, lambda n: [1, 1.0, "1", True, None][n % 5])},
    "half a sign": {"a.jsonl": objects(lambda n: f"say \ud83d {n} times")},
    "a line that is no object": {"a.jsonl": objects(lambda n: n) + b"3\n"},
    "text of two formats": {"a.csv": TABLE.encode(), "b.jsonl": objects(lambda n: ROWS[n][1])},
    "fractions for labels": {"a.parquet": columns(label=pa.array([0.1, 1e22] * 12, pa.float32()))},
    "times, lists and bytes": {
        "a.parquet": columns(
            when=pa.array([datetime(2026, 11, 1 + n % 5, 10) for n in range(24)], pa.timestamp("us", "UTC")),
            some=[["a", "é"][: n % 3] for n in range(24)],
            raw=[b"a", b"\xff"] * 12,
        )
    },
    "a column of the name that Spark gives": {
        "a.parquet": columns(file_path=["x", "y"] * 12, row_index=["x", "y"] * 12)
    },
}


def told(monkeypatch: pytest.MonkeyPatch, spark: Any, words: list[str], output: Path) -> tuple[Any, ...]:
    """What a command writes, or says when it refuses; Spark goes on for the next."""
    monkeypatch.setattr(engine, "session", lambda _: spark)
    monkeypatch.setattr(type(spark), "stop", lambda _: None)
    try:
        model, facts = (engine if "spark" in words else train).learned(train.arguments().options(words))
    except BayleafError as error:
        return type(error), str(error)
    model.save(output)
    return Archive.read(output).hash, facts, model.guesses_


@pytest.mark.parametrize("made", CASES.values(), ids=CASES)
def test_the_model_is_that_of_one_machine(
    made: Made, spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "FIRST", 4)
    for name, content in made.items():
        (tmp_path / name).write_bytes(content)
    when = ["--columns", "when=category"] if b"when" in next(iter(made.values())) else []
    words = [*(str(tmp_path / name) for name in made), "-o", str(tmp_path / "m.bayleaf"), "-q", *when]
    here = told(monkeypatch, spark, words, tmp_path / "here")
    there = told(monkeypatch, spark, [*words, "--engine", "spark"], tmp_path / "there")
    assert there == here
