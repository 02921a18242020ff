"""The record classifier: what goes in, what comes out, what is refused."""

from __future__ import annotations

import pickle
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd
import pytest
from mail_table import WORDS, mails
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from bayleaf import BayleafError, MismatchError, MixedNB, RecordClassifier, TextClassifier
from bayleaf.records.folds import fold_predict_log_proba
from bayleaf.records.worth import Worth


def loss(log_proba: Any, y: list[str]) -> float:
    return -float(log_proba[np.arange(len(y)), np.searchsorted(["ham", "spam"], y)].mean())


X, Y = mails(600)
CLF = RecordClassifier().fit(X, Y)


def test_columns_are_guessed_and_told() -> None:
    assert CLF.columns_ == {"size": "number", "links": "category", "text": "text", "row": "ignore"}
    assert CLF.guesses_["links"].why == "3 values"
    assert RecordClassifier({"row": "number"}).fit(X, Y).guesses_["row"] == ("number", "given")


def test_all_parts_together_are_better_than_each_alone() -> None:
    other, labels = mails(2_000, seed=1)
    together = loss(CLF.predict_log_proba(other), labels)
    numbers = np.array([[float(cell) if cell else np.nan] for cell in X["size"]])
    asked = np.array([[float(cell) if cell else np.nan] for cell in other["size"]])
    alone = [
        loss(MixedNB().fit(numbers, Y).predict_log_proba(asked), labels),
        loss(TextClassifier().fit(X["text"], Y).predict_log_proba(other["text"]), labels),
        loss(RecordClassifier({"links": "category"}).fit({"links": X["links"]}, Y).predict_log_proba(other), labels),
    ]
    assert together < min(alone) - 0.05


def test_leave_one_out_tells_what_new_records_will_show() -> None:
    other, labels = mails(4_000, seed=2)
    chosen = CLF.chosen_
    assert chosen["loo_rows"] == 600
    assert chosen["loo_accuracy"] == pytest.approx(CLF.score(other, labels), abs=0.05)
    assert chosen["loo_log_loss"] == pytest.approx(loss(CLF.predict_log_proba(other), labels), abs=0.08)


def test_a_column_twice_counts_once_and_noise_not_at_all() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 2_000)
    table = {"size": rng.normal(y), "noise": rng.integers(0, 40, 2_000)}
    kinds = {"size": "number", "same": "number", "noise": "category"}
    both = {**table, "same": table["size"]}
    once = RecordClassifier({"noise": "ignore"}).fit(table, y)
    twice = RecordClassifier(kinds).fit(both, y)
    assert np.abs(twice.predict_proba(both) - once.predict_proba(table)).max() < 0.05
    doubled = np.c_[table["size"], table["size"]]
    naive = MixedNB().fit(doubled, y).predict_proba(doubled)
    assert np.abs(naive - once.predict_proba(table)).max() > 0.15  # what it would be without worths
    assert twice.chosen_["worth"]["categories"] < 0.3


def test_repeated_records_are_retained_with_their_number() -> None:
    colour = ["red", "red", "green", "blue"] * 10_000
    y = [0, 0, 1, 1] * 10_000
    clf = RecordClassifier().fit({"colour": colour}, y)
    assert (len(clf._sample.kept), clf.chosen_["loo_rows"]) == (3, 40_000)


