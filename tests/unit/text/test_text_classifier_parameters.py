"""Parameters of a TextClassifier that are changed after it has learned, read anew or refused in words; no smoothing."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bayleaf import BayleafError, MismatchError, TextClassifier

RNG = np.random.default_rng(0)
LABELS = ["ham", "spam"] * 40
TEXTS = [" ".join(f"w{n}" for n in RNG.integers(0, 30, 6) + 12 * (label == "spam")) for label in LABELS]
ASKED = ["w3 w5 w20", "w40 w22"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"family": "multinomial"}, {"alpha": 0.01}),
        ({"family": "multinomial"}, {"smoothing": "absolute"}),
        ({"family": "multinomial"}, {"family": "complement"}),
        ({"family": "bernoulli", "alpha": 0.5}, {"temperature": 1.0}),
        ({}, {"alpha": 20.0}),
        ({}, {"class_prior": [0.9, 0.1]}),
        ({}, {"fit_prior": False}),
    ],
)
@pytest.mark.parametrize("asked", [False, True])
def test_a_changed_parameter_reads_the_same_counts_anew(before: Any, after: Any, asked: bool) -> None:
    """Whether or not an answer was given before."""
    clf = TextClassifier("small", **before).fit(TEXTS, LABELS)
    if asked:
        clf.predict(ASKED)
    wanted = TextClassifier("small", **{**before, **after}).fit(TEXTS, LABELS).predict_proba(ASKED)
    np.testing.assert_array_equal(clf.set_params(**after).predict_proba(ASKED), wanted)


@pytest.mark.parametrize("verb", ["predict_proba", "explain", "retune", "save"])
def test_parameters_that_make_no_sense_or_count_otherwise(verb: str, tmp_path: Path) -> None:
    arguments = {"retune": [], "save": [tmp_path / "model"]}.get(verb, [ASKED])
    clf = TextClassifier("small").fit(TEXTS, LABELS)
    wanted = clf.predict_proba(ASKED)
    with pytest.raises(MismatchError, match="counted as 'unit', not 'count'; fit again"):
        getattr(clf.set_params(family="multinomial"), verb)(*arguments)
    with pytest.raises(ValueError, match="alpha"):
        getattr(clf.set_params(family="evidence", alpha=-3), verb)(*arguments)
    np.testing.assert_array_equal(clf.set_params(alpha=None).predict_proba(ASKED), wanted)


def test_without_retained_texts_the_reading_cannot_be_derived_anew(tmp_path: Path) -> None:
    TextClassifier("small", family="multinomial").fit(TEXTS, LABELS).save(tmp_path / "model")
    loaded = TextClassifier.load(tmp_path / "model").set_params(alpha=0.01)
    with pytest.raises(BayleafError, match="0 learned texts retained of 80"):
        loaded.predict(ASKED)
    wanted = TextClassifier("small", family="multinomial", alpha=0.01).fit(TEXTS, LABELS).predict_proba(ASKED)
    np.testing.assert_array_equal(loaded.retune(TEXTS, LABELS).predict_proba(ASKED), wanted)
    loaded.set_params(class_prior=[0.9, 0.1])
    assert loaded.predict_proba(["nothing known"])[0, 0] > 0.6


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"family": "multinomial", "temperature": 1.0}, {"alpha": "auto"}),
        ({"family": "multinomial", "alpha": 0.5, "temperature": 1.0}, {"alpha": "auto"}),  # nothing was chosen
        ({}, {"table": "kinds"}),
    ],
)
def test_nothing_is_derived_of_the_few_texts_that_came_after_loading(before: Any, after: Any, tmp_path: Path) -> None:
    clf = TextClassifier("small", **before).fit(TEXTS, LABELS)
    clf.save(tmp_path / "model")
    loaded = TextClassifier.load(tmp_path / "model").partial_fit(TEXTS[:2], LABELS[:2])
    assert loaded.chosen_ == clf.chosen_
    with pytest.raises(BayleafError, match="Found 2 of 82 learned texts to derive from, expected half"):
        loaded.retune()
    with pytest.raises(BayleafError, match="2 learned texts retained of 82"):
        loaded.set_params(**after).predict(ASKED)
    assert loaded.retune(TEXTS, LABELS).chosen_["documents"] == 80
    loaded.partial_fit(TEXTS[2:], LABELS[2:])  # as many as are in the file
    assert loaded.retune().chosen_["documents"] == 80


@pytest.mark.parametrize("family", ["multinomial", "boolean", "complement", "bernoulli"])
def test_top_tokens_without_smoothing_are_those_that_occur(family: str) -> None:
    """What a label never showed cannot speak for it, though its weight there is no number."""
    top = TextClassifier("small", family=family, alpha=0).fit(["a x", "b x"], ["one", "two"]).top_tokens(1)
    assert [top["one"][0][0], top["two"][0][0]] == ["a", "b"]


@pytest.mark.parametrize("after", [{"buckets": 7}, {"encoder": "words"}, {"family": "multinomial"}], ids=str)
def test_parameters_of_other_counts_are_refused_in_every_copy(after: Any, tmp_path: Path) -> None:
    """A pickle or a file must not read the counts as what they are not."""
    clf = TextClassifier("small").fit(TEXTS, LABELS)
    before, wanted = clf.get_params(), clf.predict_proba(ASKED)
    for some in (clf.set_params(**after), pickle.loads(pickle.dumps(clf))):
        with pytest.raises(MismatchError, match="fit again with"):
            some.predict_proba(ASKED)
        with pytest.raises(MismatchError, match="fit again with"):
            some.save(tmp_path / "model")
        np.testing.assert_array_equal(some.set_params(**before).predict_proba(ASKED), wanted)


def test_words_that_were_not_kept_are_not_to_be_had() -> None:
    clf = TextClassifier("small", keep_text=False).fit(TEXTS, LABELS).set_params(keep_text=True)
    with pytest.raises(MismatchError, match="not counted with keep_text=True"):
        clf.top_tokens()


def test_words_that_are_not_to_be_kept_are_in_no_file(tmp_path: Path) -> None:
    named, bare = (TextClassifier("small", keep_text=keep).fit(TEXTS, LABELS) for keep in (True, False))
    hashes = set()
    for clf in (bare + named, named + bare, named.set_params(keep_text=False)):
        clf.save(tmp_path / "model")
        assert b"w22" not in (tmp_path / "model").read_bytes()
        hashes.add(clf._archive().hash)
    assert len(hashes) == 2  # the sums are equal


def test_bernoulli_has_no_buckets() -> None:
    """Two words of a text in one bucket would be two texts, more than there are: probabilities were NaN."""
    with pytest.raises(BayleafError, match="buckets=7 with family='bernoulli', expected none"):
        TextClassifier(family="bernoulli", buckets=7).fit(TEXTS, LABELS)
    grown = TextClassifier(family="boolean", buckets=7).fit(TEXTS, LABELS)
    with pytest.raises(BayleafError, match="expected none"):
        grown.set_params(family="bernoulli").predict(ASKED)
