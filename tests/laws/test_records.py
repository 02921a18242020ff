"""What must hold of a record classifier for any records: its counts are a group, and its answers are sums."""

from __future__ import annotations

from copy import copy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayleaf
from bayleaf import NegativeCountError, RecordClassifier, TextClassifier
from bayleaf.families.evidence import EvidenceTable
from bayleaf.records.alone import alike
from bayleaf.records.folds import dealt, fold_predict_log_proba
from bayleaf.records.worth import Worth

KINDS = {"size": "number", "age": "number", "colour": "category", "note": "text", "title": "text"}
NUMBERS = st.one_of(
    st.none(),
    st.sampled_from(["", "NA", "1.5", " 2 ", "-3e2", "1000.25"]),
    st.floats(-1e3, 1e3).map(lambda value: round(value, 3)),
    st.integers(-5, 5),
)
CATEGORIES = st.sampled_from([None, "", "red", " red", "green", "grün", 3, 3.0, "3", True])
TEXTS = st.lists(st.sampled_from(["win", "Money", "lunch", "!", "猫が好", "\0", "é"]), max_size=6).map(" ".join)
NOTES = st.one_of(st.none(), TEXTS)
LABELS = st.sampled_from(["ham", "spam", "a longer label"])
CELLS = {"size": NUMBERS, "age": NUMBERS, "colour": CATEGORIES, "note": NOTES, "title": NOTES}
SUBSETS = [
    ("size",),
    ("colour",),
    ("note",),
    ("size", "colour"),
    ("size", "note"),
    ("colour", "note"),
    ("note", "title"),
    tuple(KINDS),
]
by_columns = pytest.mark.parametrize("names", SUBSETS, ids="+".join)
Row = tuple[dict[str, Any], str]


def rows(draw: st.DataObject, names: tuple[str, ...], least: int = 1, most: int = 12) -> list[Row]:
    record = st.fixed_dictionaries({name: CELLS[name] for name in names})
    return draw.draw(st.lists(st.tuples(record, LABELS), min_size=least, max_size=most))


def split(some: list[Row]) -> tuple[list[dict[str, Any]], list[str]]:
    return [record for record, _ in some], [label for _, label in some]


def learned(names: tuple[str, ...], some: list[Row]) -> RecordClassifier:
    clf = RecordClassifier({name: KINDS[name] for name in names})
    return clf.partial_fit(*split(some), classes=["ham", "spam", "a longer label"])


def read(draw: st.DataObject, clf: RecordClassifier) -> RecordClassifier:
    """Read by any worths, instead of by those derived: these laws are about what is done with them."""
    worth = {name: draw.draw(st.sampled_from([0.0, 0.25, 1.0, 3.0])) for name in clf._parts.names}
    alpha, spread = draw.draw(st.sampled_from([(0.03, 0.5), (1.0, 1e-9)]))
    clf._derived, clf._derived_at = Worth(worth, alpha, spread, draw.draw(st.sampled_from([0.0, 0.1]))), clf._rows
    clf._parts.read_with(clf._derived)
    if (text := clf._parts.text) is not None:
        text._derived = EvidenceTable.start(text._tally.orders, len(clf.classes_))
        text._derived_at = clf._rows
    return clf


def same(a: RecordClassifier, b: RecordClassifier) -> None:
    """The same counts, and the same retained records."""
    assert a.classes_.tolist() == b.classes_.tolist()
    assert a._parts.weight.tolist() == b._parts.weight.tolist()
    if a._parts.table is not None:
        left, right = a._parts.table, b._parts.table
        mine, theirs = seen(left), seen(right)
        assert mine == theirs
        for name, x, y in zip(left._parts, left._model.tallies, right._model.tallies, strict=True):
            if name[0] == "gaussian":  # values up to 1,000: what is left of sums that went is rounding
                assert x.n.tolist() == y.n.tolist()
                assert np.allclose(x.mean, y.mean, rtol=0, atol=1e-9)
                assert np.allclose(x.variance, y.variance, rtol=0, atol=1e-6)
    if a._parts.text is not None:
        assert a._parts.text._tally == b._parts.text._tally
    assert {p: (k.label, repr(k.cells), k.times) for p, k in a._sample.kept.items()} == {
        p: (k.label, repr(k.cells), k.times) for p, k in b._sample.kept.items()
    }


def seen(table: Any) -> dict[tuple[int, Any], list[float]]:
    """Counts of the categories that are held, by column and value; one that was unlearned is known, with count 0."""
    found = {}
    for (family, _), tally in zip(table._parts, table._model.tallies, strict=True):
        if family == "categorical":
            values = [(j, value) for j, known in enumerate(table._encoder.categories) for value in known]
            counts = tally.table.T.tolist()
            found |= {value: count for value, count in zip(values, counts, strict=True) if any(count)}
    return found


@by_columns
@given(draw=st.data())
def test_any_order_partition_and_merge(names: tuple[str, ...], draw: st.DataObject) -> None:
    some = rows(draw, names)
    whole = learned(names, some)
    shuffled = draw.draw(st.permutations(some))
    cut = draw.draw(st.integers(1, len(some)))
    same(learned(names, shuffled[:cut]).partial_fit(*split(shuffled[cut:])) if cut < len(some) else whole, whole)
    if cut < len(some):
        same(learned(names, shuffled[cut:]) + learned(names, shuffled[:cut]), whole)


@by_columns
@given(draw=st.data())
def test_unlearning_goes_back(names: tuple[str, ...], draw: st.DataObject) -> None:
    some, more = rows(draw, names), rows(draw, names)
    grown = learned(names, some).partial_fit(*split(more))
    same(grown.unlearn(*split(draw.draw(st.permutations(more)))), learned(names, some))


