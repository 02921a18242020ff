"""Pictures of what is not all there: missing cells, classes without rows, columns without values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import CategoricalNB as SklearnCategoricalNB

from bayleaf import BayleafError, CategoricalNB, GaussianNB, TextClassifier, plot

X = np.array([[0.0, 1.0], [1.0, np.nan], [5.0, 3.0], [np.nan, 4.0]])
Y = ["a", "a", "b", "b"]


def test_a_boundary_is_drawn_of_rows_with_missing_cells() -> None:
    whole = pd.DataFrame(X, columns=["u", "v"])
    for rows in (X, whole, whole.convert_dtypes()):
        ax = plot.decision_boundary(GaussianNB().fit(rows, Y), rows, Y)
        assert ax.get_xlim() == pytest.approx((-0.6, 5.6))
    with pytest.raises(BayleafError, match="column without a value"):
        plot.decision_boundary(GaussianNB().fit(X, Y), X * [1, np.nan], Y)


def test_a_class_without_rows_has_no_density() -> None:
    model = GaussianNB().partial_fit([[0.0], [1.0], [4.0], [6.0]], Y, classes=["a", "b", "never"])
    heights = [line.get_ydata().max() for line in plot.densities(model, 0).lines]
    assert heights[2] == 0 < min(heights[:2])


def test_a_column_without_values_is_refused() -> None:
    model = CategoricalNB().fit([[0, np.nan], [1, np.nan]], [0, 1])
    with pytest.raises(BayleafError, match="'x1' never had a value"):
        plot.densities(model, 1)


def test_tokens_of_one_class_weigh_nothing_and_are_shown_all_the_same() -> None:
    ax = plot.tokens(TextClassifier("small").fit(["win money", "money"], ["spam", "spam"]))
    assert {"win", "money"} <= {text.get_text() for text in ax.texts}


def test_between_two_codes_a_boundary_runs_in_the_middle() -> None:
    codes, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]), ["a", "a", "a", "a", "b", "b"]
    ax = plot.decision_boundary(CategoricalNB().fit(codes, y), codes, y)
    (line,) = [part for part in ax.collections if part.get_gid() == "boundary"]
    across = np.concatenate([path.vertices for path in line.get_paths()])[:, 0]
    assert np.abs(across - 1.5).max() < 0.01


def test_beyond_the_codes_of_the_rows_the_last_one_is_asked_for() -> None:
    codes, y = np.array([[code, code] for code in range(3, 20)] * 2), ["a"] * 5 + ["b"] * 12 + ["a"] * 5 + ["b"] * 12
    for model in (CategoricalNB(), SklearnCategoricalNB()):
        ax = plot.decision_boundary(model.fit(codes, y), codes, y)
        tints = np.asarray(ax.images[0].get_array())
        for corner, inside in ((0, 26), (-1, -27)):  # the margin takes 23 of 240 points
            assert np.array_equal(tints[corner, corner], tints[inside, inside])


@pytest.mark.parametrize("column", [True, 0.5, None, "x9", 9])
def test_what_is_no_column_is_refused(column: object) -> None:
    model = GaussianNB().fit([[0.0, 1.0], [1.0, 2.0]], ["a", "b"])
    with pytest.raises(BayleafError, match="no column"):
        plot.densities(model, column)
