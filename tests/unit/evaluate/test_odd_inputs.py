"""Measures refuse what cannot be measured, and say what is wrong."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from bayleaf import BayleafError, MultinomialNB
from bayleaf.evaluate.curve import learning_curve
from bayleaf.evaluate.mistakes import worst
from bayleaf.evaluate.scores import measure

LOGS = np.log([[0.4, 0.6], [0.4, 0.6]])
X, Y = np.eye(20), np.arange(20) % 2


def test_rows_without_a_label_and_labels_given_twice() -> None:
    with pytest.raises(BayleafError, match="rows without a label"):
        measure([0.0, 1.0], [0.0, np.nan], LOGS)
    with pytest.raises(
        BayleafError, match=r"Found the label 'a' twice.*expected each once: pass classes_, then the truth"
    ):
        measure(["b", "a", "a"] * 99, ["a", "a"], LOGS)
    with pytest.raises(BayleafError, match="2 rows of probabilities and 1 labels"):
        worst(["a", "b"], ["a"], LOGS)


def test_a_curve_has_two_points_and_takes_any_sparse_matrix() -> None:
    rows = sparse.coo_array(X)
    assert len(learning_curve(MultinomialNB, rows, Y, points=3)) == 2
    with pytest.raises(BayleafError, match="1 points"):
        learning_curve(MultinomialNB, rows, Y, points=1)


def test_a_curve_wants_what_makes_models() -> None:
    with pytest.raises(BayleafError, match=r"Found a MultinomialNB; expected what makes an empty one"):
        learning_curve(MultinomialNB(), X, Y)


def test_labels_in_a_table_are_refused_with_the_remedy() -> None:
    y = ["a", "b"]
    tables = np.array(y)[:, None], np.array("a"), pd.DataFrame({"y": y}), pl.DataFrame({"y": y}), pa.table({"y": y})
    for table in tables:
        with pytest.raises(BayleafError, match=r"expected one column"):
            measure(["a", "b"], table, LOGS)


def test_labels_that_are_lists_are_refused() -> None:
    with pytest.raises(BayleafError, match=r"Found the label \['a'\]; expected one value for each row"):
        measure(["a", "b"], [["a"], ["b"]], LOGS)


def test_labels_that_are_dates_are_written_as_text() -> None:
    days = np.array(["2026-11-18", "2026-11-19"], "M8[D]")
    told = json.loads(json.dumps(measure(days, days, LOGS).to_dict()))
    assert (told["labels"], told["majority"]) == (["2026-11-18", "2026-11-19"], "2026-11-18")
    assert [one["label"] for one in told["classes"]] == told["labels"]


@pytest.mark.filterwarnings("error")
def test_scores_that_are_no_probabilities_are_refused_without_a_word_of_numpy() -> None:
    with pytest.raises(BayleafError, match="do not add up to 1"):
        measure(["a", "b"], ["a", "b"], LOGS + 1000)


def test_the_worst_mistakes_of_no_probabilities() -> None:
    for logs in (LOGS[:, :1], np.log(np.full((2, 3), 1 / 3)), LOGS[:, 0], [[np.nan, 0.0], [0.0, -9.0]]):
        with pytest.raises(BayleafError, match=r"expected \(2, 2\): rows by known labels"):
            worst(iter(["a", "b"]), ["a", "b"], logs)


@pytest.mark.parametrize(
    ("test", "words"),
    [((X, None), "expected both"), ((None, Y), "expected both"), ((X, Y[:5]), "Found 20 rows and 5 labels")],
)
def test_a_curve_is_measured_on_rows_with_their_labels(test: tuple[Any, Any], words: str) -> None:
    with pytest.raises(BayleafError, match=words):
        learning_curve(MultinomialNB, X, Y, *test)


def test_a_curve_is_learned_from_rows_with_their_labels() -> None:
    for rows in (X, X.tolist(), {"x": X[:, 0]}, pd.DataFrame(X), sparse.coo_array(X), pa.table({"x": X[:, 0]})):
        with pytest.raises(BayleafError, match="Found 20 rows and 19 labels"):
            learning_curve(MultinomialNB, rows, Y[:-1])
    for missing in (None, float("nan")):
        with pytest.raises(BayleafError, match="rows without a label"):
            learning_curve(MultinomialNB, X, ["a", missing] * 10)
