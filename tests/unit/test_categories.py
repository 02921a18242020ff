"""Categories: codes, strings, and what to do with one that was never seen."""

from __future__ import annotations

import pickle
from copy import copy
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from bayleaf import BayleafError, CategoricalNB, MixedNB

FRUIT = [["red", "big"], ["red", "small"], ["green", "big"], ["green", "small"], ["green", "big"]]
Y = ["apple", "apple", "pear", "pear", "pear"]


def forms() -> dict[str, Any]:
    return {
        "list": FRUIT,
        "object": np.array(FRUIT, dtype=object),
        "str": np.array(FRUIT),
        "pandas": pd.DataFrame(FRUIT, columns=["colour", "size"]),
        "category": pd.DataFrame(FRUIT, columns=["colour", "size"]).astype("category"),
        "polars": pl.DataFrame(FRUIT, schema=["colour", "size"], orient="row"),
    }


@pytest.mark.parametrize("form", forms())
def test_strings_are_categories(form: str) -> None:
    X = forms()[form]
    nb = CategoricalNB().fit(X, Y)
    assert [list(c) for c in nb.categories_] == [["green", "red"], ["big", "small"]]
    assert list(nb.n_categories_) == [2, 2]
    assert [t.tolist() for t in nb.category_count_] == [[[0, 2], [3, 0]], [[1, 1], [2, 1]]]
    codes = [[1, 0], [1, 1], [0, 0], [0, 1], [0, 0]]
    want = CategoricalNB().fit(codes, Y).predict_joint_log_proba(codes)
    np.testing.assert_array_equal(nb.predict_joint_log_proba(X), want)


NEW = np.array([["blue", "big"]], dtype=object)


def test_an_unseen_category_is_left_out_by_default() -> None:
    nb = CategoricalNB().fit(FRUIT, Y)
    want = np.array([2 / 5 * 2 / 4, 3 / 5 * 3 / 5])
    np.testing.assert_allclose(nb.predict_proba(NEW)[0], want / want.sum(), rtol=1e-12)


def test_an_unseen_category_smoothed_has_count_zero() -> None:
    """Every column keeps a place for a category to come: (0 + 1) / (N + |V| + 1)."""
    nb = CategoricalNB(unseen="smooth").fit(FRUIT, Y)
    want = [2 / 5 * (0 + 1) / (2 + 3) * (1 + 1) / (2 + 3), 3 / 5 * (0 + 1) / (3 + 3) * (2 + 1) / (3 + 3)]
    np.testing.assert_allclose(np.exp(nb.predict_joint_log_proba(NEW)[0]), want, rtol=1e-12)


@pytest.mark.parametrize("family", [CategoricalNB, MixedNB])
def test_an_unseen_category_can_be_an_error(family: type) -> None:
    nb = family(unseen="error").fit(pd.DataFrame(FRUIT, columns=["colour", "size"]), Y)
    new = pd.DataFrame(NEW, columns=["colour", "size"])
    with pytest.raises(ValueError, match=r'blue.* Learn it first, or set unseen="ignore" to pass it over'):
        nb.predict(new)
    with pytest.raises(ValueError, match=r"blue.* Pass rows as they were learned$"):
        nb.loo_predict_log_proba(new, ["pear"])
    nb.set_params(unseen="ignore").predict(new)


@pytest.mark.parametrize("unseen", ["ignore", "smooth"])
def test_unseen_codes_follow_the_policy_too(unseen: str) -> None:
    nb = CategoricalNB(unseen=unseen).fit([[0], [1], [1]], [0, 1, 1])
    proba = nb.predict_proba([[7]])
    assert np.isfinite(proba).all()
    if unseen == "ignore":
        np.testing.assert_allclose(proba, [[1 / 3, 2 / 3]], rtol=1e-12)
    with pytest.raises(ValueError, match="7"):
        CategoricalNB(unseen="error").fit([[0], [1], [1]], [0, 1, 1]).predict([[7]])


