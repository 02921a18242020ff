"""Model files made by somebody else: refused in words, or a model that works. Nothing in them is ever run."""

from __future__ import annotations

import json
import os
import pickle
import stat
import struct
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from models import FITTED, example

import bayleaf
from bayleaf import BayleafError
from bayleaf.store.archive import FORMAT, HEADER, Archive

pytestmark = pytest.mark.timeout(120)  # a pipe must not block, nor a header that has no end
NAME = {"format": FORMAT, "kind": "GaussianNB", "about": {}, "provenance": {}, "checksum": ""}


@cache
def whole(name: str) -> bytes:
    """The bytes of a right file."""
    with tempfile.TemporaryDirectory() as folder:
        example(name).model.save(folder + "/model")
        return Path(folder, "model").read_bytes()


def refused(path: Path, words: str | None = None) -> None:
    with pytest.raises(BayleafError, match=words) as caught:
        bayleaf.load(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 1000


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


# right checksums, wrong contents


def zeroed(array: np.ndarray, value: Any) -> np.ndarray:
    changed = array.copy()
    changed.flat[0] = value
    return changed


Change = Callable[[Archive], Archive]


def about(**changes: Any) -> Change:
    return lambda archive: replace(archive, about={**archive.about, **changes})


def parameter(**changes: Any) -> Change:
    return lambda archive: about(parameters={**archive.about["parameters"], **changes})(archive)


def array(name: str, make: Callable[[np.ndarray], Any]) -> Change:
    return lambda archive: replace(archive, arrays={**archive.arrays, name: make(archive.arrays.get(name))})


def without(name: str) -> Change:
    return lambda archive: replace(archive, arrays={k: v for k, v in archive.arrays.items() if k != name})


CONTENTS: list[tuple[str, Change, str]] = [
    ("GaussianNB", array("gaussian/n", lambda a: zeroed(a, -1)), "below zero"),
    ("GaussianNB", array("gaussian/n", lambda a: zeroed(a, 1e300)), "beyond"),
    ("GaussianNB", array("gaussian/pivot", lambda a: zeroed(a, np.nan)), "NaN or infinity"),
    ("GaussianNB", array("gaussian/square", lambda a: zeroed(a, np.inf)), "NaN or infinity"),
    ("GaussianNB", array("gaussian/sum", lambda a: a.astype(np.float32)), "float32"),
    ("GaussianNB", array("gaussian/sum", lambda a: a.T.copy()[:1]), "shape"),
    ("GaussianNB", array("gaussian/sum", lambda a: a.ravel()), "shape"),
    ("GaussianNB", without("gaussian/weight"), "Found the arrays"),
    ("GaussianNB", array("gaussian/more", lambda _: np.zeros(3)), "Found the arrays"),
    ("GaussianNB", array("more", lambda _: np.zeros(3)), "belongs to nothing"),
    ("GaussianNB", about(columns=4), "shape"),
    ("GaussianNB", about(columns=10**30), "shape"),
    ("GaussianNB", about(columns=True), "expected a number above 0"),
    ("GaussianNB", about(dtype="object"), "expected float32 or float64"),
    ("GaussianNB", about(labels=["a", "b"]), "shape"),
    ("GaussianNB", about(labels=[str(i) for i in range(500_000)]), "not in order"),
    ("GaussianNB", about(labels=list(range(500_000)), label_type="int64"), "shape"),
    ("GaussianNB", about(labels=["b", "a", "c"]), "not in order"),
    ("GaussianNB", about(labels=["a", "a", "b"]), "not in order"),
    ("GaussianNB", about(labels=["a", 1, True]), "one kind"),
    ("GaussianNB", about(labels=[]), "one kind"),
    ("GaussianNB", about(labels=[1, 2, 300], label_type="uint8"), "no model that can be used"),
    ("GaussianNB", about(labels=[1, 2, 2**70], label_type="int64"), "no model that can be used"),
    ("GaussianNB", about(label_type="U1000000000"), "no model that can be used"),
    ("GaussianNB", about(label_type="f8,f8"), "no model that can be used"),
    ("GaussianNB", about(label_type=None), "no model that can be used"),
    ("GaussianNB", about(parameters=[]), "no model that can be used"),
    ("GaussianNB", parameter(priors=[0.5, 0.5]), "Number of priors"),
    ("GaussianNB", parameter(priors=[[1], [2], [3]]), "no model that can be used"),
    ("GaussianNB", parameter(var_smoothing="x" * 10_000), "var_smoothing"),
    ("GaussianNB", parameter(unheard=1), "Found the parameters"),
    ("GaussianNB", array("parameters/priors", lambda _: np.ones((3, 1))), "no model that can be used"),
    ("GaussianNB", array("columns/ends", lambda _: np.zeros(3, dtype=np.int64)), "no model that can be used"),
    ("MultinomialNB", about(losses="unheard"), "Unknown smoothing"),
    ("MultinomialNB", about(losses="jelinek-mercer"), "no model that can be used"),
    ("MultinomialNB", about(losses=None), "belongs to nothing"),
    ("MultinomialNB", array("losses", lambda a: zeroed(a, np.nan)), "NaN or infinity"),
    ("ComplementNB", array("parameters/alpha", lambda a: a[:2]), "alpha"),
    ("ComplementNB", array("parameters/alpha", lambda a: -a), "alpha"),
    ("BernoulliNB", array("bernoulli/table", lambda a: a + 100), "no rows can have left"),
    ("CategoricalNB", array("categorical/starts", lambda a: a + 1), "rising from 0"),
    ("CategoricalNB", array("categorical/starts", lambda a: a[::-1].copy()), "rising from 0"),
    ("CategoricalNB", array("categorical/starts", lambda a: a.astype(np.int32)), "rising from 0"),
    ("CategoricalNB", array("categorical/starts", lambda a: np.array([0, 1, 2, 2**62])), "shape"),
    ("CategoricalNB", array("categorical/table", lambda a: a + 100), "no rows can have left"),
    ("CategoricalNB-values", array("categories/sizes", lambda a: a + 1), "no model that can be used"),
    ("CategoricalNB-values", array("categories/sizes", lambda a: -a), "no model that can be used"),
    ("CategoricalNB-values", array("categories/sizes", lambda a: a[:1]), "not sorted"),
    ("CategoricalNB-values", array("categories/kinds", lambda a: zeroed(a, 1)), "no model that can be used"),
    ("CategoricalNB-values", array("categories/kinds", lambda a: zeroed(a, 9)), "outside"),
    ("CategoricalNB-values", array("categories/ends", lambda a: a + 1), "outside"),
    ("CategoricalNB-values", array("categories/ends", lambda a: -a), "outside"),
    ("CategoricalNB-values", array("categories/text", lambda a: a * 0 + 255), "no model that can be used"),
    ("CategoricalNB-values", array("categories/text", lambda a: a * 0 + 65), "not sorted"),
    ("MixedNB", about(parts=[["gaussian", [0, 1, 2, 3]]]), "no model that can be used"),
    ("MixedNB", about(parts=[["gaussian", [0]], ["categorical", [1, 1]], ["poisson", [3]]]), "every column once"),
    ("MixedNB", about(parts=[["poisson", [3]], ["gaussian", [0]], ["categorical", [1, 2]]]), "expected some of"),
    ("MixedNB", about(parts=[["gaussian", [0.0]], ["categorical", [1, 2]], ["poisson", [3]]]), "every column once"),
    ("MixedNB", about(parts=None), "no model that can be used"),
    ("text", array("keys", lambda a: a[::-1].copy()), "do not fit"),
    ("text", array("keys", lambda a: a * 0), "do not fit"),
    ("text", array("classes", lambda a: a * 0 + 3), "do not fit"),
    ("text", array("classes", lambda a: a.astype(np.int64) + 65536), "do not fit"),
    ("text", array("counts", lambda a: a * 0), "do not fit"),
    ("text", array("counts", lambda a: a.astype(np.int64) * 0 + 2**62), "do not fit"),
    ("text", array("counts", lambda a: a.astype(np.float64) * np.nan), "do not fit"),
    ("text", array("documents", lambda a: a.astype(np.int64) * 0 + 2**62), "do not fit"),
    ("text", array("starts", lambda a: a.astype(np.int64) - 1), "do not fit"),
    ("text", array("starts", lambda a: a * 0), "do not fit"),
    ("text", array("orders", lambda a: a * 0 + 77), "do not fit"),
    ("text", array("text", lambda a: a * 0 + 255), "do not fit"),
    ("text", array("text_ends", lambda a: a.astype(np.int64) + 1), "do not fit"),
    ("text", array("text", lambda a: a.reshape(1, -1)), "do not fit"),
    ("text", array("parts", lambda a: a.ravel()), "do not fit"),
    ("text", array("by_class", lambda a: -a), "do not fit"),
    ("text", array("by_class", lambda a: a * 0 + 2**62), "do not fit"),
    ("text", about(labels=[f"{i:06}" for i in range(65_536)]), "at most 65535"),
    ("text", about(encoder={"pattern": r"(((\w{1000}){1000}){1000})"}), "no model that can be used"),
    ("text", about(encoder={"pattern": "("}), "no model that can be used"),
    ("text", about(encoder={"seed": -1}), "no model that can be used"),
    ("text", about(encoder={"ngrams": [1, 10**9]}), "no model that can be used"),
    ("text", parameter(buckets=2**70), "no model that can be used"),
    ("text", parameter(encoder="unheard"), "encoder"),
    ("text", parameter(class_prior="abc"), "no model that can be used"),
    ("text-textbook", about(derived={"alpha": -1.0, "temperature": 1.0}), "alpha"),
    ("text-textbook", about(derived={"alpha": 1.0, "temperature": "hot"}), "finite numbers"),
]


@pytest.mark.parametrize(("name", "change", "words"), CONTENTS, ids=[f"{c[0]} {i}" for i, c in enumerate(CONTENTS)])
def test_wrong_contents_with_a_right_checksum(name: str, change: Change, words: str, tmp_path: Path) -> None:
    change(example(name).model._archive()).write(tmp_path / "model")
    refused(tmp_path / "model", words)


def test_keys_made_of_each_other_have_a_name_that_ends(tmp_path: Path) -> None:
    model = example("text").model
    archive = model._archive()
    keys = archive.arrays["keys"]
    circle = np.stack([np.roll(keys, 1), np.roll(keys, 2)], axis=1)
    no_text = {"parts": circle, "text": np.zeros(0, np.uint8), "text_ends": np.zeros(len(keys), np.uint8)}
    replace(archive, arrays={**archive.arrays, **no_text}).write(tmp_path / "model")
    assert all(len(name) < 1000 for rank in bayleaf.load(tmp_path / "model").top_tokens(3).values() for name, _ in rank)


def test_a_table_larger_than_the_machine(tmp_path: Path) -> None:
    """65,535 classes and keys in two of them each: a row of all classes for every key."""
    model, n, k = bayleaf.TextClassifier("small", keep_text=False).fit(["a"], ["b"]), 3_000_000, 65_535
    arrays = {
        "keys": np.arange(n, dtype=np.uint64),
        "orders": np.ones(n, dtype=np.uint8),
        "documents": np.ones(n, dtype=np.uint8),
        "starts": np.arange(0, 2 * n + 1, 2, dtype=np.int64),
        "classes": np.tile(np.array([0, 1], dtype=np.uint8), n),
        "counts": np.ones(2 * n, dtype=np.uint8),
        "by_class": np.ones(k, dtype=np.int64),
    }
    archive = replace(model._archive(), arrays=arrays)
    about(labels=[f"{i:05}" for i in range(k)])(archive).write(tmp_path / "model")
    refused(tmp_path / "model", "GB of memory")


# searched for


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


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([2**31, 2**63, 2**64, -(2**70), 1e308, -0.5, "", "auto", "x\0", "\ud800", [], [[]], {}, {"a": 1}]),
    st.lists(st.integers(-1, 9), max_size=4),
)


