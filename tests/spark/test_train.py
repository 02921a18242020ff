"""`bayleaf train --engine spark` writes the model that `bayleaf train` writes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from desk import ROWS, bayleaf, write_rows
from spark.cluster import environment
from spark.same import assert_near

from bayleaf.archive import Archive

pytest.importorskip("pyspark", reason="pyspark is not installed; `make test-spark` installs it")
pytestmark = pytest.mark.spark


def trained(output: Path, *words: str) -> dict[str, object]:
    """What training says in JSON."""
    done = bayleaf("train", *words, "--json", "-o", str(output), **environment())
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def assert_alike(one: Path, other: Path) -> None:
    """Keys and counts are equal, moments to 1e-12: their sums have roundings."""
    a, b = Archive.read(one), Archive.read(other)
    assert sorted(a.arrays) == sorted(b.arrays)
    for name, array in a.arrays.items():
        if array.dtype.kind == "f":
            np.testing.assert_allclose(b.arrays[name], array, rtol=1e-12, err_msg=name)
        else:
            np.testing.assert_array_equal(b.arrays[name], array, err_msg=name)


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_the_model_is_that_of_one_machine(kind: str, tmp_path: Path) -> None:
    import polars as pl

    files = [write_rows(tmp_path / f"{n}.csv", times=n) for n in (3, 9)]
    if kind != "csv":
        for n, file in enumerate(files):
            table = pl.read_csv(file)
            files[n] = file.with_suffix(f".{kind}")
            (table.write_parquet if kind == "parquet" else table.write_ndjson)(files[n])
    words = [*map(str, files), "--label", "team", "--columns", "waited=number"]
    here = trained(tmp_path / "here.bayleaf", *words)
    there = trained(tmp_path / "there.bayleaf", *words, "--engine", "spark", "--master", "local[2]")
    assert_near({**here, "model": "", "bytes": 0}, {**there, "model": "", "bytes": 0})
    assert_alike(tmp_path / "here.bayleaf", tmp_path / "there.bayleaf")


def test_names_and_orders_of_columns_are_those_of_one_machine(tmp_path: Path) -> None:
    first, rest = tmp_path / "first.csv", tmp_path / "rest.csv"
    first.write_text("mail.body, Body ,,the.kind\n" + "win money,red,s,spam\nlunch at noon,blue,n,ham\n" * 9)
    rest.write_text("the.kind,mail.body,Body,column_3\n" + "spam,cheap offer,red,s\nham,see you,blue,n\n" * 9)
    words = [str(first), str(rest), "--label", "the.kind", "--columns", "mail.body=text"]
    assert trained(tmp_path / "here.bayleaf", *words)["columns"] == {
        "mail.body": "text",
        "Body": "category",
        "column_3": "category",
    }
    trained(tmp_path / "there.bayleaf", *words, "--engine", "spark", "--master", "local[2]")
    assert Archive.read(tmp_path / "here.bayleaf").hash == Archive.read(tmp_path / "there.bayleaf").hash


def test_labels_that_are_no_texts_are_those_of_one_machine(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    lines = [f'{{"text": "{text} café", "label": {label}}}\n' for text, label in (("yes", "true"), ("no", "false"))]
    file.write_text("".join(lines * 9), encoding="cp1252")
    words = [str(file), "--encoding", "cp1252"]
    assert trained(tmp_path / "here.bayleaf", *words)["labels"] == {"False": 9, "True": 9}
    trained(tmp_path / "there.bayleaf", *words, "--engine", "spark", "--master", "local[2]")
    assert Archive.read(tmp_path / "here.bayleaf").hash == Archive.read(tmp_path / "there.bayleaf").hash


def test_what_spark_refuses_is_told_by_line(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_bytes(b"text,label\ntea,a\nmilk\n")
    asked = [str(tmp_path / "rows.csv"), "--engine", "spark", "--master", "local[2]", "-o", str(tmp_path / "m.bayleaf")]
    done = bayleaf("train", *asked, "--columns", "text=text", **environment())
    assert done.returncode == 1
    assert "rows.csv, line 3: found 1 fields, expected 2" in done.stderr
    assert "Traceback" not in done.stderr
    assert "fault of ours" not in done.stderr


def test_onto_adds_and_rows_without_a_label_are_told(tmp_path: Path) -> None:
    first, rest = write_rows(tmp_path / "first.csv"), write_rows(tmp_path / "rest.csv", times=7)
    with rest.open("a") as file:
        file.write("a letter without a label,web,3,\na letter with room,web,3,  billing \n")
    both = ["--columns", "message=text", "channel=category", "waited=number"]
    trained(tmp_path / "first.bayleaf", str(first), "--label", "team", *both)
    words = [str(rest), "--label", "team", "--onto", str(tmp_path / "first.bayleaf")]
    here = trained(tmp_path / "here.bayleaf", *words)
    there = trained(tmp_path / "there.bayleaf", *words, "--engine", "spark")
    assert (there["rows"], there["unlabelled"], there["labels"]) == (7 * len(ROWS) + 1, 1, here["labels"])
    assert_alike(tmp_path / "here.bayleaf", tmp_path / "there.bayleaf")


def test_what_spark_cannot_read_is_refused_in_one_line(tmp_path: Path) -> None:
    done = bayleaf("train", "lost.parquet", "--engine", "spark", "-o", str(tmp_path / "m.bayleaf"), **environment())
    assert done.returncode == 1
    assert "bayleaf: Spark refused:" in done.stderr
    assert "lost.parquet" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("master", "changed"),
    [("local[2]", {"PATH": "/nowhere", "JAVA_HOME": "/nowhere"}), ("sc://127.0.0.1:1", {}), ("sc://127.0.0.1:x", {})],
)
def test_no_spark_is_told_in_one_line(master: str, changed: dict[str, str], tmp_path: Path) -> None:
    words = [str(write_rows(tmp_path / "rows.csv")), "--engine", "spark", "--master", master]
    done = bayleaf("train", *words, "-o", str(tmp_path / "m.bayleaf"), **{**environment(), **changed})
    assert done.returncode == 1
    assert f"found no Spark at --master {master}" in done.stderr
    assert "fault of ours" not in done.stderr