def test_new_categories_can_be_learned_later() -> None:
    nb = CategoricalNB().fit(FRUIT, Y).partial_fit(NEW, ["pear"])
    assert list(nb.n_categories_) == [3, 2]
    assert set(nb.categories_[0]) == {"blue", "green", "red"}
    whole = CategoricalNB().fit([*FRUIT, *NEW.tolist()], [*Y, "pear"])
    np.testing.assert_allclose(nb.predict_joint_log_proba(FRUIT), whole.predict_joint_log_proba(FRUIT), rtol=1e-12)


def test_parts_with_different_categories_merge() -> None:
    a, b = CategoricalNB().fit(FRUIT[:2], Y[:2]), CategoricalNB().fit(FRUIT[2:], Y[2:])
    whole = CategoricalNB().fit(FRUIT, Y).predict_joint_log_proba(FRUIT)
    for merged in (a + b, b.merge(a)):
        np.testing.assert_allclose(merged.predict_joint_log_proba(FRUIT), whole, rtol=1e-12)


def test_samples_are_categories_again() -> None:
    X, y = CategoricalNB().fit(FRUIT, Y).sample(50, random_state=0)
    assert {row[0] for row in np.asarray(X)} == {"red", "green"}
    assert set(y) == {"apple", "pear"}


def test_unlearning_a_category_never_seen_is_refused() -> None:
    nb = CategoricalNB().fit(FRUIT, Y)
    with pytest.raises(ValueError, match=r"blue.* Pass rows as they were learned$"):
        nb.unlearn(NEW, ["pear"])


CODES = [[0, 1], [1, 0], [0, 0], [2, 1], [5, 9]]


@pytest.mark.parametrize("kind", [CategoricalNB, MixedNB])
@pytest.mark.parametrize("rows", [[*FRUIT[:4], ["blue", "huge"]], CODES])
def test_categories_of_rows_without_weight_are_absent(kind: Any, rows: Any) -> None:
    params = {"families": {"categorical": [0, 1]}} if kind is MixedNB else {}
    w = np.array([2.0, 1.0, 1.0, 3.0, 0.0])
    whole, part = kind(**params).fit(rows, Y, w), kind(**params).fit(rows[:4], Y[:4], w[:4])
    np.testing.assert_array_equal(whole.predict_joint_log_proba(rows), part.predict_joint_log_proba(rows))
    np.testing.assert_allclose(
        whole.loo_predict_log_proba(rows, Y, w)[:4], part.loo_predict_log_proba(rows[:4], Y[:4], w[:4])
    )
    part.partial_fit(rows, Y, sample_weight=[0.0, 0, 0, 0, 0])
    np.testing.assert_array_equal(whole.predict_joint_log_proba(rows), part.predict_joint_log_proba(rows))
    assert whole.unlearn(rows, Y, w).class_count_.tolist() == [0.0, 0.0]


def test_an_unseen_number_is_told_as_it_was_written() -> None:
    nb = CategoricalNB(unseen="error").fit(np.array([[0.0], [1.0]]), [0, 1])
    with pytest.raises(ValueError, match=r"Unseen category 7.0 in row 0"):
        nb.predict(np.array([[7.0]]))


@pytest.mark.parametrize("kind", [CategoricalNB, MixedNB])
@pytest.mark.parametrize(
    ("learned", "asked"),
    [(["1", "2", "3"], [1]), ([1, 2, 3], ["1"]), ([True, False, True], ["True"]), ([1.5, 2.5, None], ["1.5"])],
)
def test_text_is_no_unseen_number_and_a_number_no_unseen_text(kind: type, learned: list[Any], asked: list[Any]) -> None:
    def table(values: list[Any]) -> np.ndarray:
        return np.array([["red", value] for value in values], dtype=object)

    X, y, strange = table(learned), ["a", "b", "a"], table(asked)
    nb = kind(families={"categorical": [0, 1]}) if kind is MixedNB else kind()
    with pytest.raises(BayleafError, match=r"in column x1 where .* is known; expected text in both"):
        nb.fit(table([*learned, *asked]), [*y, "a"])
    nb.fit(X, y)
    known = nb.predict_proba(X)
    for call in (
        nb.predict,
        nb.explain,
        nb.score_samples,
        lambda X: nb.partial_fit(X, ["a"]),
        lambda X: nb + copy(nb).fit(X, ["a"]),
    ):
        with pytest.raises(BayleafError, match=rf"Found {asked[0]!r}|where {asked[0]!r}"):
            call(strange)
    np.testing.assert_array_equal(nb.predict_proba(X), known)
    assert np.isfinite(nb.predict_proba(table([type(learned[0])(7), None]))).all()  # unseen, of the same kind