def leaves(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = tree.items() if isinstance(tree, dict) else enumerate(tree[:5]) if isinstance(tree, list | tuple) else ()
    return [path, *(leaf for key, part in inside for leaf in leaves(part, (*path, key)))]


def planted(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copied = dict(tree) if isinstance(tree, dict) else list(tree)
    copied[path[0]] = planted(copied[path[0]], path[1:], value)
    return copied


@st.composite
def changed(draw: st.DrawFn, archive: Archive) -> Archive:
    """The archive with one thing in it replaced by something else, and a right checksum."""
    if draw(st.booleans()):
        leaf = draw(st.sampled_from(leaves(archive.about)[1:]))
        return replace(archive, about=planted(archive.about, leaf, draw(JUNK)))
    name = draw(st.sampled_from(sorted(archive.arrays)))
    array = archive.arrays[name].copy()
    number = draw(st.sampled_from([0, 1, 2, 3, 255, 65535, 2**31, 2**62, -1, 0.5, 1e300, float("nan"), float("inf")]))
    edit = draw(st.sampled_from(["cell", "type", "shape", "short", "long", "all"]))
    with np.errstate(all="ignore"):
        if edit in ("cell", "all") and array.size:
            value = np.array(number).astype(array.dtype)
            array.flat[draw(st.integers(0, array.size - 1)) if edit == "cell" else slice(None)] = value
        elif edit == "type":
            array = array.astype(draw(st.sampled_from(["u1", "i1", "u2", "i4", "i8", "u8", "f4", "f8", "?"])))
        elif edit == "shape":
            array = array.reshape(draw(st.sampled_from([(-1,), (1, -1), (-1, 1)])))
        else:
            array = array[:-1] if edit == "short" else np.concatenate([array, array[:1]])
    return replace(archive, arrays={**archive.arrays, name: array})


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # sums of a stranger's numbers may overflow
@pytest.mark.filterwarnings("ignore::bayleaf.ImpossibleRowsWarning")
@pytest.mark.parametrize("name", FITTED)
@given(data=st.data())
def test_a_file_that_is_taken_works(name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever was put in: refused, or a model that can be asked, explained, taught, untaught and saved."""
    path, right = tmp_path_factory.mktemp("changed") / "model", example(name)
    try:
        data.draw(changed(right.model._archive())).write(path)
        again = bayleaf.load(path)
    except BayleafError:
        return
    verbs: list[Callable[[], Any]] = [
        lambda: again.predict_proba(right.X),
        lambda: again.explain(right.X),
        lambda: again.partial_fit(right.X, right.y),
        lambda: again.unlearn(right.X, right.y),
        lambda: again.loo_predict_log_proba(right.X, right.y),
        lambda: again.merge(right.model).predict(right.X),
        lambda: again.save(path),
        lambda: bayleaf.load(path),
    ]
    for verb in verbs:
        try:
            verb()
        except BayleafError:
            continue


def test_the_mode_of_a_file_stays(tmp_path: Path) -> None:
    path, model = tmp_path / "model", example("PoissonNB").model
    model.save(path)
    (tmp_path / "other").touch()
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode
    path.chmod(0o640)
    model.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