def test_the_sample_stays_small_and_is_that_of_the_whole() -> None:
    rng = np.random.default_rng(4)
    values, y = rng.normal(size=70_000), rng.integers(0, 2, 70_000)
    whole = RecordClassifier({"x": "number"}).partial_fit({"x": values}, y)
    a, b = (RecordClassifier({"x": "number"}).partial_fit({"x": values[s]}, y[s]) for s in np.s_[:50_000, 50_000:])
    for clf in (whole, a + b):
        clf._sample.shrink()
        assert len(clf._sample.kept) == 20_000
    assert whole._sample.kept.keys() == (a + b)._sample.kept.keys()


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "a batch of pyarrow", "dicts"])
def test_every_kind_of_table_is_the_same_table(library: str) -> None:
    names = ("size", "links", "text")
    parsed = {**{n: X[n] for n in names}, "size": [float(cell) if cell else None for cell in X["size"]]}
    if library == "dicts":
        table: Any = [dict(zip(names, row, strict=True)) for row in zip(*(parsed[n] for n in names), strict=True)]
    elif library.endswith("pyarrow"):
        table = pytest.importorskip("pyarrow").table(parsed)
        table = table.to_batches()[0] if "batch" in library else table
    else:
        table = pytest.importorskip(library).DataFrame(parsed)
    clf = RecordClassifier().fit(table, Y)
    assert clf.columns_ == {name: CLF.columns_[name] for name in names}
    assert clf.predict_proba(table).tolist() == CLF.predict_proba(X).tolist()


def test_order_of_columns_does_not_matter_and_others_are_passed_over() -> None:
    turned = {name: X[name] for name in reversed(X)}
    assert RecordClassifier().fit(turned, Y).predict_proba(X).tolist() == CLF.predict_proba(X).tolist()
    assert CLF.predict({**X, "label": Y, "more": [None] * 600}).tolist() == CLF.predict(X).tolist()


def test_explanation_names_columns_and_tokens() -> None:
    (told,) = CLF.explain([{"size": "1.5", "links": "many", "text": "win lunch"}])
    assert [clue.name for clue in told.clues][:2] == ["size", "links"]
    tokens = {clue.name: clue.spans for clue in told.clues[2:]}
    assert tokens["text:win"] == ((0, 3),)
    assert tokens["text:lunch"] == ((4, 9),)
    (silent,) = CLF.explain([{"size": None, "links": None, "text": None}])
    assert silent.clues == []
    assert not silent.rest.any()


def test_strongest_features_speak_for_their_label() -> None:
    strongest = CLF.strongest(20)
    names = {label: [name for name, _ in ranked] for label, ranked in strongest.items()}
    assert "links = many" in names["spam"]
    assert "links = none" in names["ham"]
    told = [name for name in names["spam"] if name.startswith("size: mean ")]
    assert [float(part) for part in told[0].removeprefix("size: mean ").split(" against ")] == pytest.approx(
        [1.5, 0.5], abs=0.2
    )
    assert any(name.removeprefix("text:") in WORDS["spam"] for name in names["spam"])
    assert all(weight > 0 for ranked in strongest.values() for _, weight in ranked)


def test_a_token_weighs_about_what_it_adds() -> None:
    ranked = dict(CLF.strongest(50)["spam"])
    (told,) = CLF.explain([{"size": None, "links": None, "text": "win some more words"}])
    (clue,) = [clue for clue in told.clues if clue.name == "text:win"]
    assert ranked["text:win"] == pytest.approx(clue.summands[1] - clue.summands.mean(), rel=0.5)


def test_a_number_weighs_what_its_values_add_on_average() -> None:
    """By the clues of values that stand for the normal of each class, three of them apart in mean and spread."""
    rng, y = np.random.default_rng(0), np.arange(300) % 3
    size = rng.normal(np.array([0.0, 2.0, 3.0])[y], np.array([1.0, 2.0, 0.5])[y])
    clf = RecordClassifier({"size": "number"}).fit({"size": size}, y)
    clf._derived = Worth({"numbers": 1.0, "bins": 0.0}, rows=300)
    for label, [(_, weight)] in clf.strongest().items():
        normal = NormalDist(size[y == label].mean(), size[y == label].std())
        told = clf.explain({"size": [normal.inv_cdf((i + 0.5) / 400) for i in range(400)]})
        above = [one.clues[0].summands[label] - one.clues[0].summands.mean() for one in told]
        assert weight == pytest.approx(np.mean(above), rel=0.03)