@by_columns
@given(draw=st.data())
def test_a_copy_learns_for_itself(names: tuple[str, ...], draw: st.DataObject) -> None:
    some, more = rows(draw, names), rows(draw, names)
    clf = learned(names, some)
    twin = copy(clf).partial_fit(*split(more))
    same(clf, learned(names, some))
    same(twin, learned(names, some).partial_fit(*split(more)))
    clf.unlearn(*split(some))
    same(twin, learned(names, some).partial_fit(*split(more)))


@given(draw=st.data())
def test_what_was_never_learned_is_refused_whole(draw: st.DataObject) -> None:
    names = ("size", "colour", "note")
    some = rows(draw, names)
    clf, strange = learned(names, some), {"size": 1.0, "colour": "never", "note": "lunch"}
    with pytest.raises((NegativeCountError, bayleaf.BadValueError)):
        clf.unlearn([some[0][0], strange], [some[0][1], some[0][1]])
    same(clf, learned(names, some))


@by_columns
@given(draw=st.data())
def test_explanations_add_up(names: tuple[str, ...], draw: st.DataObject) -> None:
    clf = read(draw, learned(names, rows(draw, names, 2)))
    asked = split(rows(draw, names, most=3))[0]
    joint, proba = clf.predict_joint_log_proba(asked), clf.predict_proba(asked)
    for explanation, scores, shares in zip(clf.explain(asked), joint, proba, strict=True):
        total = explanation.prior + sum(clue.summands for clue in explanation.clues) + explanation.rest
        finite = np.isfinite(scores)
        assert (np.isneginf(total) == ~finite).all()
        assert np.allclose(total[finite], scores[finite], rtol=1e-9, atol=1e-9)
        assert explanation.posterior.tolist() == shares.tolist()


@by_columns
@settings(max_examples=8)  # each derives
@given(draw=st.data())
def test_probabilities_are_probabilities(names: tuple[str, ...], draw: st.DataObject) -> None:
    some = rows(draw, names, 2)
    clf = learned(names, some)
    for proba in (clf.predict_proba(split(some)[0]), np.exp(clf.loo_predict_log_proba(*split(some)))):
        assert np.isfinite(proba).all()
        assert (proba >= 0).all()
        assert np.allclose(proba.sum(axis=1), 1.0)


@by_columns
@given(draw=st.data())
def test_missing_is_left_out(names: tuple[str, ...], draw: st.DataObject) -> None:
    """A record of nothing but missing values gets the shares of the classes."""
    clf = read(draw, learned(names, rows(draw, names, 2)))
    if clf._parts.alone is not None:
        return  # what an empty text says is for the text classifier to say
    (proba,) = clf.predict_proba([dict.fromkeys(names)])
    weight = clf._parts.weight
    floor, share = clf.chosen_["floor"], (weight + 0.5) / (weight + 0.5).sum()
    assert np.allclose(proba, (1 - floor) * weight / weight.sum() + floor * share)


@settings(max_examples=30)
@given(draw=st.data())
def test_text_alone_is_the_text_classifier(draw: st.DataObject) -> None:
    some = rows(draw, ("note",), 2)
    clf = RecordClassifier({"note": "text"}).fit(*split(some))
    texts = [record["note"] or "" for record, _ in some]
    plain = TextClassifier().fit(texts, split(some)[1])
    assert clf.predict_proba(split(some)[0]).tolist() == plain.predict_proba(texts).tolist()
    copies = [texts.index(text) for text in texts] if len(set(texts)) < len(texts) else None
    expected = plain.loo_predict_log_proba(texts, split(some)[1], copies)
    assert clf.loo_predict_log_proba(*split(some)).tolist() == expected.tolist()


@by_columns
@given(draw=st.data())
def test_a_file_brings_back_the_same_model(names: tuple[str, ...], draw: st.DataObject) -> None:
    some = rows(draw, names, 2)
    clf = read(draw, learned(names, some))
    with TemporaryDirectory() as folder:
        clf.save(Path(folder) / "model")
        again = bayleaf.load(Path(folder) / "model")
    assert isinstance(again, RecordClassifier)
    assert again.columns_ == clf.columns_
    assert again.predict_proba(split(some)[0]).tolist() == clf.predict_proba(split(some)[0]).tolist()
    assert again._archive().hash == clf._archive().hash
    again._sample = clf._sample
    same(again.unlearn(*split(some)), clf.unlearn(*split(some)))


@by_columns
@given(draw=st.data())
def test_a_fold_is_judged_by_a_model_of_the_others(names: tuple[str, ...], draw: st.DataObject) -> None:
    some = rows(draw, names, 2)
    clf = read(draw, learned(names, some))
    X, y = split(some)
    before = clf.predict_proba(X).tolist()
    log_proba = fold_predict_log_proba(clf, X, y, folds=2)
    assert clf.predict_proba(X).tolist() == before
    assert np.allclose(np.exp(log_proba).sum(axis=1), 1.0)
    if "colour" in names:  # categories that went stay known
        return
    fold = dealt(clf._codes(y, len(y)), 2, 0, alike(clf._records(X)) if clf._parts.alone else np.arange(len(y)))
    places = fold.tolist()
    for number in set(places) if len(set(places)) == 2 else ():
        others = [row for row, at in zip(some, places, strict=True) if at != number]
        judged = [row for row, at in zip(some, places, strict=True) if at == number]
        anew = learned(names, others).predict_proba(split(judged)[0])
        assert np.allclose(np.exp(log_proba[fold == number]), anew, atol=1e-6)
