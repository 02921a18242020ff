"""Model files: they hold everything but the documents, and a damaged one is refused."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from safetensors.numpy import save_file

from bayleaf import TextClassifier
from bayleaf.archive import Archive
from bayleaf.encoders.text import TextEncoder
from bayleaf.errors import BayleafError
from bayleaf.families.evidence import EvidenceTable

TEXTS = ["win money now", "cheap money offer", "lunch at noon?", "see you at lunch"]
LABELS = ["spam", "spam", "ham", "ham"]
ASKED = [*TEXTS, "money for lunch", "", "unheard"]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"encoder": "sparse", "n_jobs": 1},
    {"encoder": TextEncoder(stop_words=("at",), stemmer="english", seed=7)},
    {"encoder": "small", "table": EvidenceTable.start((1,), 2), "class_prior": [0.25, 0.75]},
    {"buckets": 11},
    {"keep_text": False, "fit_prior": False},
    {"family": "multinomial", "alpha": "auto"},
    {"family": "boolean", "smoothing": "absolute", "alpha": 0.5},
    {"family": "complement", "temperature": 1.0},
    {"family": "bernoulli", "alpha": 0.0},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_file_holds_everything(settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    clf = TextClassifier(**settings).fit(TEXTS, LABELS).partial_fit(["more money"], ["spam"])
    clf.save(tmp_path / "model")
    again = TextClassifier.load(tmp_path / "model")
    np.testing.assert_array_equal(again.predict_joint_log_proba(ASKED), clf.predict_joint_log_proba(ASKED))
    np.testing.assert_array_equal(again.predict_proba(ASKED), clf.predict_proba(ASKED))
    assert {**again.get_params(), "n_jobs": clf.n_jobs} == clf.get_params()
    assert (again.aged_, again.chosen_, again.table_) == (True, clf.chosen_, clf.table_)
    assert again._tally == clf._tally
    if settings.get("keep_text", True) and "buckets" not in settings:
        assert again.top_tokens(3) == clf.top_tokens(3)
    again.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()
    assert again.unlearn(TEXTS, LABELS).partial_fit(TEXTS, LABELS)._tally == clf._tally
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "model"]
    for text in TEXTS:
        assert text.encode() not in (tmp_path / "model").read_bytes()


@pytest.mark.parametrize(
    "labels",
    [
        [3, -1, 3, -1],
        [True, False, True, False],
        ["ß", "a longer one", "ß", ""],
        [1.0, 2.0, 1.0, 2.0],
        np.array([200, 7, 200, 7], dtype=np.uint8),
        np.array(["b", "a", "b", "a"], dtype=object),
    ],
    ids=str,
)
def test_labels_keep_their_type(labels: Any, tmp_path: Path) -> None:
    clf = TextClassifier().fit(TEXTS, labels)
    clf.save(tmp_path / "model")
    again = TextClassifier.load(tmp_path / "model")
    assert again.classes_.tolist() == clf.classes_.tolist() == sorted(set(np.array(labels).tolist()))
    assert again.classes_.dtype.kind == clf.classes_.dtype.kind
    assert again.predict(TEXTS).tolist() == clf.predict(TEXTS).tolist()


def test_records_keep_their_fields(tmp_path: Path) -> None:
    clf = TextClassifier().fit({"subject": TEXTS, "body": TEXTS}, LABELS)
    clf.save(tmp_path / "model")
    again = TextClassifier.load(tmp_path / "model")
    asked = {"body": ["win"], "subject": ["lunch"]}
    np.testing.assert_array_equal(again.predict_proba(asked), clf.predict_proba(asked))
    with pytest.raises(BayleafError, match="texts without fields"):
        again.predict(TEXTS)


def test_a_loaded_classifier_goes_on(tmp_path: Path) -> None:
    """No document is in the file: the reading is kept until enough new ones have come, or some are given."""
    clf = TextClassifier().fit(TEXTS * 3, LABELS * 3)
    clf.save(tmp_path / "model")
    again = TextClassifier.load(tmp_path / "model")
    with pytest.raises(BayleafError, match="Found 0 of 12 learned texts"):
        again.retune()
    assert again.retune(TEXTS * 3, LABELS * 3).chosen_ == clf.chosen_
    again = TextClassifier.load(tmp_path / "model").partial_fit(TEXTS * 2, LABELS * 2)
    assert again.chosen_ == clf.chosen_
    again.partial_fit(TEXTS, LABELS)
    assert again.chosen_ == TextClassifier().fit(TEXTS * 6, LABELS * 6).retune(TEXTS * 3, LABELS * 3).chosen_
    both = TextClassifier.load(tmp_path / "model") + TextClassifier.load(tmp_path / "model")
    assert both.chosen_ == clf.chosen_
    assert both._tally.documents.tolist() == [12, 12]


def test_a_loaded_classifier_does_not_go_by_a_stream_of_one_label(tmp_path: Path) -> None:
    clf = TextClassifier().fit(TEXTS * 3, LABELS * 3)
    clf.save(tmp_path / "model")
    one = [(text, label) for text, label in zip(TEXTS, LABELS, strict=True) if label == LABELS[0]]
    texts, labels = (list(column) * 12 for column in zip(*one, strict=True))
    again = TextClassifier.load(tmp_path / "model").partial_fit(texts, labels)
    assert again.chosen_ == clf.chosen_
    assert again.aged_
    assert again.predict(TEXTS).tolist() == LABELS


def test_names_are_kept_where_both_have_kept_them() -> None:
    named, bare = (TextClassifier(keep_text=keep).fit(TEXTS, LABELS) for keep in (True, False))
    for both in (named + bare, bare + named):
        with pytest.raises(BayleafError, match="keep_text"):
            both.top_tokens(3)


def test_what_another_text_has_unlearned(tmp_path: Path) -> None:
    """A text that was never learned can pass for two that were; a word is left that no text counts."""
    clf = TextClassifier("small", family="multinomial").fit(["a a", "a", "b"], ["x", "x", "y"])
    clf.unlearn(["a a a"], ["x"]).save(tmp_path / "model")
    again = TextClassifier.load(tmp_path / "model")
    np.testing.assert_array_equal(again.predict_proba(["a", "b"]), clf.predict_proba(["a", "b"]))


def test_damage_anywhere_is_noticed(tmp_path: Path) -> None:
    """A byte changed or the file cut short at any place: refused, or the answers are right."""
    clf = TextClassifier("small").fit(TEXTS, LABELS)
    clf.save(tmp_path / "model")
    whole, expected = (tmp_path / "model").read_bytes(), clf.predict_proba(ASKED)
    step = max(len(whole) // 400, 1)
    for i in range(0, len(whole), step):
        flipped = bytearray(whole)
        flipped[i] ^= 1 << i % 8
        for data in (bytes(flipped), whole[:i]):
            (tmp_path / "damaged").write_bytes(data)
            try:
                got = TextClassifier.load(tmp_path / "damaged").predict_proba(ASKED)
            except BayleafError:
                continue
            np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"encoder": {"analyzer": "x"}}, "no model that can be used"),
        ({"encoder": []}, "no model that can be used"),
        ({"parameters": {"alpha": -1}}, "no model that can be used"),
        ({"parameters": {"unknown": 1}}, "no model that can be used"),
        ({"parameters": {"class_prior": [0.5]}}, "Number of priors"),
        ({"parameters": {"n_jobs": 1000000}}, "parameters of the model only"),
        ({"labels": ["a"]}, "do not fit"),
        ({"label_type": "x"}, "no model that can be used"),
        ({"derived": {"worth": []}}, "no model that can be used"),
        ({"derived": {"alpha": 1.0, "temperature": -1.0}}, "temperature"),
        ({"fields": [1]}, "of the wrong kind"),
        ({"derived_at": "many"}, "of the wrong kind"),
        ({"tensors": {"counts": np.array([1, 2])}}, "do not fit"),
        ({"tensors": {"documents": np.array([-1] * 99)}}, "do not fit"),
        ({"tensors": {"starts": None}}, "do not fit"),
        ({"tensors": {"more": np.array([1])}}, "do not fit"),
    ],
    ids=str,
)
def test_files_made_by_others(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    """With a right checksum, so that only what is inside can be refused."""
    archive = TextClassifier().fit(TEXTS, LABELS)._archive()
    for name, value in change.items():
        if name == "tensors":
            kept = {**archive.arrays, **value}
            archive = replace(archive, arrays={k: v for k, v in kept.items() if v is not None})
        else:
            inside = {**archive.about[name], **value} if name == "parameters" else value
            archive = replace(archive, about={**archive.about, name: inside})
    archive.write(tmp_path / "model")
    with pytest.raises(BayleafError, match=words):
        TextClassifier.load(tmp_path / "model")


def test_a_file_of_another_kind_is_refused_by_name(tmp_path: Path) -> None:
    Archive("GaussianNB", {}, {}).write(tmp_path / "model")
    with pytest.raises(BayleafError, match="kind 'GaussianNB', expected 'text' for TextClassifier"):
        TextClassifier.load(tmp_path / "model")


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model"
    pickled = pickle.dumps(TextClassifier().fit(TEXTS, LABELS))
    for data in (pickled, b"", b"\0" * 100, b"PK\x03\x04", b"\xff" * 9):
        path.write_bytes(data)
        with pytest.raises(BayleafError, match="not a model file"):
            TextClassifier.load(path)
    save_file({"keys": np.zeros(3)}, path)
    with pytest.raises(BayleafError, match="holds 'no model'"):
        TextClassifier.load(path)
    for kind in (FileNotFoundError, BayleafError):
        with pytest.raises(kind, match="nowhere is not there"):
            TextClassifier.load(tmp_path / "nowhere")


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    clf = TextClassifier().fit(TEXTS, LABELS)
    clf.save(tmp_path / "model")
    before = (tmp_path / "model").read_bytes()
    clf.classes_ = np.array([1j, 2j])
    with pytest.raises(BayleafError, match="Convert them to str"):
        clf.save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_copies_of_every_kind(settings: dict[str, Any], tmp_path: Path) -> None:
    clf = TextClassifier(**settings).fit(TEXTS, LABELS)
    joblib.dump(clf, tmp_path / "dump")
    for again in (pickle.loads(pickle.dumps(clf)), copy.deepcopy(clf), copy.copy(clf), joblib.load(tmp_path / "dump")):
        np.testing.assert_array_equal(again.predict_proba(ASKED), clf.predict_proba(ASKED))
        again.partial_fit(["win"], ["ham"])
        assert again._tally.documents.tolist() == [3, 2]
        assert clf._tally.documents.tolist() == [2, 2]
        assert again.retune().chosen_.keys() == clf.chosen_.keys()
    assert not pickle.loads(pickle.dumps(TextClassifier())).__sklearn_is_fitted__()
