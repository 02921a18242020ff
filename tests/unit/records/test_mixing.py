"""What the evidence of a record for one class says about the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from explained import adds_up_and_is_kept

from bayleaf import RecordClassifier
from bayleaf.errors import BayleafError
from bayleaf.records import deriving, mixing
from bayleaf.records.worth import Worth, bounded


def waves(n: int, seed: int) -> tuple[dict[str, list[Any]], list[str]]:
    """Mixtures of two of three waves (Breiman et al., 1984): every column depends on its neighbours."""
    rng = np.random.default_rng(seed)
    place = np.arange(21)
    shapes = [np.maximum(6 - np.abs(place - middle), 0) for middle in (6, 14, 10)]
    labels = rng.integers(0, 3, n)
    part = rng.random(n)[:, None]
    both = [(shapes[one], shapes[(one + 1) % 3]) for one in labels]
    table = part * [a for a, _ in both] + (1 - part) * [b for _, b in both] + rng.normal(size=(n, 21))
    columns: dict[str, list[Any]] = {f"x{j}": table[:, j].tolist() for j in range(21)}
    columns["high"] = ["yes" if row[10] > 2 else "no" for row in table]
    return columns, [f"wave {label}" for label in labels]


def loss(clf: RecordClassifier, columns: dict[str, list[Any]], labels: list[str]) -> float:
    own = clf.predict_log_proba(columns)[np.arange(len(labels)), np.searchsorted(clf.classes_, labels)]
    return float(-own.mean())


def test_columns_that_depend_on_each_other_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    learned, asked = waves(900, 0), waves(600, 1)
    monkeypatch.setattr(deriving, "_weighed", lambda *_: None)  # which would have done it by themselves
    clf = RecordClassifier().fit(*learned)
    with monkeypatch.context() as patched:
        patched.setattr(mixing, "is_fitted", lambda halves, k: False)
        before = RecordClassifier().fit(*learned)
    assert loss(clf, *asked) < 0.9 * loss(before, *asked)
    assert clf.chosen_["loo_log_loss"] == pytest.approx(loss(clf, *asked), rel=0.15)


def test_explanations_add_up(tmp_path: Path) -> None:
    columns, _ = waves(300, 2)
    columns["x3"][0], columns["x4"][1], columns["x5"][2] = 1e6, None, 1e150
    clf = RecordClassifier().fit(*waves(300, 3))
    assert any(clf._worth().mix)
    adds_up_and_is_kept(clf, {name: column[:20] for name, column in columns.items()}, tmp_path)
    assert np.isfinite(clf.predict_proba(columns)).all()


def test_strongest_weighs_what_explanations_add() -> None:
    columns, labels = waves(300, 4)
    clf = RecordClassifier().fit(columns, labels)
    said = clf.explain({name: column[:1] for name, column in columns.items()})[0]
    value = f"high = {columns['high'][0]}"
    summands = next(clue.summands for clue in said.clues if clue.name == "high")
    above = summands - summands.mean()
    for label, ranked in clf.strongest(99).items():
        own = above[clf.classes_.tolist().index(label)]
        assert dict(ranked).get(value, 0.0) == pytest.approx(max(own, 0.0))


def test_a_new_label_and_a_merged_one_are_not_mixed() -> None:
    columns, labels = waves(300, 5)
    clf = RecordClassifier().fit(columns, labels)
    square = np.reshape(clf._worth().mix, (3, 3))
    one = {name: column[:1] for name, column in columns.items()}
    grown = RecordClassifier(columns=clf.columns_).partial_fit(one, ["flat"]) + clf
    clf.partial_fit(one, ["flat"])
    for wider in (clf, grown):
        assert wider.classes_[0] == "flat"
        found = np.reshape(wider._worth().mix, (4, 4))
        np.testing.assert_array_equal(found[1:, 1:], square)
        assert not found[0].any()
        assert not found[:, 0].any()
        assert np.isfinite(wider.predict_proba(columns)).all()


def test_an_empty_class_says_nothing_about_the_others() -> None:
    heard = np.array([[-1.0, -np.inf, -3.0], [-1e300, 0.0, -20.0], [-np.inf, -np.inf, -np.inf]])
    found = bounded(heard, np.log([0.5, 0.25, 0.25]))
    np.testing.assert_allclose(found, [[1, 0, -1], [-80 / 3, 70 / 3, 10 / 3], [0, 0, 0]])


def test_a_class_that_was_unlearned_leaves_the_others_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is known of it, so that its sum is larger than any other: that said something about them."""
    monkeypatch.setattr(deriving, "_weighed", lambda *_: None)  # as above
    columns, labels = waves(300, 7)
    flat = {name: column[:60] for name, column in columns.items()}
    both = {name: column + flat[name] for name, column in columns.items()}
    clf = RecordClassifier().fit(both, labels + ["flat"] * 60)
    assert any(clf._worth().mix)
    clf.unlearn(flat, ["flat"] * 60)
    alone = RecordClassifier().fit(columns, labels)
    for _ in range(2):  # as it was derived, then derived anew
        found = clf.predict_proba(columns)
        assert found[:, 0].max() < 0.01
        right, wanted = ((some.predict(columns) == labels).mean() for some in (clf, alone))
        assert right > wanted - 0.05
        told = clf.explain({name: column[:1] for name, column in columns.items()})[0]
        total = told.rest + sum((clue.summands for clue in told.clues), np.zeros(4))
        np.testing.assert_allclose((told.prior + total)[1:], told.joint[1:], rtol=1e-9, atol=1e-9)
        clf.retune()
    np.testing.assert_allclose(found[:, 1:], alone.predict_proba(columns), atol=0.02)


def test_a_file_with_numbers_for_other_labels_is_refused(tmp_path: Path) -> None:
    clf = RecordClassifier().fit(*waves(300, 6))
    clf._derived = Worth(clf._worth().worth, mix=(0.0,) * 4, offsets=(0.0,) * 2)
    clf._derived_at = 10**9
    clf.save(tmp_path / "model")
    with pytest.raises(BayleafError, match="numbers that mix 2 classes, expected 3"):
        RecordClassifier.load(tmp_path / "model")
