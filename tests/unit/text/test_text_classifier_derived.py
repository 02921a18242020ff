"""What a text classifier derives from its counts, when it does so again, and what can be fixed by hand."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import pytest
from few_texts import FAMILIES, LABELS, TEXTS, corpus

from bayleaf import TextClassifier
from bayleaf.errors import BayleafError, NegativeCountError
from bayleaf.families.evidence import EvidenceTable


def test_aging_doubling_and_retuning() -> None:
    texts, labels = corpus(800)
    clf = TextClassifier().fit(texts[:200], labels[:200])
    first = clf.chosen_
    assert (clf.aged_, first["documents"]) == (False, 200)
    clf.partial_fit(texts[200:300], labels[200:300])
    assert (clf.aged_, clf.chosen_) == (True, first)
    clf.partial_fit(texts[300:400], labels[300:400])
    assert (clf.aged_, clf.chosen_["documents"]) == (False, 400)  # twice as many
    clf.unlearn(texts[:1], labels[:1]).partial_fit(texts[400:401], labels[400:401])
    assert clf.aged_  # as many as before, but not the same
    assert not clf.retune().aged_
    assert clf.chosen_["documents"] == 400
    given = clf.retune(texts[1:101], labels[1:101])
    assert given.chosen_["documents"] == 100
    assert clf.forget_rare(1) == 0
    assert clf.aged_


def test_fitting_at_once_and_in_parts_choose_the_same() -> None:
    texts, labels = corpus(400)
    whole = TextClassifier().fit(texts, labels)
    parts = TextClassifier()
    for start in range(0, 400, 50):
        parts.partial_fit(texts[start : start + 50], labels[start : start + 50])
    assert parts.chosen_ == whole.chosen_
    assert parts.table_ == whole.table_


def test_the_table_has_names_and_can_be_fixed() -> None:
    texts, labels = corpus(300)
    fitted = TextClassifier().fit(texts, labels)
    weights = fitted.table_.weights()
    assert len(weights) == 185
    assert weights["2-gram, first 8"] >= 0
    assert {"alpha", "scale", "power", "prior", "temperature", "floor", "loo_log_loss", "loo_accuracy"} <= {
        *fitted.chosen_
    }
    assert fitted.chosen_["loo_accuracy"] > 0.8
    fixed = TextClassifier(table=fitted.table_).fit(texts[:100], labels[:100])
    assert fixed.table_ == fitted.table_
    fixed.partial_fit(texts[100:], labels[100:])
    np.testing.assert_array_equal(fixed.predict_proba(texts), fitted.predict_proba(texts))
    assert TextClassifier(family="multinomial").fit(texts, labels).table_ is None


def test_leaving_out_is_honest_about_the_log_loss() -> None:
    texts, labels = corpus(500)
    clf = TextClassifier().fit(texts, labels)
    codes = np.searchsorted(clf.classes_, labels)
    log_proba = clf.loo_predict_log_proba(texts, labels)
    assert -log_proba[np.arange(500), codes].mean() == pytest.approx(clf.chosen_["loo_log_loss"], rel=1e-4)
    assert (log_proba.argmax(axis=1) == codes).mean() == pytest.approx(clf.chosen_["loo_accuracy"])
    resubstituted = np.log(clf.predict_proba(texts))[np.arange(500), codes].mean()
    assert log_proba[np.arange(500), codes].mean() < resubstituted


@pytest.mark.parametrize("family", FAMILIES)
def test_groups_see_through_copies(family: str) -> None:
    """Each text three times: leaving one out leaves its copies in, leaving its group out does not."""
    texts, labels = corpus(120)
    groups = [f"thread {i}" for i in range(120)] * 3
    clf = TextClassifier(family=family).fit(texts * 3, labels * 3)
    grouped = TextClassifier(family=family).fit(texts * 3, labels * 3, groups=groups)
    if family == "evidence":  # it takes copies for a group by itself
        assert grouped.chosen_["loo_log_loss"] == pytest.approx(clf.chosen_["loo_log_loss"], rel=1e-3)
    else:
        assert grouped.chosen_["loo_log_loss"] > clf.chosen_["loo_log_loss"]
    codes = np.searchsorted(clf.classes_, labels * 3)
    naive, honest = (
        clf.loo_predict_log_proba(texts * 3, labels * 3),
        grouped.loo_predict_log_proba(texts * 3, labels * 3, groups=groups),
    )
    rows = np.arange(360)
    fresh_texts, fresh_labels = corpus(400, seed=1)
    fresh = grouped.predict_proba(fresh_texts)[np.arange(400), np.searchsorted(clf.classes_, fresh_labels)]
    shown, told, real = -naive[rows, codes].mean(), -honest[rows, codes].mean(), -np.log(fresh).mean()
    assert abs(told - real) < abs(shown - real)
    shuffled = np.random.default_rng(0).permutation(360)
    again = grouped.loo_predict_log_proba(
        [(texts * 3)[i] for i in shuffled], [(labels * 3)[i] for i in shuffled], groups=[groups[i] for i in shuffled]
    )
    np.testing.assert_allclose(again, honest[shuffled], rtol=1e-9)


@pytest.mark.parametrize("family", FAMILIES[1:])
def test_a_group_is_left_out_without_the_others(family: str) -> None:
    """However their names hash: a text without its group is judged by the same counts whatever others are called."""
    texts, labels = corpus(60)
    clf = TextClassifier(family=family).fit(texts, labels)
    told = [
        clf.loo_predict_log_proba(texts, labels, groups=[f"{name} {i % 2}" for i in range(60)]) for name in range(20)
    ]
    for other in told[1:]:
        np.testing.assert_allclose(other, told[0], rtol=1e-9)
    assert len(np.unique(told[0].round(6), axis=0)) > 30  # with nothing left to judge by, all would be alike


@pytest.mark.parametrize("family", FAMILIES[1:])
def test_textbook_choices(family: str) -> None:
    texts, labels = corpus(300)
    free = TextClassifier(family=family, alpha="auto").fit(texts, labels)
    fixed = TextClassifier(family=family, alpha=0.5, temperature=0.25).fit(texts, labels)
    plain = TextClassifier(family=family).fit(texts, labels)
    assert (fixed.chosen_["alpha"], fixed.chosen_["temperature"]) == (0.5, 0.25)
    assert plain.chosen_["alpha"] == 1.0
    assert free.chosen_["loo_log_loss"] <= plain.chosen_["loo_log_loss"] + 1e-9
    sure = plain.loo_predict_log_proba(texts, labels) * plain.chosen_["temperature"]
    sure -= np.logaddexp.reduce(sure, axis=1)[:, None]  # at temperature 1
    codes = np.searchsorted(plain.classes_, labels)
    assert plain.chosen_["loo_log_loss"] <= -sure[np.arange(300), codes].mean() + 1e-3
    assert (fixed.chosen_["documents"], fixed.chosen_["loo_log_loss"]) == (0, None)  # nothing was left to choose


@pytest.mark.parametrize("family", FAMILIES)
def test_priors(family: str) -> None:
    texts, labels = [*TEXTS, "win lunch"], [*LABELS, "spam"]
    given = TextClassifier(family=family, class_prior=[0.9, 0.1]).fit(texts, labels)
    uniform = TextClassifier(family=family, fit_prior=False).fit(texts, labels)
    never = TextClassifier(family=family, class_prior=[1.0, 0.0]).fit(texts, labels)
    odds = [np.log(clf.predict_proba(["unheard"])[0]) @ [1, -1] for clf in (given, uniform)]
    assert odds[0] > odds[1]
    assert never.predict(texts).tolist() == ["ham"] * 5
    assert never.predict_proba(texts)[:, 1].tolist() == [0.0] * 5
    assert not np.isnan(never.predict_joint_log_proba(texts)).any()
    assert never.explain("win money").predicted == "ham"


def test_another_prior_multiplies_the_odds_of_every_text_also_of_those_as_sure_as_can_be() -> None:
    texts, labels = corpus(40)
    clf = TextClassifier().fit(texts, labels)
    assert clf.chosen_["floor"] > 0.01
    learned = clf._tally.documents / len(texts)
    before = clf.predict_proba([*texts, "unheard"])
    after = clf.set_params(class_prior=[0.9, 0.1]).predict_proba([*texts, "unheard"])
    odds = (after[:, 0] / after[:, 1]) / (before[:, 0] / before[:, 1])
    np.testing.assert_allclose(odds, 9 * learned[1] / learned[0], rtol=0.1)  # shares of few texts are smoothed
    assert np.ptp(odds) < 1e-9 * odds.max()


def test_new_labels_find_their_place() -> None:
    clf = TextClassifier().fit(TEXTS, LABELS).partial_fit(["invoice due"] * 6, ["bill"] * 6)
    assert clf.classes_.tolist() == ["bill", "ham", "spam"]
    assert clf._tally.documents.tolist() == [6, 2, 2]
    assert clf.predict(["invoice due", "money offer", "lunch"]).tolist() == ["bill", "spam", "ham"]
    merged = TextClassifier().fit(["b text"], ["b"]) + TextClassifier().fit(["a text", "c text"], ["a", "c"])
    assert merged.classes_.tolist() == ["a", "b", "c"]
    assert merged.predict(["b", "c"]).tolist() == ["b", "c"]


@pytest.mark.parametrize("family", [family for family in FAMILIES if family != "bernoulli"])
def test_buckets_bound_the_keys(family: str) -> None:
    texts, labels = corpus(400)
    clf = TextClassifier(family=family, buckets=64).fit(texts, labels)
    assert (clf._tally.distinct <= 64).all()
    assert len(clf._tally.native.listing()["keys"]) <= 128
    half = TextClassifier(family=family, buckets=64).fit(texts[:200], labels[:200])
    assert clf.unlearn(texts[200:], labels[200:])._tally == half._tally
    with pytest.raises(BayleafError, match="not kept"):
        clf.top_tokens()


def test_forgetting_rare_keys() -> None:
    texts, labels = corpus(400)
    clf = TextClassifier().fit(texts, labels)
    before = clf._tally.distinct.sum()
    gone = clf.forget_rare()
    assert 0 < gone == before - clf._tally.distinct.sum()
    assert (clf._tally.native.listing()["documents"] >= 2).all()
    assert clf.predict(texts[:5]).shape == (5,)
    with pytest.raises(NegativeCountError, match="never learned"):
        clf.unlearn(texts[:1], labels[:1])
    with pytest.raises(BayleafError, match="Found 0 of 400 learned texts"):
        clf.retune()
    clf.partial_fit(*corpus(500, seed=1))
    assert clf.chosen_["documents"] in (400, 500)  # derived from what came since, or not at all
    assert clf.predict(texts[:5]).shape == (5,)


def test_without_the_text_of_the_tokens() -> None:
    for family in FAMILIES:
        with_text = TextClassifier(family=family).fit(TEXTS, LABELS)
        without = TextClassifier(family=family, keep_text=False).fit(TEXTS, LABELS)
        np.testing.assert_array_equal(without.predict_proba(TEXTS), with_text.predict_proba(TEXTS))
        names = [[clue.name for clue in clf.explain(TEXTS[0]).clues] for clf in (with_text, without)]
        assert names[0] == names[1] == ["win", "money", "now", "win money", "money now"]
        with pytest.raises(BayleafError, match="not kept"):
            without.top_tokens()


@pytest.mark.parametrize("family", FAMILIES)
def test_top_tokens_speak_for_their_label(family: str) -> None:
    texts, labels = corpus(600)
    clf = TextClassifier("small", family=family).fit(texts, labels)
    top, whole = clf.top_tokens(8), clf.top_tokens(2**64)
    assert [rank[:8] for rank in whole.values()] == list(top.values())
    for label, low in (("ham", 0), ("spam", 50)):
        words, weights = zip(*top[label], strict=True)
        assert len(set(words)) == 8
        assert list(weights) == sorted(weights, reverse=True)
        assert sum(low <= int(word[1:]) < low + 50 for word in words) >= 7


@pytest.mark.parametrize("smoothing", ["lidstone", "background", "jelinek-mercer", "absolute"])
def test_every_smoothing_has_a_usual_strength_that_tells_labels_apart(smoothing: str) -> None:
    texts, labels = corpus(200)
    clf = TextClassifier("small", family="multinomial", smoothing=smoothing).fit(texts, labels)
    assert clf.score(texts, labels) > 0.9


def test_a_retained_text_that_is_gone_does_not_stop_anyone() -> None:
    """The same tokens in other letters take the same counts away, but another text is retained."""
    for family in FAMILIES:
        clf = TextClassifier(family=family).fit([*TEXTS, "Win  MONEY today"], [*LABELS, "spam"])
        clf.unlearn(["win money today"], ["spam"])
        assert clf.retune().chosen_["documents"] <= 4 + (family != "evidence")
        assert clf.predict(TEXTS).tolist() == LABELS


def test_everything_unlearned() -> None:
    for family in FAMILIES:
        clf = TextClassifier(family=family).fit(TEXTS, LABELS).unlearn(TEXTS, LABELS)
        assert clf._tally.documents.tolist() == [0, 0]
        np.testing.assert_allclose(clf.predict_proba(["lunch"]), [[0.5, 0.5]], atol=0.02)
        clf.partial_fit(TEXTS, LABELS)
        assert clf.predict(TEXTS).tolist() == LABELS


def test_little_data_is_not_believed() -> None:
    """Two separable documents a class leave some doubt; the same a hundred times leave less."""
    few, many = (TextClassifier().fit(TEXTS * n, LABELS * n) for n in (1, 100))
    assert few.predict_proba(["money"]).max() < 0.97
    assert many.table_.floor < few.table_.floor
    assert isinstance(few.table_, EvidenceTable)
    assert few.table_.floor >= 1 / 6


def test_more_classes_than_documents_have_no_offsets() -> None:
    """With thousands of classes a fit looks at fewer documents, and a step would take hours."""
    names = [f"c{n}" for n in range(40)]
    texts = [f"{name} is one of many words, {n}" for name in names for n in ("once", "again", "anew")]
    clf = TextClassifier().fit(texts, np.repeat(names, 3))
    assert any(clf.table_.offsets)
    few = clf.retune(texts[: 3 * 39 : 3], names[:39])
    assert few.table_.offsets == (0.0,) * 40
    assert (few.predict(names) == names).all()


@pytest.mark.parametrize("family", FAMILIES)
def test_a_copy_of_a_text_is_unlearned_from_the_group_it_is_in(family: str) -> None:
    texts, labels = corpus(60)
    first, second = [f"thread {i // 4}" for i in range(60)], [f"other {i // 7}" for i in range(60)]
    fresh = TextClassifier(family=family).fit(texts, labels, groups=second)
    clf = TextClassifier(family=family).fit(texts * 2, labels * 2, groups=first + second)
    clf.unlearn(texts, labels, groups=first).retune()
    assert clf._tally == fresh._tally
    assert clf._sample.first(60) == fresh._sample.first(60)
    assert clf.predict_proba(texts).tolist() == fresh.predict_proba(texts).tolist()


def test_a_copy_of_a_classifier_learns_for_itself() -> None:
    clf = TextClassifier().fit(TEXTS, LABELS)
    copy(clf).partial_fit(["more money"], ["spam"])
    assert len(clf._sample) == 4


@pytest.mark.parametrize("settings", [{}, {"family": "multinomial", "alpha": "auto"}], ids=str)
@pytest.mark.parametrize("asked", [False, True])
def test_a_difference_is_read_as_the_model_it_is_left_of(settings: dict[str, Any], asked: bool) -> None:
    """Never by what was derived for the other, and not by nothing because nobody had asked before."""
    texts, labels = corpus(400)
    more, others = corpus(200, seed=1)
    whole, other = (TextClassifier(**settings).partial_fit(more, others) for _ in range(2))
    whole.partial_fit(texts, labels)
    if asked:
        other.predict(more[:1])
    wanted = copy(whole)
    wanted.predict(texts[:1])
    wanted.unlearn(more, others)
    left = whole - other
    assert left.chosen_ == wanted.chosen_
    assert left.chosen_["documents"] > 400
    np.testing.assert_array_equal(left.predict_proba(texts), wanted.predict_proba(texts))
