"""MixedNB: a family per column, inferred or given, from any table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bayleaf import (
    BayleafError,
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    MismatchError,
    MixedNB,
    MultinomialNB,
    PoissonNB,
)

N = 60
RNG = np.random.default_rng(0)
Y = np.arange(N) % 3
COLUMNS = {
    "height": RNG.normal(Y, 1.0),
    "visits": RNG.poisson(1.0 + Y),
    "colour": np.array(["red", "green", "blue"])[RNG.integers(0, 3, N)],
    "member": RNG.random(N) < 0.3 + 0.2 * Y,
}
TABLES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def names(columns: Any) -> set[str]:
    return {str(c) for c in columns}


@pytest.mark.parametrize("kind", TABLES)
def test_families_are_inferred_from_dtypes(kind: str) -> None:
    nb = MixedNB().fit(TABLES[kind](COLUMNS), Y)
    assert names(nb.families_["gaussian"]) == {"height", "visits"}
    assert names(nb.families_["categorical"]) == {"colour", "member"}
    assert list(nb.feature_names_in_) == list(COLUMNS)
    assert nb.n_features_in_ == 4


def test_all_tables_give_the_same_model() -> None:
    answers = [MixedNB().fit(make(COLUMNS), Y).predict_proba(make(COLUMNS)) for make in TABLES.values()]
    np.testing.assert_array_equal(answers[0], answers[1])
    np.testing.assert_array_equal(answers[0], answers[2])


def test_pandas_categories_are_categories() -> None:
    frame = pd.DataFrame(COLUMNS)
    frame["colour"] = frame["colour"].astype("category")
    a, b = MixedNB().fit(frame, Y), MixedNB().fit(pd.DataFrame(COLUMNS), Y)
    assert names(a.families_["categorical"]) == {"colour", "member"}
    np.testing.assert_array_equal(a.predict_proba(frame), b.predict_proba(pd.DataFrame(COLUMNS)))


def test_a_plain_array_is_gaussian() -> None:
    X = np.column_stack([COLUMNS["height"], COLUMNS["visits"]])
    a, b = MixedNB().fit(X, Y), GaussianNB(var_scope="feature").fit(X, Y)
    np.testing.assert_allclose(a.predict_joint_log_proba(X), b.predict_joint_log_proba(X), rtol=1e-12)


@pytest.mark.parametrize(
    ("family", "alone"),
    [
        ("gaussian", GaussianNB(var_scope="feature")),
        ("poisson", PoissonNB()),
        ("multinomial", MultinomialNB()),
        ("bernoulli", BernoulliNB()),
        ("categorical", CategoricalNB()),
    ],
)
def test_one_block_is_that_estimator(family: str, alone: Any) -> None:
    X = np.random.default_rng(1).integers(0, 3, (N, 4)).astype(float)
    nb = MixedNB(families={family: [0, 1, 2, 3]}).fit(X, Y)
    want = alone.fit(X, Y).predict_joint_log_proba(X)
    np.testing.assert_allclose(nb.predict_joint_log_proba(X), want, rtol=1e-12, atol=1e-12)


def test_given_families_by_name_and_by_index_agree() -> None:
    frame = pd.DataFrame(COLUMNS)
    by_name = MixedNB(families={"gaussian": ["height"], "poisson": ["visits"], "categorical": ["colour", "member"]})
    by_index = MixedNB(families={"gaussian": [0], "poisson": [1], "categorical": [2, 3]})
    np.testing.assert_array_equal(
        by_name.fit(frame, Y).predict_proba(frame), by_index.fit(frame, Y).predict_proba(frame)
    )


def test_blocks_add_up() -> None:
    """log P(c) + the likelihoods of the two blocks."""
    frame = pd.DataFrame(COLUMNS)
    nb = MixedNB(families={"gaussian": ["height"], "categorical": ["colour"]}).fit(frame[["height", "colour"]], Y)
    a = GaussianNB().fit(frame[["height"]], Y).predict_joint_log_proba(frame[["height"]])
    b = CategoricalNB().fit(frame[["colour"]], Y).predict_joint_log_proba(frame[["colour"]])
    prior = np.log(np.ones(3) / 3)
    got = nb.predict_joint_log_proba(frame[["height", "colour"]])
    np.testing.assert_allclose(got, a + b - prior, rtol=1e-12)


def test_merging_and_unlearning_tables() -> None:
    """Parts that know different colours know all of them together, in any order."""
    frame = pd.DataFrame(COLUMNS)
    red = (frame["colour"] == "red").to_numpy()
    parts = [MixedNB().fit(frame[m], Y[m]) for m in (red, ~red)]
    whole = MixedNB().fit(frame, Y).predict_joint_log_proba(frame)
    np.testing.assert_allclose((parts[0] + parts[1]).predict_joint_log_proba(frame), whole, rtol=1e-10)
    np.testing.assert_allclose((parts[1] + parts[0]).predict_joint_log_proba(frame), whole, rtol=1e-10)
    nb = MixedNB().fit(frame, Y).partial_fit(frame[:9], Y[:9]).unlearn(frame[:9], Y[:9])
    np.testing.assert_allclose(nb.predict_joint_log_proba(frame), whole, rtol=1e-9)


@pytest.mark.parametrize(
    ("families", "message"),
    [
        ({"gaussian": ["height"], "poisson": ["height"]}, "height"),
        ({"gaussian": ["weight"]}, "weight"),
        ({"normal": ["height"]}, "normal"),
        ({"gaussian": [17]}, "17"),
        ({"gaussian": ["height", "visits", "colour"], "categorical": ["member"]}, "(?i)colour|red|string"),
        ({"gaussian": "height"}, "found 'height'. Put it in a list"),
        ({"gaussian": 0}, "found 0. Put it in a list"),
        ({"gaussian": slice(0, 4)}, r"found slice\(0, 4, None\). Put it in a list"),
        ({"gaussian": [0.0]}, "No column 0.0"),
        ({"gaussian": [True, True, False, False]}, "No column True"),
        ({"gaussian": np.array([True, True, False, False])}, "No column np.True_"),
        ({"gaussian": [None]}, "No column None"),
    ],
)
def test_senseless_families_are_refused(families: dict[str, list[Any]], message: str) -> None:
    """A column twice, an unknown column, an unknown family, an index too large, words for a Gaussian."""
    with pytest.raises(ValueError, match=message):
        MixedNB(families=families).fit(pd.DataFrame(COLUMNS), Y)


def test_columns_in_another_order_are_refused() -> None:
    frame = pd.DataFrame(COLUMNS)
    nb = MixedNB().fit(frame, Y)
    with pytest.raises(ValueError, match=r"(?i)feature names"):
        nb.predict(frame[["visits", "height", "colour", "member"]])


def test_families_that_were_changed_are_not_counted_beside_the_others() -> None:
    frame = pd.DataFrame(COLUMNS)[["height", "colour"]]
    nb = MixedNB().fit(frame, Y)
    before = nb.class_count_
    nb.set_params(families={"categorical": ["height", "colour"]})
    for ask in (nb.partial_fit, nb.unlearn, nb.loo_predict_log_proba):
        with pytest.raises(MismatchError, match="Set them back"):
            ask(frame, Y)
    with pytest.raises(MismatchError, match="Set them back"):
        nb.predict(frame)
    nb.set_params(families="gaussian")
    with pytest.raises(ValueError, match="'families' parameter"):
        nb.predict(frame)
    nb.set_params(families={"gaussian": [0], "categorical": ["colour"]}).partial_fit(frame, Y)
    assert (nb.class_count_ == 2 * before).all()


def test_numbers_beyond_float64_are_refused_and_long_ones_are_numbers() -> None:
    with pytest.raises(BayleafError, match="Column 'x0' holds 1000"):
        MixedNB().fit(np.array([[10**400], [5]], dtype=object), [0, 1])
    long = pd.DataFrame({"size": np.arange(4, dtype=np.longdouble)})
    assert MixedNB().fit(long, [0, 0, 1, 1]).families_ == {"gaussian": ["size"]}


def test_digits_are_numbers_and_what_is_none_is_told() -> None:
    nb = MixedNB(families={"gaussian": ["a"]}).fit(pd.DataFrame({"a": ["1", "2", None, "7"]}), [0, 0, 1, 1])
    with pytest.raises(BayleafError, match="Column 'a' holds 'seven'; expected numbers"):
        nb.predict(pd.DataFrame({"a": ["1", None, "seven"]}))


def test_a_table_whose_columns_stand_otherwise_does_not_merge_with_a_plain_estimator() -> None:
    X, y = np.array([[5, 0, 1], [0, 7, 2], [1, 1, 9]]), [0, 1, 1]
    plain = MultinomialNB().fit(X, y)
    same = MixedNB(families={"multinomial": [0, 1, 2]}).fit(X, y)
    np.testing.assert_array_equal((plain + same).feature_count_, 2 * plain.feature_count_)
    turned = MixedNB(families={"multinomial": [2, 1, 0]}).fit(X, y)
    for call in (lambda: plain + turned, lambda: turned + plain, lambda: plain - turned):
        with pytest.raises(MismatchError, match=r"order.*\[2, 1, 0\]"):
            call()


def test_columns_called_by_numbers_are_named_by_their_place() -> None:
    table = pd.DataFrame([[1, 2], [3, 4]], columns=[10, 20])
    with pytest.raises(BayleafError, match=r"No column 10; expected one of '10', '20', or a number from 0 to 1"):
        MixedNB(families={"gaussian": [10, 20]}).fit(table, [0, 1])
    assert MixedNB(families={"gaussian": [0, 1]}).fit(table, [0, 1]).families_ == {"gaussian": ["x0", "x1"]}
