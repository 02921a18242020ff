"""Parquet and Arrow files."""

import datetime as dt
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from bayleaf import DataError
from bayleaf.readers import open_source

TABLE = pa.table(
    {
        "n": pa.array([1, None, 3]),
        "text": pa.array(["a", "b", None]).dictionary_encode(),
        "day": pa.array([dt.date(2024, 5, 1)] * 3),
        "list": pa.array([[1, 2], None, []]),
    }
)


def write(table: Any, path: Path) -> None:
    if path.suffix == ".parquet":
        pa.parquet.write_table(table, path, row_group_size=2)
    elif path.suffix == ".feather":
        pa.feather.write_feather(table, path, compression="uncompressed")
    else:
        with pa.ipc.new_stream(path, table.schema) as stream:
            stream.write_table(table)


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.arrow"])
def test_values_come_back_as_plain_ones(tmp_path: Path, name: str) -> None:
    write(TABLE, tmp_path / name)
    with open_source(tmp_path / name) as source:
        (batch,) = source.batches()
    assert batch.columns == {
        "n": [1, None, 3],
        "text": ["a", "b", None],
        "day": ["2024-05-01"] * 3,
        "list": ["[1, 2]", None, "[]"],
    }
    assert list(batch.places) == [1, 2, 3]


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.arrow"])
def test_batches_are_bounded(tmp_path: Path, name: str) -> None:
    write(pa.table({"i": list(range(50_000)), "s": ["x" * 50] * 50_000}), tmp_path / name)
    with open_source(tmp_path / name) as source:
        sizes = [len(batch) for batch in source.batches(1 << 18)]
    assert sum(sizes) == 50_000
    assert max(sizes) < 10_000


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.arrow"])
def test_a_file_cut_short_is_refused(tmp_path: Path, name: str) -> None:
    write(pa.table({"i": list(range(5000))}), tmp_path / name)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2])
    with (
        pytest.raises(DataError, match=r"found a broken (parquet|arrow) file") as error,
        open_source(tmp_path / name) as source,
    ):
        list(source.batches())
    assert "\n" not in str(error.value)


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    write(table, tmp_path / "t.feather")
    with pytest.raises(DataError, match="two columns called 'a'"):
        open_source(tmp_path / "t.feather")


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(TABLE, tmp_path / "t.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DataError, match=r'pip install "bayleaf\[arrow\]"'):
        open_source(tmp_path / "t.parquet")
