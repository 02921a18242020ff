"""The set of labels: fixed by default, grown on request, united when models merge."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cases import Case, assert_same_model, each, same, state

import bayleaf


@each()
def test_grow_accepts_new_labels(case: Case) -> None:
    X, y = case.random(30)
    known = y < 2
    nb = case.make(new_labels="grow").fit(X[known], y[known])
    nb.partial_fit(X[~known], y[~known])
    assert nb.classes_.tolist() == [0, 1, 2]
    assert_same_model(nb, case.make().fit(X, y), X, case.exact)


@each()
def test_grow_keeps_labels_sorted_and_strings_whole(case: Case) -> None:
    """A longer label than any before is not cut."""
    X, y = case.random(30)
    names = np.array(["m", "z", "a much longer name"])[y]
    nb = case.make(new_labels="grow").fit(X[y < 2], names[y < 2]).partial_fit(X[y == 2], names[y == 2])
    assert nb.classes_.tolist() == ["a much longer name", "m", "z"]
    assert_same_model(nb, case.make().fit(X, names), X, case.exact)


@pytest.mark.parametrize("kind", [list, tuple, pd.Series, lambda y: np.array(y, dtype=object)])
@pytest.mark.parametrize(
    "clf", [bayleaf.GaussianNB(), bayleaf.CategoricalNB(), bayleaf.TextClassifier(), bayleaf.RecordClassifier()]
)
def test_labels_that_numpy_would_make_one_are_refused(clf: Any, kind: Any) -> None:
    """It drops zero characters at the end of a text: two classes became one without a word."""
    X: Any = ["b", "c", "d"] if isinstance(clf, bayleaf.TextClassifier) else [[1], [2], [3]]
    X = {"x": ["b", "c", "d"]} if isinstance(clf, bayleaf.RecordClassifier) else X
    with pytest.raises(bayleaf.BayleafError, match=r"label 'a\\x00' in y, which ends in a zero character"):
        clf.fit(X, kind(["a", "a\0", "b"]))
    assert clf.fit(X, kind(["a", "a\0b", "b"])).classes_.tolist() == ["a", "a\0b", "b"]


class Mood(str, Enum):  # noqa: UP042  (a StrEnum prints its value)
    GOOD = "good"
    BAD = "bad"


@pytest.mark.parametrize("kind", [list, tuple, lambda y: pd.Series(y, dtype=object)])
@pytest.mark.parametrize("clf", [bayleaf.MultinomialNB(), bayleaf.TextClassifier(), bayleaf.RecordClassifier()])
def test_members_of_an_enum_of_texts_are_the_texts(clf: Any, kind: Any, tmp_path: Path) -> None:
    """NumPy cut what they print to the length of their values: every member became the class 'Moo'."""
    X: Any = ["b", "c", "d"] if isinstance(clf, bayleaf.TextClassifier) else [[1], [2], [3]]
    X = {"x": ["b", "c", "d"]} if isinstance(clf, bayleaf.RecordClassifier) else X
    clf.fit(X, kind([Mood.GOOD, Mood.BAD, "good"]))
    assert clf.classes_.tolist() == ["bad", "good"]
    assert {type(label) for label in clf.classes_.tolist()} == {str}
    clf.save(tmp_path / "model")
    assert bayleaf.load(tmp_path / "model").classes_.tolist() == ["bad", "good"]
    clf.unlearn(X, kind([Mood.GOOD, "bad", Mood.GOOD]))
    with pytest.raises(bayleaf.BayleafError, match="ends in a zero character"):
        clf.fit(X, kind([Enum("Odd", {"A": "a\0"}, type=str).A, "b", "a"]))


@pytest.mark.parametrize("kind", [list, pd.Series, np.array])
@pytest.mark.parametrize("clf", [bayleaf.MultinomialNB(), bayleaf.TextClassifier(), bayleaf.RecordClassifier()])
def test_a_date_that_is_none_is_no_label(clf: Any, kind: Any) -> None:
    X: Any = ["b", "c", "d"] if isinstance(clf, bayleaf.TextClassifier) else [[1], [2], [3]]
    X = {"x": ["b", "c", "d"]} if isinstance(clf, bayleaf.RecordClassifier) else X
    days = [np.datetime64("2024-01-01"), np.datetime64("2024-01-02"), np.datetime64("NaT")]
    with pytest.raises(bayleaf.BayleafError, match=r"Input y contains NaT\. Every row needs a label"):
        clf.fit(X, kind(days))


@each()
def test_grow_needs_no_classes_in_the_first_partial_fit(case: Case) -> None:
    X, y = case.random(30)
    nb = case.make(new_labels="grow").partial_fit(X[:5], y[:5]).partial_fit(X[5:], y[5:])
    assert_same_model(nb, case.make().fit(X, y), X, case.exact)


@each()
def test_whole_numbers_of_any_width_are_one_kind(case: Case) -> None:
    X, y = case.random(30)
    small, want = (y + 1).astype(np.uint8), case.make().fit(X, y) + case.make().fit(X, y + 1)
    assert_same_model(case.make().fit(X, y) + case.make().fit(X, small), want, X, case.exact)
    assert_same_model(case.make(new_labels="grow").fit(X, y).partial_fit(X, small), want, X, case.exact)
    for other in (small.astype(np.uint64), small > 1, small + 0.0):  # with int64 some would be floats, or True be 1
        with pytest.raises(bayleaf.MismatchError, match="expected the same kind"):
            case.make().fit(X, y) + case.make().fit(X, other)


@each()
def test_grow_takes_in_what_classes_name_at_any_call(case: Case) -> None:
    X, y = case.random(30)
    nb = case.make(new_labels="grow").partial_fit(X, y, classes=[0, 1])
    nb.partial_fit(X[:3], y[:3], classes=[0, 1]).partial_fit(X[:3], y[:3], classes=[7])
    assert nb.classes_.tolist() == [0, 1, 2, 7]
    assert nb.class_count_[3] == 0


@each()
def test_labels_beyond_the_given_priors_are_refused_when_they_come(case: Case) -> None:
    """Not when somebody asks: by then the model could not answer any more."""
    X, y = case.random(30)
    name = "priors" if case.name == "GaussianNB" else "class_prior"
    nb = case.make(new_labels="grow", **{name: [0.5, 0.3, 0.2]}).fit(X, y)
    more = case.make().fit(X, y + 1)
    for failing in (lambda: nb.partial_fit(X, y + 1), lambda: nb.partial_fit(X, y, classes=[7]), lambda: nb + more):
        with pytest.raises(bayleaf.BayleafError, match=r"Found 3, expected 4"):
            failing()
    assert_same_model(nb, case.make(**{name: [0.5, 0.3, 0.2]}).fit(X, y), X, case.exact)


@each()
def test_partial_fit_wants_classes_first(case: Case) -> None:
    X, y = case.random(10)
    with pytest.raises(ValueError, match=r"classes must be passed on the first call to partial_fit\."):
        case.make().partial_fit(X, y)
    nb = case.make().partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="is not the same as on last call to partial_fit"):
        nb.partial_fit(X, y, classes=[0, 1])


@each()
def test_merge_unites_labels(case: Case) -> None:
    X, y = case.random(30)
    names = np.array(["b", "a", "c"])[y]
    left, right = y != 2, y != 0
    both = case.make().fit(X[left], names[left]).merge(case.make().fit(X[right], names[right]))
    assert both.classes_.tolist() == ["a", "b", "c"]
    twice = np.r_[np.flatnonzero(left), np.flatnonzero(right)]
    assert_same_model(both, case.make().fit(X[twice], names[twice]), X, case.exact)


@each()
def test_text_among_objects_does_not_mix_with_numbers(case: Case) -> None:
    X, y = case.random(30)
    words = np.array(["a", "b", "c"], dtype=object)[y]
    numbers, texts = case.make(new_labels="grow").fit(X, y), case.make(new_labels="grow").fit(X, words)
    for failing in (lambda: numbers + texts, lambda: texts + numbers, lambda: numbers.partial_fit(X, words)):
        with pytest.raises(bayleaf.MismatchError, match="expected the same kind"):
            failing()
    assert numbers.classes_.tolist() == [0, 1, 2]


@each()
def test_merge_gives_a_new_estimator_with_the_settings_of_the_first(case: Case) -> None:
    X, y = case.random(20)
    name = "var_smoothing" if case.name == "GaussianNB" else "alpha"
    a, b = case.make(**{name: 0.25}).fit(X, y), case.make(**{name: 0.75}).fit(X, y)
    before = state(a), state(b)
    merged = a + b
    assert merged is not a
    assert getattr(merged, name) == 0.25
    assert same(before[0], state(a))
    assert same(before[1], state(b))
    assert merged.class_count_.sum() == 40


@each()
def test_models_that_do_not_fit_together_are_refused(case: Case) -> None:
    X, y = case.random(20, width=4)
    nb = case.make().fit(X, y)
    other = bayleaf.PoissonNB() if case.name != "PoissonNB" else bayleaf.MultinomialNB()
    strangers = [other.fit(np.abs(np.round(X)), y)]
    if case.cell != "mixed":
        strangers.append(case.make().fit(X[:, :3], y))
    for stranger in strangers:
        before = state(nb)
        for call in (nb.merge, nb.__add__, nb.__sub__):
            with pytest.raises(bayleaf.MismatchError) as caught:
                call(stranger)
            assert len(str(caught.value)) > 20, "says what was found and what was expected"
        assert same(before, state(nb))


@each()
def test_adding_something_else_is_refused(case: Case) -> None:
    nb = case.make().fit(*case.random(10))
    with pytest.raises((TypeError, bayleaf.MismatchError), match="int"):
        nb + 1
    with pytest.raises((TypeError, bayleaf.MismatchError), match="str"):
        nb.merge("model")


@each()
def test_merging_needs_fitted_models(case: Case) -> None:
    from sklearn.exceptions import NotFittedError

    nb = case.make().fit(*case.random(10))
    with pytest.raises(NotFittedError):
        nb.merge(case.make())
    with pytest.raises(NotFittedError):
        case.make().merge(nb)


@each()
def test_feature_names_must_agree_when_merging(case: Case) -> None:
    import pandas as pd

    X, y = case.random(20)
    frames = [pd.DataFrame(X, columns=[f"{p}{i}" for i in range(X.shape[1])]) for p in "ab"]
    a, b = (case.make().fit(f, y) for f in frames)
    with pytest.raises(bayleaf.MismatchError, match=r"a0|b0|(?i:names)"):
        a.merge(b)
    assert list((a + a).feature_names_in_) == list(frames[0].columns)


@each()
def test_unlearning_what_was_never_learned_is_refused(case: Case) -> None:
    X, y = case.random(20)
    nb = case.make().fit(X, y)
    before = state(nb)
    many = np.repeat(np.arange(20), 2)
    with pytest.raises(bayleaf.NegativeCountError, match=r"(?i)negative|more|never|less"):
        nb.unlearn(X[many], y[many])
    with pytest.raises(ValueError, match="9"):
        nb.unlearn(X[:1], [9])
    assert same(before, state(nb))


@each()
def test_everything_can_be_unlearned(case: Case) -> None:
    """The model knows its labels and nothing else, and can learn again."""
    X, y = case.random(20)
    nb = case.make().fit(X, y).unlearn(X, y)
    assert nb.class_count_.tolist() == [0, 0, 0]
    np.testing.assert_allclose(nb.predict_proba(X), 1 / 3)  # without a warning
    assert_same_model(nb.partial_fit(X, y), case.make().fit(X, y), X, case.exact)


@each()
@pytest.mark.parametrize("strange", [float("nan"), np.float64("nan"), None, pd.NA, 1, True, b"a"], ids=repr)
def test_a_list_of_text_labels_with_something_else_is_refused(case: Case, strange: object) -> None:
    """NumPy alone would make text of it: a label "nan" or "1", or one label of "a" and b"a"."""
    X, y = case.random(30)
    names = [["a", "b", "c"][i] for i in y]
    assert case.make().fit(X, [*names[:-1], np.str_("c")]).classes_.tolist() == ["a", "b", "c"]
    for given in ([*names[:-1], strange], (strange, *names[1:])):
        with pytest.raises(bayleaf.BayleafError, match=r"missing value|mixes labels"):
            case.make().fit(X, given)


def test_the_remedy_for_a_strange_label_is_one_that_helps() -> None:
    nb = bayleaf.MultinomialNB().fit([[1, 2], [3, 4]], ["a", "b"])
    for call in (nb.unlearn, nb.loo_predict_log_proba):
        with pytest.raises(bayleaf.BayleafError, match=r"Pass the labels under which the rows were learned$"):
            call([[1, 2]], ["c"])
    with pytest.raises(bayleaf.BayleafError, match=r'new_labels="grow"$'):
        nb.partial_fit([[1, 2]], ["c"])
