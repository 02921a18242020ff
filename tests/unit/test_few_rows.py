"""What is chosen and told where there are hardly any rows: a class that one row has says nothing without it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bayleaf import BernoulliNB, CategoricalNB, ComplementNB, MultinomialNB, RecordClassifier, TextClassifier

COUNTED = (MultinomialNB, ComplementNB, BernoulliNB, CategoricalNB)
TEXTBOOK = ("multinomial", "boolean", "complement", "bernoulli")


@pytest.mark.parametrize("estimator", COUNTED)
@pytest.mark.parametrize("classes", [1, 2, 3])
def test_one_row_per_class_leaves_alpha_at_the_usual_one(estimator: type[Any], classes: int) -> None:
    X, y = np.eye(classes), np.arange(classes)
    nb = estimator(alpha="auto").fit(X, y)
    assert nb.alpha_ == 1.0
    np.testing.assert_array_equal(nb.predict_proba(X), estimator().fit(X, y).predict_proba(X))


@pytest.mark.parametrize(("smoothing", "usual"), [("lidstone", 1.0), ("jelinek-mercer", 0.5), ("absolute", 0.5)])
def test_where_all_strengths_are_alike_the_usual_one_is_taken(smoothing: str, usual: float) -> None:
    nb = MultinomialNB(alpha="auto", smoothing=smoothing).fit([[1], [2], [1], [3]], ["a", "b", "a", "b"])
    assert nb.alpha_ == usual


@pytest.mark.parametrize("estimator", COUNTED)
@pytest.mark.parametrize("rows", [2, 3, 30])
def test_a_few_rows_that_are_all_right_do_not_choose_the_edge_of_what_is_tried(estimator: type[Any], rows: int) -> None:
    """Of two rows per class that have nothing in common, the less is smoothed, the less log loss is left."""
    nb = estimator(alpha="auto").fit(np.repeat(np.eye(2), rows, axis=0), np.repeat(["a", "b"], rows))
    assert 0.1 <= nb.alpha_ <= 1
    silent = estimator(alpha="auto").fit(np.eye(2), ["a", "b"])
    assert (nb + silent + silent + silent).alpha_ == nb.alpha_  # doubts count once
    assert ((nb + nb) - nb).alpha_ == (nb + nb).alpha_
    assert nb.predict_proba([[1, 0]]).max() < (1 if rows == 30 else 0.999)


@pytest.mark.parametrize("estimator", COUNTED)
def test_four_rows_that_are_all_wrong_do_not_make_all_classes_alike(estimator: type[Any]) -> None:
    assert estimator(alpha="auto").fit([[1, 0], [0, 1], [1, 0], [0, 1]], list("aabb")).alpha_ <= 10


@pytest.mark.parametrize("family", TEXTBOOK)
def test_four_texts_choose_no_edge_either(family: str) -> None:
    clf = TextClassifier(family=family, alpha="auto").fit(["buy now", "buy it now", "hello you", "hello"], list("aabb"))
    assert 0.1 <= clf.chosen_["alpha"] <= 10


def test_a_row_of_fractional_weight_is_alone_in_its_class_too() -> None:
    assert MultinomialNB(alpha="auto").fit(np.eye(2), ["a", "b"], sample_weight=[0.3, 0.7]).alpha_ == 1.0


@pytest.mark.parametrize("family", TEXTBOOK)
@pytest.mark.parametrize("groups", [None, ["first", "second", "third"]])
def test_a_lone_text_is_no_proof_of_its_class(family: str, groups: list[str] | None) -> None:
    """Without it the class has no words, which is not why a text belongs to it."""
    texts, labels = ["hello friend", "buy now", "see you"], ["ham", "spam", "other"]
    clf = TextClassifier(family=family, alpha="auto").fit(texts, labels, groups=groups)
    assert (clf.chosen_["alpha"], clf.chosen_["documents"], clf.chosen_["loo_log_loss"]) == (1.0, 0, None)
    assert 1 / 3 < clf.predict_proba(texts).max() < 0.6
    left_out = np.exp(clf.loo_predict_log_proba(texts, labels, groups=groups))
    np.testing.assert_allclose(left_out, np.where(clf.classes_ == np.array(labels)[:, None], 0.0, 0.5))


@pytest.mark.parametrize("others", [2, 4, 20])
def test_one_text_of_a_label_does_not_make_it_the_answer_to_unknown_words(others: int) -> None:
    """Left out, it has no known words: that is no reason to take all such texts for that label."""
    texts = [f"{animal} number{n}" for n in range(others) for animal in ("cat", "dog")]
    clf = TextClassifier().fit([*texts, "fish"], ["a", "b"] * others + ["c"])
    assert clf.chosen_["documents"] == 2 * others
    assert clf.table_ is not None
    assert clf.table_.prior >= 0
    assert clf.table_.offsets[2] == pytest.approx(0, abs=1e-4)
    unknown = clf.predict_proba(["zebra", ""])
    assert (unknown[:, 2] < unknown[:, 0]).all()
    assert clf.predict(["cat", "dog", "fish"]).tolist() == ["a", "b", "c"]
    gone = clf.unlearn(["fish"], ["c"]).predict_proba(["zebra"])[0]
    assert gone[2] < gone[0]


def test_texts_of_which_none_can_be_judged_have_no_figures() -> None:
    clf = TextClassifier().fit(["hello friend", "buy now"], ["ham", "spam"])
    assert (clf.chosen_["documents"], clf.chosen_["loo_accuracy"], clf.chosen_["loo_log_loss"]) == (0, None, None)
    assert clf.predict(["hello", "buy"]).tolist() == ["ham", "spam"]
    assert clf.predict_proba(["hello friend"]).max() < 0.6


def test_a_label_within_one_group_of_texts_is_not_judged() -> None:
    clf = TextClassifier().fit(["a b", "a c", "d e", "d f"], ["x", "x", "y", "y"], groups=[1, 1, 2, 3])
    assert clf.chosen_["documents"] == 2


@pytest.mark.parametrize("family", TEXTBOOK)
def test_a_class_within_one_group_is_unknown_without_it(family: str) -> None:
    texts, labels = ["buy now", "buy this now", "hello you", "hello friend"], ["spam", "spam", "ham", "ham"]
    clf = TextClassifier(family=family).fit(texts, labels, groups=["a", "a", "b", "c"])
    assert clf.chosen_["documents"] == 2
    left_out = np.exp(clf.loo_predict_log_proba(texts, labels, groups=["a", "a", "b", "c"]))
    assert left_out[:2].tolist() == [[1.0, 0.0]] * 2


@pytest.mark.parametrize("column", [[1.5, 2.5], ["red", "blue"]])
def test_two_records_are_not_believed(column: list[Any]) -> None:
    """Nothing could be judged, so nobody knows how often the model is right."""
    clf = RecordClassifier().fit({"x": column}, ["a", "b"])
    assert clf.chosen_["loo_rows"] == 0
    assert clf.predict({"x": column}).tolist() == ["a", "b"]
    assert clf.predict_proba({"x": column}).max() <= 0.75