@pytest.mark.parametrize("kind", [CategoricalNB, MixedNB])
def test_values_that_nobody_can_take_for_each_other_may_share_a_column(kind: type) -> None:
    X = np.array([["red", True], ["x", None], ["y", 3]], dtype=object)
    nb = (kind(families={"categorical": [0, 1]}) if kind is MixedNB else kind()).fit(X[:, ::-1], ["a", "b", "a"])
    nb.partial_fit([["other", "x"]], ["b"])
    assert list(nb._encoder.categories[0]) == [True, 3, "other"]
    nb.predict([["new", "new"]])
    with pytest.raises(BayleafError, match="Found '3' in column x0 where 3 is known"):
        nb.predict([["3", "x"]])


class Hashed(str):
    """A word that counts how often words are looked up."""

    __slots__ = ()
    times = 0

    def __hash__(self) -> int:
        Hashed.times += 1
        return str.__hash__(self)


@pytest.mark.parametrize("kind", [CategoricalNB, MixedNB])
def test_a_row_does_not_cost_a_look_at_every_category(kind: type) -> None:
    rows = np.array([[Hashed(f"word {i}")] for i in range(500)], dtype=object)
    nb = kind().fit(rows, np.arange(500) % 2)
    nb.predict(rows[:1])
    Hashed.times = 0
    nb.partial_fit(rows[:1], [0]).predict(rows[:1])
    assert 0 < Hashed.times < 50


def test_a_pickle_is_as_long_after_an_answer_as_before() -> None:
    nb = pickle.loads(pickle.dumps(CategoricalNB().fit(FRUIT, Y)))
    known = nb._encoder
    before = len(pickle.dumps(known))
    answers = nb.predict_proba(FRUIT)
    assert len(pickle.dumps(known)) == before
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(nb)).predict_proba(FRUIT), answers)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_model_of_codes_takes_objects_as_codes_and_none_as_missing(missing: Any) -> None:
    X, y = [[0, 1], [1, 0], [2, 1], [1, 1]], [0, 1, 1, 0]
    nb, objects = CategoricalNB().fit(X, y), [[1, missing], [2, 0]]
    codes = np.array([[1, np.nan], [2, 0]])
    for given in (objects, np.array(objects, dtype=object), pd.DataFrame(objects, dtype=object)):
        np.testing.assert_array_equal(nb.predict_proba(given), nb.predict_proba(codes))
    more = copy(nb).partial_fit(objects, [0, 1])
    np.testing.assert_array_equal(
        more.predict_proba(X), CategoricalNB().fit(np.vstack([X, codes]), [*y, 0, 1]).predict_proba(X)
    )
    np.testing.assert_array_equal(more.unlearn(objects, [0, 1]).predict_proba(X), nb.predict_proba(X))
    for strange in ("red", np.inf, 10**400):
        with pytest.raises(BayleafError, match="expected category codes: the model was fitted on codes"):
            nb.predict(np.array([[1, strange]], dtype=object))


def test_the_code_of_an_unknown_category_is_nan() -> None:
    X, new = np.array([["red"], ["green"]]), np.array([["blue"]])

    def pipeline(unknown: float) -> Any:
        encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=unknown)
        return make_pipeline(encoder, CategoricalNB()).fit(X, [0, 1])

    with pytest.raises(BayleafError, match=r"found -1 in row 0, column 0;.* category codes.*unknown_value=np\.nan"):
        pipeline(-1).predict(new)
    with pytest.raises(BayleafError, match="expected category codes from 0 on"):
        CategoricalNB().fit([[-1.0]], [0])
    np.testing.assert_allclose(pipeline(np.nan).predict_proba(new), 0.5)