def test_sample_looks_like_the_table() -> None:
    columns, labels = CLF.sample(400, random_state=0)
    assert list(columns) == ["size", "links", "text"]
    assert np.mean(labels == "spam") == pytest.approx(0.4, abs=0.1)
    assert CLF.score(columns, labels) > 0.8
    assert all(len(text.split()) == 4 for text in columns["text"])
    assert CLF.sample(3, random_state=7)[0] == CLF.sample(3, random_state=7)[0]
    fields = RecordClassifier({"a": "text", "b": "text"}).fit({"a": ["x y"] * 4, "b": ["z"] * 4}, [0, 0, 1, 1])
    drawn = fields.sample(5, random_state=0)[0]
    assert set(" ".join(drawn["a"]).split()) == {"x", "y"}
    assert set(" ".join(drawn["b"]).split()) == {"z"}
    plain = RecordClassifier({"a": "number", "b": "category"}).fit({"a": [1, 2, 3, 4], "b": list("xyxy")}, [0, 0, 1, 1])
    assert set(plain.sample(20, random_state=0)[0]["b"]) == {"x", "y"}


@pytest.mark.parametrize("times", [1, 5])
def test_no_way_of_judging_is_right_in_labels_by_lot(times: int) -> None:
    """Copies tell the answer from other folds; what common words lean to has seen the labels of all."""
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{n}" for n in rng.integers(0, 500, 12)) for _ in range(300)] * times
    labels = np.array(["a", "b"])[np.tile(rng.permutation(300) % 2, times)]
    clf = RecordClassifier().fit({"text": texts}, labels)
    found = [fold_predict_log_proba(clf, {"text": texts}, labels, folds=10)]
    found.append(clf.loo_predict_log_proba({"text": texts}, labels))
    for log_proba in found:
        assert (clf.classes_[log_proba.argmax(axis=1)] == labels).mean() < 0.6
        assert np.array_equal(log_proba[:300], log_proba[-300:])


def test_more_folds_than_different_texts() -> None:
    texts, labels = ["win money", "lunch at noon", "win a prize"] * 4, ["spam", "ham", "spam"] * 4
    clf = RecordClassifier().fit({"text": texts}, labels)
    assert np.isfinite(fold_predict_log_proba(clf, {"text": texts}, labels, folds=12)).all()
    same = RecordClassifier({"text": "text"}).fit({"text": ["one"] * 4}, list("abab"))  # none is left to derive from
    assert np.allclose(fold_predict_log_proba(same, {"text": ["one"] * 4}, list("abab"), folds=2), np.log(0.5))


def test_folds_have_not_been_seen_by_what_judges_them() -> None:
    """Labels by lot, and columns enough to tell each row by: by worths that had seen them it was less than chance."""
    rng = np.random.default_rng(0)
    X = {f"column {j}": rng.normal(size=60) for j in range(30)}
    y = rng.permutation(np.repeat(["ham", "spam"], 30)).tolist()
    clf = RecordClassifier().fit(X, y)
    assert loss(fold_predict_log_proba(clf, X, y), y) > 0.69
    with pytest.raises(BayleafError, match="expected a whole number from 2 up to"):
        fold_predict_log_proba(clf, X, y, folds=1)


def test_reading_is_derived_again_when_records_doubled() -> None:
    clf = RecordClassifier().partial_fit(*mails(100))
    assert clf.chosen_["loo_rows"] == 100
    assert not clf.aged_
    clf.partial_fit(*mails(50, seed=5))
    assert clf.chosen_["loo_rows"] == 100
    assert clf.aged_
    clf.partial_fit(*mails(60, seed=6))
    assert clf.chosen_["loo_rows"] == 210
    assert not clf.aged_
    assert clf.unlearn(*mails(60, seed=6)).retune().chosen_["loo_rows"] == 150


@pytest.mark.parametrize("jobs", [-1, -1000, 3])
def test_threads_are_asked_for_as_everywhere(jobs: int) -> None:
    table, y = mails(60)
    found = RecordClassifier(n_jobs=jobs).fit(table, y).predict_proba(table)
    assert found.tolist() == RecordClassifier(n_jobs=1).fit(table, y).predict_proba(table).tolist()
    texts = TextClassifier(n_jobs=jobs).fit(table["text"], y)
    assert texts.predict(["win money"]).tolist() == ["spam"]
    with pytest.raises(ValueError, match="n_jobs"):
        RecordClassifier(n_jobs=0).fit(table, y)


