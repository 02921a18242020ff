"""What TextClassifier refuses, and that it is then as it was before."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from few_texts import LABELS, RECORDS, TEXTS, counts
from sklearn.exceptions import NotFittedError

from bayleaf import TextClassifier
from bayleaf.errors import BayleafError, MismatchError, NegativeCountError
from bayleaf.families.evidence import EvidenceTable


@pytest.mark.parametrize(
    ("texts", "labels", "words"),
    [
        ([*TEXTS[:3], None], LABELS, "text 3 is NoneType"),
        ([*TEXTS[:3], b"bytes"], LABELS, "decode bytes"),
        ([*TEXTS[:3], np.nan], LABELS, "text 3 is float"),
        (pd.Series([*TEXTS[:3], None]), LABELS, "text 3 is"),
        (np.array([TEXTS, TEXTS]), LABELS[:2], r"text 0 is ndarray.*X\[:, 0\]"),
        (np.array(TEXTS, dtype=object)[:, None], LABELS, r"text 0 is .*X\[:, 0\]"),
        ("lunch", ["a"] * 5, "found one str"),
        (b"lunch", ["a"] * 5, "found one bytes; put it in a list"),
        (None, LABELS, "Found NoneType, expected texts; pass a list"),
        (5, LABELS, "Found int, expected texts"),
        (set(TEXTS), LABELS, "Found a set, expected texts in the order of their labels"),
        (pd.DataFrame({"body": TEXTS, "n": [1, 2, 3, 4]}), LABELS, "text 0 of field 'n' is int"),
        (TEXTS, LABELS[:3], r"\[4, 3\]. Pass one label .* per text"),
        (pl.LazyFrame({"body": TEXTS}), LABELS, r"Found LazyFrame, expected texts in memory; call its collect\(\)"),
        (TEXTS[:3], LABELS, r"\[3, 4\]"),
        (iter(TEXTS), LABELS[:3], "more texts than labels"),
        (iter(TEXTS[:3]), LABELS, "more labels or groups than texts"),
        (TEXTS, [0.0, np.nan, 1.0, 1.0], "NaN"),
        (TEXTS, ["a", np.nan, "b", "b"], "missing value"),
        (iter(TEXTS), iter(["a", None, "b", "b"]), "missing value"),
        (TEXTS, ["a", 1, "b", "b"], "mixes labels"),
        (TEXTS, [0.5, 0.1, 0.2, 0.3], "continuous"),
        (TEXTS, None, "requires y"),
        ([], [], "no texts"),
        (iter([]), iter([]), "no texts"),
        ({}, [], "no texts"),
        ({"a": TEXTS, "b": TEXTS[:2]}, LABELS, "different lengths"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(texts: Any, labels: Any, words: str) -> None:
    fresh, used = TextClassifier(), TextClassifier().fit(TEXTS, LABELS)
    before = used.predict_proba(TEXTS)
    for clf in (fresh, used):
        with pytest.raises((ValueError, TypeError), match=words):
            clf.fit(copy.copy(texts), copy.copy(labels))  # iterators begin anew
    assert not fresh.__sklearn_is_fitted__()
    np.testing.assert_array_equal(used.predict_proba(TEXTS), before)


def test_a_refused_list_is_not_learned_in_part() -> None:
    clf, fresh = TextClassifier().fit(TEXTS, LABELS), TextClassifier()
    for some in (clf, fresh):
        with pytest.raises(TypeError, match="text 20000 is NoneType"):
            some.partial_fit([*TEXTS * 5000, None], [*LABELS * 5000, "new"], classes=["newer"])
        with pytest.raises(BayleafError, match="inconsistent"):
            some.partial_fit(TEXTS, iter(LABELS[:3]))
        with pytest.raises(BayleafError, match="inconsistent"):
            some.partial_fit(TEXTS, LABELS, groups=iter([1]))
    assert counts(clf) == [2, 2]
    assert clf.classes_.tolist() == ["ham", "spam"]
    with pytest.raises(NotFittedError):
        fresh.predict(TEXTS)
    with pytest.raises(BayleafError, match="neither texts nor classes"):
        fresh.partial_fit([], [])


@pytest.mark.parametrize("verb", ["predict", "predict_proba", "explain", "top_tokens", "save", "unlearn", "retune"])
def test_not_fitted(verb: str) -> None:
    arguments: dict[str, list[Any]] = {"top_tokens": [], "retune": [], "unlearn": [TEXTS, LABELS]}
    with pytest.raises(NotFittedError):
        getattr(TextClassifier(), verb)(*arguments.get(verb, [TEXTS]))


@pytest.mark.parametrize("name", ["chosen_", "table_", "aged_"])
def test_nothing_is_derived_before_fitting(name: str) -> None:
    with pytest.raises(NotFittedError, match="not fitted yet"):
        getattr(TextClassifier(), name)
    assert not hasattr(TextClassifier(), name)


@pytest.mark.parametrize("family", ["evidence", "multinomial"])
@pytest.mark.parametrize("count", [-1, 2.5, "3"])
def test_how_many_tokens(family: str, count: Any) -> None:
    with pytest.raises(BayleafError, match=r"Found count=.*, expected how many"):
        TextClassifier(family=family).fit(TEXTS, LABELS).top_tokens(count)


def test_labels_to_leave_out_may_be_an_iterator() -> None:
    clf = TextClassifier().fit(TEXTS, LABELS)
    np.testing.assert_array_equal(
        clf.loo_predict_log_proba(iter(TEXTS), iter(LABELS)), clf.loo_predict_log_proba(TEXTS, LABELS)
    )


def test_fields_that_were_not_learned() -> None:
    plain, fields = TextClassifier().fit(TEXTS, LABELS), TextClassifier().fit(RECORDS, LABELS)
    none, both = "texts without fields", r"the fields \['body', 'subject'\]"
    told = {
        "plain": f"{both}, expected {none}",
        "fields": f"{none}, expected {both}",
        "one": rf"\['subject'\], expected {both}",
    }
    asked = {"plain": (plain, RECORDS), "fields": (fields, TEXTS), "one": (fields, {"subject": TEXTS})}
    for name, (clf, other) in asked.items():
        for verb in (clf.predict, clf.explain):
            with pytest.raises(MismatchError, match=told[name]):
                verb(other)
        for learn in (clf.partial_fit, clf.unlearn, clf.retune):
            with pytest.raises(MismatchError, match=told[name]):
                learn(other, LABELS)
    assert counts(plain) == counts(fields) == [2, 2]


def test_one_record_is_refused_for_its_letters_are_no_texts() -> None:
    clf = TextClassifier().fit({"subject": TEXTS, "body": TEXTS}, LABELS)
    for verb in (clf.predict, clf.predict_proba, lambda X: clf.partial_fit(X, ["spam"] * 5)):
        with pytest.raises(ValueError, match="found one str; put it in a list"):
            verb({"subject": "money", "body": "lunch"})
    with pytest.raises(TypeError, match="Found int, expected texts"):
        clf.predict({"subject": 5, "body": TEXTS})
    assert clf.explain({"subject": "money", "body": "lunch"}).predicted in clf.classes_


def test_what_cannot_be_merged() -> None:
    clf = TextClassifier().fit(TEXTS, LABELS)
    for settings in ({"encoder": "small"}, {"buckets": 9}, {"family": "multinomial"}, {"alpha": 2.0}):
        with pytest.raises(
            MismatchError, match=f"Cannot merge .* of different {next(iter(settings))}; expected .* Fit"
        ):
            clf.merge(TextClassifier(**settings).fit(TEXTS, LABELS))
    with pytest.raises(MismatchError, match="different fields"):
        clf.merge(TextClassifier().fit(RECORDS, LABELS))
    with pytest.raises(MismatchError, match="Cannot unite labels"):
        clf.merge(TextClassifier().fit(TEXTS, [0, 1, 0, 1]))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"alpha": 0}, "above 0"),
        ({"alpha": "auto"}, "above 0"),
        ({"alpha": -1.0, "family": "multinomial"}, "'alpha' parameter"),
        ({"encoder": "unknown"}, "'encoder' parameter"),
        ({"buckets": 0}, "'buckets' parameter"),
        ({"temperature": 0.0}, "'temperature' parameter"),
        ({"temperature": 0.5}, "evidence table chooses that itself"),
        ({"smoothing": "absolute"}, "evidence table chooses that itself"),
        ({"class_prior": [0.5, 0.4]}, "sum of the priors"),
        ({"class_prior": [1.0]}, "Number of priors"),
        ({"table": EvidenceTable.start((1, 2), 3)}, "table is for"),
        ({"table": EvidenceTable.start((1,), 2)}, "table is for"),
    ],
    ids=str,
)
def test_bad_parameters(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TextClassifier(**settings).fit(TEXTS, LABELS)


def test_too_many_labels() -> None:
    with pytest.raises(BayleafError, match="at most 65535"):
        TextClassifier("small").fit(["a"] * 70_000, np.arange(70_000))


def test_leaving_out_what_was_never_learned() -> None:
    clf = TextClassifier().fit(TEXTS, LABELS)
    with pytest.raises(NegativeCountError, match="never learned"):
        clf.loo_predict_log_proba(["unheard"], ["ham"])
    with pytest.raises(NegativeCountError, match="never learned"):
        clf.loo_predict_log_proba(TEXTS[:1], ["ham"])
    with pytest.raises(BayleafError, match=r"\[4, 2\]"):
        clf.loo_predict_log_proba(TEXTS, LABELS, groups=[1, 2])
    with pytest.raises(BayleafError, match=r"\[4, 2\]"):
        clf.loo_predict_log_proba(TEXTS, LABELS[:2])
    with pytest.raises(NegativeCountError, match="never learned"):
        clf.retune(["unheard", "of"], ["ham", "spam"])


@pytest.mark.parametrize("given", [list, iter])
def test_a_label_that_has_no_prior_is_refused_before_anything_is_learned(given: Any) -> None:
    clf = TextClassifier(class_prior=[0.4, 0.6]).partial_fit(TEXTS[:1], LABELS[:1])  # the other is yet to come
    clf.partial_fit(TEXTS, LABELS)
    before, known = counts(clf), clf.predict_proba(TEXTS)
    with pytest.raises(ValueError, match=r"Number of priors must match number of classes\. Found 2, expected 3"):
        clf.partial_fit(given([*TEXTS, "new"]), [*LABELS, "third"])
    with pytest.raises(ValueError, match="Found 2, expected 3"):
        clf.partial_fit(TEXTS, LABELS, classes=["third"])
    other = TextClassifier().fit(["new"], ["third"])
    with pytest.raises(ValueError, match="Found 2, expected 3"):
        clf.merge(other)
    assert (counts(clf), clf.classes_.tolist()) == (before, ["ham", "spam"])
    np.testing.assert_array_equal(clf.predict_proba(TEXTS), known)


@pytest.mark.parametrize(("known", "strange"), [(["ham", "spa"], "spam"), ([0, 1], 2**40), ([False, True], "yes")])
def test_labels_that_were_never_learned_are_no_reason_to_derive(known: list[Any], strange: Any) -> None:
    clf = TextClassifier().fit(TEXTS, known * 2)
    with pytest.raises(BayleafError, match=rf"Found the labels \['?{strange}'?\], expected some of"):
        clf.retune(TEXTS[1:2], [strange])
