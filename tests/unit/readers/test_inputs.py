"""Standard input, pipes, packed files, and files that are something else."""

import bz2
import gzip
import io
import lzma
import os
import pickle
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from bayleaf import DataError
from bayleaf.readers import open_source

CSV = b"a,b\n" + b"".join(b"%d,%s\n" % (i, b"x" * 40) for i in range(20_000))
PACK: list[Callable[[bytes], bytes]] = [bytes, gzip.compress, bz2.compress, lzma.compress]


@pytest.mark.parametrize("pack", PACK)
def test_standard_input(pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(pack(CSV))))
    with open_source("-") as source:
        batches = list(source.batches(1 << 18))
    assert len(batches) > 1
    assert [value for batch in batches for value in batch.columns["a"]] == [str(i) for i in range(20_000)]
    assert batches[-1].places[-1] == 20_001


@pytest.mark.parametrize("pack", PACK)
def test_files_can_be_read_again(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(pack(CSV))
    with open_source(path) as source:
        first, second = (sum(len(batch) for batch in source.batches()) for _ in range(2))
    assert first == second == 20_000


def test_a_named_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(CSV,))
    writer.start()
    with open_source(path) as source:
        assert not source.rereadable
        assert sum(len(batch) for batch in source.batches()) == 20_000
    writer.join()


@pytest.mark.parametrize("pack", PACK[1:])
@pytest.mark.parametrize("damage", ["cut", "garbled"])
def test_broken_packing_is_refused(pack: Callable[[bytes], bytes], damage: str, tmp_path: Path) -> None:
    packed = bytearray(pack(CSV))
    if damage == "cut":
        packed = packed[: len(packed) // 2]
    else:
        packed[len(packed) // 2 : len(packed) // 2 + 40] = b"?" * 40
    path = tmp_path / "data.csv.gz"
    path.write_bytes(packed)
    with pytest.raises(DataError, match=r"data\.csv\.gz") as error, open_source(path) as source:
        list(source.batches())
    assert "broken" in str(error.value) or "not UTF-8" in str(error.value)


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (b"\x89PNG\r\n\x1a\n", "looks like a PNG image"),
        (b"PK\x03\x04", "looks like a ZIP archive or an Office document.*; unpack it, or save the table in it as CSV"),
        (b"SQLite format 3\0", "looks like an SQLite database"),
        (pickle.dumps([0] * 100, protocol=5), "looks like a Python pickle"),
        (save({"n": np.zeros(9)}, {"bayleaf": "{}"}), "looks like a model.*; name the file of the rows here"),
        (bytes(range(32)) * 100, "looks like binary data"),
        ("text,label\na,b\n".encode("utf-16-le") * 20, "if it is text, name its encoding, as utf-16-le"),
    ],
)
def test_files_that_are_something_else(start: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(start + b"\0" * 100)
    with pytest.raises(DataError, match=words):
        open_source(path)


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="found nothing there"):
        open_source(tmp_path / "none.csv")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_what_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(CSV)
    path.chmod(0)
    with pytest.raises(DataError, match="cannot be read"):
        open_source(path)