def test_threads_may_be_another_number_later() -> None:
    """Texts beside numbers are read by so many, too."""
    table, y = {"text": ["win money", "lunch"] * 3, "size": [1.0, 2.0] * 3}, ["spam", "ham"] * 3
    clf = RecordClassifier({"text": "text"}, n_jobs=1).fit(table, y).set_params(n_jobs=2)
    clf.predict(table)
    assert clf._parts.text is not None
    assert clf._parts.text.n_jobs == 2


def test_scikit_learn_habits() -> None:
    params = {"columns": {"size": "number"}, "encoder": "small", "n_jobs": 1}
    assert clone(RecordClassifier(**params)).get_params() == params
    with pytest.raises(NotFittedError):
        RecordClassifier().predict(X)
    assert not hasattr(RecordClassifier(), "feature_names_in_")
    named = MixedNB().fit(pd.DataFrame({"size": [1.0, 2.0], "row": [1.0, 2.0]}), ["ham", "spam"])
    assert (CLF.feature_names_in_.dtype, CLF.n_features_in_) == (named.feature_names_in_.dtype, 4)
    assert make_pipeline(CLF).feature_names_in_.tolist() == list(X) == ["size", "links", "text", "row"]
    again = pickle.loads(pickle.dumps(CLF))
    assert again.predict_proba(X).tolist() == CLF.predict_proba(X).tolist()
    assert again.partial_fit(*mails(10, seed=8))._rows == 610


def test_files(tmp_path: Path) -> None:
    CLF.save(tmp_path / "m.bayleaf", source="mails.csv")
    again = RecordClassifier.load(tmp_path / "m.bayleaf")
    assert (again.columns_, again.chosen_) == (CLF.columns_, CLF.chosen_)
    assert again.feature_names_in_.tolist() == CLF.feature_names_in_.tolist()
    assert again.strongest() == CLF.strongest()
    with pytest.raises(BayleafError, match="Found 0 of 600 learned records"):
        again.retune()
    assert again.retune(X, Y).chosen_ == CLF.chosen_
    assert (again + CLF)._rows == 1_200


def test_a_value_beyond_all_bounds_gets_the_shares() -> None:
    clf = RecordClassifier({"x": "number"}).fit({"x": [0.001, 0.002, 0.003, 0.0011, 0.0012]}, list("aabbb"))
    assert clf.predict_proba({"x": [1e200]}) == pytest.approx(np.array([[2.5 / 6, 3.5 / 6]]), abs=0.1)


def test_labels_grow_and_may_be_numbers() -> None:
    clf = RecordClassifier({"x": "number"}).partial_fit({"x": [1.0, 2.0]}, [3, 3])
    assert clf.predict({"x": [1.5]}).tolist() == [3]
    clf.partial_fit({"x": [9.0, 8.0, 8.5]}, [1, 1, 1])
    assert clf.predict({"x": ["1.5", "8.7"]}).tolist() == [3, 1]
    with pytest.raises(MismatchError):
        clf.partial_fit({"x": [1.0]}, ["three"])
    assert clf._rows == 5


def test_a_column_may_begin_like_another() -> None:
    table = {"a": ["one two", "three four"] * 3, "a:b": ["five six", "seven eight"] * 3}
    clf = RecordClassifier({"a": "text", "a:b": "text"}).fit(table, ["x", "y"] * 3)
    drawn, _ = clf.sample(20, random_state=0)
    assert set(" ".join(drawn["a"]).split()) == {"one", "two", "three", "four"}
    assert set(" ".join(drawn["a:b"]).split()) == {"five", "six", "seven", "eight"}


def test_a_column_may_be_an_iterator_of_any_length() -> None:
    columns = {"x": (float(i % 7) for i in range(5_000)), "kind": ("pq"[i % 2] for i in range(5_000))}
    assert RecordClassifier({"x": "number"}).partial_fit(columns, ["ab"[i % 2] for i in range(5_000)])._rows == 5_000
