"""What is drawn of a column is what its family says, however many values it has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from bayleaf import CategoricalNB, ComplementNB, GaussianNB, MixedNB, MultinomialNB, PoissonNB, plot

RNG = np.random.default_rng(0)
Y = np.arange(900) % 2
CODES = np.minimum(RNG.geometric(0.05, 900) - 1, 49)
CODES[:50] = range(50)
COUNTS = np.column_stack([RNG.poisson(100 + 50 * Y), RNG.poisson(3, 900)])


@pytest.mark.parametrize("values", [CODES, np.char.add("kind ", CODES.astype(str))])
def test_of_many_categories_the_most_frequent_have_bars(values: Any) -> None:
    model = CategoricalNB().fit(pd.DataFrame({"c": values}), Y)
    ax = plot.densities(model, "c")
    assert ax.get_xlabel() == "c\nthe 30 most frequent values"
    assert ax.get_ylabel() == "probability given the class"
    assert len(ax.patches) == 2 * 30
    assert set(pd.Series(values).value_counts().index[:20].map(str)) <= {
        tick.get_text() for tick in ax.get_xticklabels()
    }


def test_many_counts_are_drawn_at_whole_values_and_their_probabilities_add_up() -> None:
    ax = plot.densities(PoissonNB().fit(COUNTS, Y), 0)
    assert ax.get_ylabel() == "probability given the class"
    for line in ax.lines:
        values, shares = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
        np.testing.assert_array_equal(np.diff(values), 1)
        assert shares.sum() == pytest.approx(1, abs=0.02)


def test_a_count_of_a_bag_is_told_as_what_it_is() -> None:
    model = MultinomialNB().fit(COUNTS, Y)
    ax = plot.densities(model, 0)
    assert ax.get_ylabel() == "probability given class and total"
    for line, log in zip(ax.lines, model.feature_log_prob_[:, 0], strict=True):
        values = np.asarray(line.get_xdata())
        np.testing.assert_array_equal(values, np.rint(values))
        np.testing.assert_allclose(line.get_ydata(), np.exp(values * log), rtol=1e-6)


@pytest.mark.parametrize("scored", [ComplementNB(), MultinomialNB(denominator=9.0)], ids=str)
def test_scores_that_are_no_probabilities_are_not_drawn(scored: Any) -> None:
    """What is drawn is what rows are made up by, and `score_samples` goes by."""
    X, y = np.minimum(COUNTS, 40), np.arange(900) % 3  # of two labels each is the complement of the other
    of, by = (plot.densities(model.fit(X, y), 0) for model in (scored, MultinomialNB()))
    for one, other in zip([*of.lines, *of.patches], [*by.lines, *by.patches], strict=True):
        np.testing.assert_allclose(height(one), height(other), rtol=1e-9)


def height(drawn: Any) -> Any:
    return drawn.get_height() if hasattr(drawn, "get_height") else drawn.get_ydata()


def test_columns_of_a_mixed_table_each_go_by_their_family() -> None:
    table = pd.DataFrame({"kind": CODES.astype(str), "size": RNG.normal(size=900), "hits": COUNTS[:, 0]})
    families = {"gaussian": ["size"], "categorical": ["kind"], "poisson": ["hits"]}
    model = MixedNB(families=families).fit(table, Y)
    told = [plot.densities(model, column).get_ylabel() for column in table]
    assert told == ["probability given the class", "density given the class", "probability given the class"]


def test_a_number_that_never_varied_is_a_bar() -> None:
    assert len(plot.densities(GaussianNB().fit(np.ones((4, 1)), [0, 1, 0, 1]), 0).patches) == 2
