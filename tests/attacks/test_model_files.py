"""Model files made by somebody else: refused in words, or a model that works. Nothing in them is ever run."""

from __future__ import annotations

import json
import os
import pickle
import stat
import struct
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from models import FITTED, example, refused

import bayleaf
from bayleaf import BayleafError
from bayleaf.archive.archive import FORMAT, HEADER, Archive

pytestmark = pytest.mark.timeout(120)  # a pipe must not block, nor a header that has no end
NAME = {"format": FORMAT, "kind": "GaussianNB", "about": {}, "provenance": {}, "checksum": ""}


@cache
def whole(name: str) -> bytes:
    """The bytes of a right file."""
    with tempfile.TemporaryDirectory() as folder:
        example(name).model.save(folder + "/model")
        return Path(folder, "model").read_bytes()


def tensors(header: Any, body: bytes = b"", length: int | None = None) -> bytes:
    """A file in the layout of safetensors, right or wrong."""
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(head) if length is None else length) + head + body


def one(**changes: Any) -> dict[str, Any]:
    """A header with one tensor of two floats."""
    entry = {"dtype": "F64", "shape": [2], "data_offsets": [0, 16], **changes}
    return {"__metadata__": {"bayleaf": json.dumps(NAME)}, "a": entry}


def two(first: list[int], second: list[int]) -> dict[str, Any]:
    both = {name: {"dtype": "F64", "shape": [2], "data_offsets": at} for name, at in (("a", first), ("b", second))}
    return {"__metadata__": {"bayleaf": json.dumps(NAME)}, **both}


def noted(text: str) -> dict[str, Any]:
    return {"__metadata__": {"bayleaf": text}}


DEEP = "[" * 1_000_000
LAYOUTS: dict[str, bytes] = {
    "empty": b"",
    "seven bytes": b"1234567",
    "no header": struct.pack("<Q", 0),
    "endless header": struct.pack("<Q", 2**64 - 1) + b"{}",
    "header of 2^63": struct.pack("<Q", 2**63) + b"{}",
    "header of 100 MB that is not there": struct.pack("<Q", 100_000_000) + b"{}",
    "header one byte too long": tensors(b"{}", length=3),
    "header one byte too short": tensors(one(), b"\0" * 16, length=len(json.dumps(one())) - 1),
    "not UTF-8": tensors(b'{"\xff\xfe": {}}'),
    "no JSON": tensors(b"{'a': 1}"),
    "a list": tensors(b"[]"),
    "a million brackets": tensors(DEEP.encode()),
    "a million brackets inside": tensors(noted(DEEP)),
    "a million objects inside": tensors(noted('{"a":' * 1_000_000)),
    "a number of a million digits": tensors(noted("9" * 1_000_000)),
    "a number beyond all numbers": tensors(noted(json.dumps({**NAME, "about": {"a": 0}}).replace("0}", "1e999}"))),
    "NaN inside": tensors(noted('{"format": NaN}')),
    "a name twice": tensors(noted('{"format": "bayleaf model 1", "format": "bayleaf model 1"}')),
    "not ours": tensors({"a": {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]}}, b"\0" * 16),
    "two entries": tensors({"__metadata__": {"bayleaf": json.dumps(NAME), "more": "x"}}),
    "an entry that is no text": tensors({"__metadata__": {"bayleaf": {}}}),
    "another format": tensors(noted(json.dumps({**NAME, "format": "bayleaf model 2"}))),
    "a format that is no text": tensors(noted(json.dumps({**NAME, "format": ["x"] * 1000}))),
    "a list inside": tensors(noted("[]")),
    "kind missing": tensors(noted(json.dumps({k: v for k, v in NAME.items() if k != "kind"}))),
    "about is a list": tensors(noted(json.dumps({**NAME, "about": []}))),
    "provenance of numbers": tensors(noted(json.dumps({**NAME, "provenance": {"rows": 3}}))),
    "more beside": tensors(noted(json.dumps({**NAME, "code": "import os"}))),
    "wrong checksum": tensors(one(), b"\0" * 16),
    "offset beyond the end": tensors(one(data_offsets=[0, 1 << 40], shape=[1 << 37]), b"\0" * 16),
    "offsets backwards": tensors(one(data_offsets=[16, 0]), b"\0" * 16),
    "negative offset": tensors(one(data_offsets=[-16, 0]), b"\0" * 16),
    "offsets of fractions": tensors(one(data_offsets=[0.0, 16.0]), b"\0" * 16),
    "offsets that overflow": tensors(one(data_offsets=[0, 2**64 - 1]), b"\0" * 16),
    "overlapping": tensors(two([0, 16], [8, 24]), b"\0" * 24),
    "the same place twice": tensors(two([0, 16], [0, 16]), b"\0" * 16),
    "a hole": tensors(two([0, 16], [24, 40]), b"\0" * 40),
    "bytes left over": tensors(one(), b"\0" * 17),
    "too few bytes": tensors(one(), b"\0" * 15),
    "shape too large": tensors(one(shape=[3]), b"\0" * 16),
    "shape that overflows": tensors(one(shape=[2**32, 2**33]), b"\0" * 16),
    "shape of nothing times everything": tensors(one(shape=[0, 2**63], data_offsets=[0, 0])),
    "negative shape": tensors(one(shape=[-2]), b"\0" * 16),
    "unknown type": tensors(one(dtype="F65"), b"\0" * 16),
    "a type that numpy lacks": tensors(one(dtype="BF16", shape=[8]), b"\0" * 16),
    "a type of four bits": tensors(one(dtype="F4", shape=[32]), b"\0" * 16),
    "many dimensions": tensors(one(shape=[1] * 200 + [2]), b"\0" * 16),
    "a zip file": b"PK\x03\x04" + b"\0" * 100,
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_wrong_layouts(name: str, tmp_path: Path) -> None:
    path = tmp_path / "model"
    path.write_bytes(LAYOUTS[name])
    refused(path)


