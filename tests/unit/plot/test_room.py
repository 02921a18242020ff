"""Pictures stay readable with many classes and long names: nothing collapses, and names stand in the figure."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bayleaf import BayleafError, GaussianNB, MixedNB, MultinomialNB, plot
from bayleaf.evaluate.scores import measure
from bayleaf.plot.tokens import list_size

LONG = ["a very long name of many words", "another name that is very long"]
MANY = [f"group {number}" for number in range(25)]


def rows(labels: list[str]) -> tuple[Any, Any]:
    y = np.repeat(labels, 20)
    return np.random.default_rng(0).normal(size=(len(y), 2)) + 3 * (np.arange(len(y)) // 20 % 5)[:, None], y


def scores(labels: list[str]) -> Any:
    return measure(labels, labels, np.log(np.full((len(labels), len(labels)), 1 / len(labels))))


def boundary(labels: list[str]) -> Any:
    X, y = rows(labels)
    return plot.decision_boundary(GaussianNB().fit(X, y), X, y)


def bars(labels: list[str]) -> Any:
    X, y = rows(labels)
    return plot.densities(MultinomialNB().fit(np.abs(X).round(), y), 0)


def waterfall(labels: list[str]) -> Any:
    X, y = rows(labels)
    return plot.waterfall(GaussianNB().fit(X, y).explain(X[:1])[0])


def tokens(labels: list[str]) -> Any:
    return plot.tokens({label: [(token, 1.0) for token in LONG] for label in labels})


def drawn(ax: Any) -> list[Any]:
    """The texts of a figure as it is drawn, and no word from matplotlib about its layout."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax.figure.canvas.draw()
    return [text for text in [*ax.texts, ax.xaxis.label, ax.yaxis.label] if text.get_text()]


@pytest.mark.parametrize("labels", [LONG, MANY], ids=["long", "many"])
@pytest.mark.parametrize("draw", [boundary, bars, waterfall, tokens])
def test_what_is_named_stands_in_the_figure(draw: Callable[[list[str]], Any], labels: list[str]) -> None:
    ax = draw(labels)
    for text in drawn(ax):
        box = text.get_window_extent()
        assert box.x0 >= -1, text
        assert box.y0 >= -1, text
        assert box.x1 <= ax.figure.bbox.x1 + 1, text
        assert box.y1 <= ax.figure.bbox.y1 + 1, text


def test_names_that_have_no_room_are_counted() -> None:
    names = [text.get_text() for text in [*boundary(MANY).texts, *bars(MANY).texts]]
    assert sum(name.endswith(" more") for name in names) == 2


def test_long_names_of_two_answers_do_not_stand_upon_each_other() -> None:
    ax = plot.confusion(scores(LONG))
    drawn(ax)
    assert {label.get_rotation() for label in ax.get_xticklabels()} == {45}
    assert {label.get_rotation() for label in plot.confusion(scores(["ham", "not spam"])).get_xticklabels()} == {0}


def test_of_hundreds_of_labels_those_are_named_that_have_room() -> None:
    ax = plot.confusion(scores([f"label {number}" for number in range(300)]))
    drawn(ax)
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_tokens_of_hundreds_of_classes_are_a_picture_that_can_be_opened() -> None:
    table = {f"class {number}": [("word", 1.0)] * 12 for number in range(300)}
    assert list_size(table)[1] * 150 < 2**15
    assert "270 more classes" in [text.get_text() for text in plot.tokens(table).texts]


def test_a_boundary_is_drawn_of_rows_with_their_labels() -> None:
    X, y = rows(LONG)
    with pytest.raises(BayleafError, match="Found 40 rows and 39 labels"):
        plot.decision_boundary(GaussianNB().fit(X, y), X, y[1:])


def test_two_classes_without_tokens() -> None:
    assert [text.get_text() for text in drawn(plot.tokens({"ham": [], "spam": []}))[:2]] == ["ham", "spam"]


def test_names_that_begin_alike_are_told_apart_and_values_of_clues_are_seen() -> None:
    labels = [f"a label with a long name, number {number}" for number in range(6)]
    assert {text.get_text()[-8:] for text in plot.confusion(scores(labels)).get_xticklabels()} == {
        f"number {number}"[-8:] for number in range(6)
    }
    _, y = rows(["ham", "spam"])
    X = pd.DataFrame({label: np.arange(len(y)) * 1.5 for label in labels}).assign(kind="long " * 12 + "end")
    ticks = [tick.get_text() for tick in plot.waterfall(MixedNB().fit(X, y).explain(X[:1])[0]).get_yticklabels()]
    assert sum(tick.endswith(" = 0") for tick in ticks) == 6
    assert len(set(ticks)) == len(ticks)
    assert any(tick.startswith("kind = long") and tick.endswith("end") for tick in ticks)


@pytest.mark.parametrize("k", [3, 6, 12])
def test_the_key_of_several_precision_recall_curves_lies_above_them(k: int) -> None:
    labels = [f"kind of a rather long label {number}" for number in range(k)]
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.full(k, 0.3), 300)
    truth = rng.integers(0, k, 300)
    ax = plot.precision_recall(measure(labels, np.array(labels)[truth], np.log(shares + 1e-9)))
    told = [text for text in drawn(ax) if ": AP " in text.get_text()]
    assert len(told) == (k if k <= 6 else 3)
    assert all(text.get_window_extent().y0 > ax.bbox.y1 for text in told)
