"""Archives: written whole or not at all, and equal when the models are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

import bayleaf
from bayleaf import BayleafError, PoissonNB, TextClassifier, whole
from bayleaf.archive import Archive
from bayleaf.archive import archive as module
from bayleaf.loading import KINDS

SMALL = Archive("example", {"labels": ["a", "b"]}, {"weight": np.array([2.0, 1.0])}, {"source": "here"})


def test_a_full_disk_leaves_the_old_file(small_disk: Path) -> None:
    path = small_disk / "model.bayleaf"
    PoissonNB().fit([[1], [2]], ["a", "b"]).save(path)
    before = path.read_bytes()
    with pytest.raises(BayleafError, match=r"model.bayleaf cannot be written .*No space left on device.* is unchanged"):
        PoissonNB().fit(np.ones((2, 1_000_000)), ["a", "b"]).save(path)
    assert path.read_bytes() == before
    assert list(small_disk.iterdir()) == [path]


@pytest.mark.parametrize(("place", "step"), [(module, "save_file"), (module, "_head"), (whole, "sync")])
def test_a_failure_at_any_step_leaves_the_old_file(
    place: Any, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SMALL.write(tmp_path / "model")
    before = (tmp_path / "model").read_bytes()

    def fail(*_: Any) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(place, step, fail)
    with pytest.raises(BayleafError, match=r"cannot be written .*Input/output error"):
        Archive("other", {}, {}).write(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(whole, "sync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        SMALL.write(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "nowhere" / "model", tmp_path / "folder", tmp_path / ("x" * 300)):
        with pytest.raises(BayleafError, match="cannot be written"):
            SMALL.write(path)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    with pytest.raises(BayleafError, match=r"there is no folder .*nowhere; make it or choose another"):
        SMALL.write(tmp_path / "nowhere" / "model")


def test_any_reader_of_safetensors_reads_it(tmp_path: Path) -> None:
    SMALL.write(tmp_path / "model")
    arrays = load_file(tmp_path / "model")
    np.testing.assert_array_equal(arrays["weight"], [2.0, 1.0])


def test_the_hash_is_that_of_the_model(tmp_path: Path) -> None:
    def alike(**changes: Any) -> bool:
        parts = {"kind": SMALL.kind, "about": SMALL.about, "arrays": SMALL.arrays, **changes}
        return Archive(**parts).hash == SMALL.hash

    SMALL.write(tmp_path / "model")
    assert Archive.read(tmp_path / "model").hash == SMALL.hash
    assert alike(provenance={"written": "later"})
    assert alike(arrays={"weight": np.array([2.0, 9.0, 1.0])[::2]})
    assert alike(arrays={"weight": np.array([2.0, 1.0], dtype=">f8")})
    assert not alike(kind="other")
    assert not alike(about={"labels": ["a", "c"]})
    assert not alike(arrays={"height": SMALL.arrays["weight"]})
    assert not alike(arrays={"weight": np.array([2.0, 1.0], dtype=np.float32)})
    assert not alike(arrays={"weight": np.array([[2.0, 1.0]])})
    assert not alike(arrays={"weight": np.array([2.0, -1.0])})
    assert not alike(arrays={**SMALL.arrays, "more": np.zeros(0)})


def test_parts(tmp_path: Path) -> None:
    nested = Archive("records", {"text": {"a": 1}, "table": {}}, {"text/keys": np.arange(3), "texts": np.arange(2)})
    nested.write(tmp_path / "model")
    part = Archive.read(tmp_path / "model").part("text")
    assert (part.kind, part.about, [*part.arrays]) == ("text", {"a": 1}, ["keys"])


def test_settings_that_json_cannot_say(tmp_path: Path) -> None:
    for strange in (float("nan"), float("inf"), 1j, object(), {1: 2, "a": 3}, 10**5000):
        with pytest.raises(BayleafError, match="cannot be written"):
            Archive("example", {"strange": strange}, {}).write(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_the_notes_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nb = PoissonNB().fit([[1], [2]], ["a", "b"])
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    nb.save(tmp_path / "one", source="calls.csv", rows="2")
    told = {"source": "calls.csv", "rows": "2", "written": "1970-01-02T00:00:00Z", "bayleaf": bayleaf.__version__}
    assert Archive.read(tmp_path / "one").provenance == told
    bayleaf.load(tmp_path / "one").save(tmp_path / "two", source="calls.csv", rows="2")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    rows: Any = 2
    with pytest.raises(BayleafError, match="rows=2; expected text"):
        nb.save(tmp_path / "one", rows=rows)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(BayleafError, match="SOURCE_DATE_EPOCH='yesterday', expected seconds"):
        nb.save(tmp_path / "one")
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    nb.save(tmp_path / "one")
    assert Archive.read(tmp_path / "one").provenance["written"] > "2026"


class Mine(PoissonNB):
    """An estimator of somebody else."""


def test_kinds(tmp_path: Path) -> None:
    nb = PoissonNB().fit([[1], [2]], ["a", "b"])
    nb.save(tmp_path / "model")
    for kind in (TextClassifier, bayleaf.GaussianNB, Mine):
        expected = "text" if kind is TextClassifier else kind.__name__
        with pytest.raises(BayleafError, match=f"kind 'PoissonNB', expected '{expected}' for {kind.__name__}"):
            kind.load(tmp_path / "model")
    Mine().fit([[1], [2]], ["a", "b"]).save(tmp_path / "mine")
    assert type(Mine.load(tmp_path / "mine")) is Mine
    with pytest.raises(BayleafError, match="kind 'Mine', expected one of text, records, GaussianNB"):
        bayleaf.load(tmp_path / "mine")
    assert {"text", "records", "MixedNB"} < set(KINDS)


def test_what_is_not_fitted_is_not_saved(tmp_path: Path) -> None:
    for model in (PoissonNB(), TextClassifier()):
        with pytest.raises(ValueError, match="not fitted yet"):
            model.save(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_is_refused_by_name(tmp_path: Path) -> None:
    rows = np.empty((3, 1), dtype=object)
    rows[:, 0] = [("a", 1), ("b", 2), None]
    nb = bayleaf.CategoricalNB().fit(rows, [0, 1, 0])
    with pytest.raises(BayleafError, match=r"Found \('a', 1\) of tuple .* Convert it to str"):
        nb.save(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_numbers_of_numpy_are_parameters_like_others(tmp_path: Path) -> None:
    nb = bayleaf.MultinomialNB(alpha=np.float64(0.5), binary=np.bool_(True), class_prior=(np.float32(0.25), 0.75))
    nb.fit([[1, 0], [0, 2]], ["a", "b"]).save(tmp_path / "model")
    again = bayleaf.load(tmp_path / "model")
    assert (again.alpha, again.binary, again.class_prior) == (0.5, True, [0.25, 0.75])
    mixed = bayleaf.MixedNB(families={"poisson": range(1), "bernoulli": np.array([1])})
    mixed.fit([[1, 0], [0, 1]], ["a", "b"]).save(tmp_path / "model")
    assert bayleaf.load(tmp_path / "model").families == {"poisson": [0], "bernoulli": [1]}