def test_a_header_that_is_really_huge(tmp_path: Path) -> None:
    path = tmp_path / "model"
    with path.open("wb") as file:
        file.write(struct.pack("<Q", 100_000_000))
        file.truncate(200_000_000)  # takes no room on the disk
    refused(path, f"at most {HEADER} are allowed")


def test_a_header_that_save_would_not_write_either(tmp_path: Path) -> None:
    path = tmp_path / "model"
    bayleaf.PoissonNB().fit([[1], [2]], ["a", "b"]).save(path)
    before = path.read_bytes()
    with pytest.raises(BayleafError, match="at most"):
        Archive("x", {"labels": "x" * HEADER}, {}).write(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", FITTED)
def test_a_file_cut_short_anywhere(name: str, tmp_path: Path) -> None:
    data, path = whole(name), tmp_path / "model"
    (length,) = struct.unpack("<Q", data[:8])
    places = {0, 1, 7, 8, 9, 8 + length // 2, 7 + length, 8 + length, 9 + length, len(data) - 1}
    for place in sorted(places | set(range(0, len(data), max(1, len(data) // 50)))):
        path.write_bytes(data[:place])
        refused(path)


def test_an_error_says_nothing_that_a_terminal_obeys(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07"
    for number, data in enumerate(
        [
            tensors({**one(), evil: {"dtype": evil, "shape": [1], "data_offsets": [0, 1]}}),
            tensors(noted(json.dumps({**NAME, "format": evil}))),
            tensors(noted(json.dumps({**NAME, "kind": evil}))),
        ]
    ):
        path = tmp_path / str(number)
        path.write_bytes(data)
        with pytest.raises(BayleafError) as caught:
            bayleaf.load(path)
        assert str(caught.value).isprintable()


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> Any:
            return (Path.touch, (tmp_path / "touched",))

    for data in (pickle.dumps(Trap()), tensors(noted("cos\nsystem\n(S'true'\ntR."))):
        (tmp_path / "model").write_bytes(data)
        refused(tmp_path / "model")
    assert not (tmp_path / "touched").exists()


# what is no file


def test_things_that_are_no_files(tmp_path: Path) -> None:
    refused(tmp_path, "folder, pipe or device")
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", "folder, pipe or device")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    refused(tmp_path / "loop", "not a model file")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    refused(tmp_path / "dangling", "is not there")
    (tmp_path / "endless").symlink_to("/dev/zero")
    refused(tmp_path / "endless", "folder, pipe or device")
    refused(tmp_path / "model" / "below", "is not there")


def test_a_link_to_a_file_is_as_good_as_the_file(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(whole("PoissonNB"))
    (tmp_path / "link").symlink_to("model")
    again = bayleaf.load(tmp_path / "link")
    again.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert bayleaf.load(tmp_path / "model").classes_.tolist() == again.classes_.tolist()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(whole("PoissonNB"))
    (tmp_path / "model").chmod(0)
    refused(tmp_path / "model", "Permission denied")


@given(data=st.data())
def test_damage_is_noticed(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Bytes changed, left out or put in: refused, or the answers are the same to the last bit."""
    name = data.draw(st.sampled_from(sorted(FITTED)))
    right = whole(name)
    place = data.draw(st.one_of(st.integers(0, 16), st.integers(0, len(right) - 1)))
    edit = data.draw(st.sampled_from(["flip", "cut", "insert", "swap"]))
    some = data.draw(st.binary(min_size=1, max_size=9))
    damaged = {
        "flip": right[:place] + bytes([right[place] ^ (some[0] or 1)]) + right[place + 1 :],
        "cut": right[:place] + right[place + len(some) :],
        "insert": right[:place] + some + right[place:],
        "swap": right[place:] + right[:place],
    }[edit]
    path = tmp_path_factory.mktemp("damaged") / "model"
    path.write_bytes(damaged)
    try:
        again = bayleaf.load(path)
    except BayleafError:
        return
    np.testing.assert_array_equal(again.predict_proba(example(name).X), example(name).asked)


def test_the_mode_of_a_file_stays(tmp_path: Path) -> None:
    path, model = tmp_path / "model", example("PoissonNB").model
    model.save(path)
    (tmp_path / "other").touch()
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode
    path.chmod(0o640)
    model.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
