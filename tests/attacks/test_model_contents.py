"""Model files made by somebody who knows how, with a right checksum: only what they say can give them away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from models import FITTED, example, refused

import bayleaf
from bayleaf import BayleafError
from bayleaf.archive import Archive

pytestmark = pytest.mark.timeout(300)


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
    ("MultinomialNB", array("errors", lambda _: np.full(13, np.nan)), "NaN or infinity"),
    ("MultinomialNB", array("errors", lambda _: np.zeros(2)), "no model that can be used"),
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
    ("MixedNB", about(columns=2**31), "every column once"),
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
