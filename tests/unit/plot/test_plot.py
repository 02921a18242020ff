"""Pictures: every function draws what it says on the axes it is given and leaves matplotlib as it was."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from scipy.stats import norm

from bayleaf import (
    BayleafError,
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    MixedNB,
    PoissonNB,
    RecordClassifier,
    TextClassifier,
    plot,
)
from bayleaf.evaluate.curve import learning_curve
from bayleaf.evaluate.scores import measure

RNG = np.random.default_rng(0)
Y = np.array(["ham", "spam", "$a_b$ and $5"])[np.arange(300) % 3]
X = RNG.normal(size=(300, 2)) + (np.arange(300) % 3)[:, None]
MODEL = GaussianNB().fit(X, Y)
SCORES = measure(MODEL.classes_, Y, MODEL.predict_log_proba(X))
TEXTS = TextClassifier().fit(["win $9 and $5", "win cash", "see you", "lunch?"], ["spam", "spam", "ham", "ham"])

DRAWN: dict[str, Callable[..., Any]] = {
    "boundary": lambda **ax: plot.decision_boundary(MODEL, X, Y, **ax),
    "densities": lambda **ax: plot.densities(MODEL, 0, **ax),
    "categories": lambda **ax: plot.densities(CategoricalNB().fit([[0], [1], [1]], [0, 1, 1]), 0, **ax),
    "waterfall": lambda **ax: plot.waterfall(TEXTS.explain("win $9 and $5 at lunch"), **ax),
    "reliability": lambda **ax: plot.reliability(SCORES, **ax),
    "roc": lambda **ax: plot.roc(SCORES, **ax),
    "precision_recall": lambda **ax: plot.precision_recall(SCORES, **ax),
    "confusion": lambda **ax: plot.confusion(SCORES, **ax),
    "tokens": lambda **ax: plot.tokens(TEXTS, **ax),
    "learning_curve": lambda **ax: plot.learning_curve(learning_curve(GaussianNB, X, Y, X, Y), **ax),
}


def shown(ax: Any) -> list[str]:
    return [t.get_text() for t in [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels()]]


@pytest.mark.parametrize("name", DRAWN)
def test_each_draws_on_the_given_axes_names_them_and_changes_no_setting(name: str) -> None:
    before = dict(mpl.rcParams)
    _, ax = plt.subplots()
    assert DRAWN[name](ax=ax) is ax
    assert ax.get_xlabel()
    assert ax.has_data()
    assert ax.get_legend() is None
    ax.figure.canvas.draw()
    assert dict(mpl.rcParams) == before
    assert DRAWN[name]().figure is not ax.figure


@pytest.mark.parametrize("name", ["roc", "precision_recall", "reliability", "learning_curve"])
def test_the_caller_may_style_lines_in_short_names_and_long(name: str) -> None:
    ax = DRAWN[name](c="#123456", markersize=11)
    assert "#123456" in {line.get_color() for line in ax.lines}


def test_dollars_are_dollars() -> None:
    table = {"ham": [("$x$", 1.0)], "spam": [("$9 or $5", 2.0)]}
    assert {"$x$", "$9 or $5"} <= set(shown(plot.tokens(table)))
    assert not any(text.get_parse_math() for text in plot.tokens(table).texts)
    ax = plot.confusion(SCORES)
    assert "$a_b$ and $5" in shown(ax)
    prices = CategoricalNB().fit([["$5-$10"], [r"$\frac$"]] * 3, [0, 1] * 3)
    for text in [*ax.get_xticklabels(), *ax.get_yticklabels(), *plot.densities(prices, 0).get_xticklabels()]:
        assert not text.get_parse_math()


def test_roc_and_precision_recall_tell_the_areas() -> None:
    for one in SCORES.rankings:
        assert any(f"{one.label}: AUC {one.roc_auc:.3f}" == text for text in shown(plot.roc(SCORES)))
    binary = measure([0, 1], [0, 1, 1, 0], np.log([[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.7, 0.3]]))
    assert len(plot.roc(binary).lines) == 2  # the curve and the diagonal


def test_of_many_classes_the_worst_are_named() -> None:
    k = 12
    logs = RNG.normal(size=(600, k))
    logs[np.arange(600), np.arange(600) % k] += 2 + np.arange(600) % k / 3
    many = measure(range(k), np.arange(600) % k, logs - np.log(np.exp(logs).sum(axis=1, keepdims=True)))
    named = [text.split(":")[0] for text in shown(plot.roc(many)) if "AUC" in text]
    assert set(named) == {str(r.label) for r in sorted(many.rankings, key=lambda r: r.average_precision)[:3]}
    assert "9 others" in shown(plot.roc(many))


def test_the_confusion_matrix_holds_the_counts() -> None:
    texts = [t.get_text() for t in plot.confusion(SCORES).texts]
    assert texts == [f"{n:,}" for n in SCORES.confusion.ravel()]


def test_reliability_shows_the_bins() -> None:
    scores = SCORES
    (dots,) = [line for line in plot.reliability(scores).lines if line.get_marker() == "o"]
    np.testing.assert_allclose(dots.get_xdata(), [b.confidence for b in scores.reliability.bins])
    np.testing.assert_allclose(dots.get_ydata(), [b.right.value for b in scores.reliability.bins])


def test_the_bars_of_a_waterfall_end_at_the_log_odds() -> None:
    why = TEXTS.explain("win cash at lunch")
    ax = plot.waterfall(why, count=2)
    *steps, total = ax.patches
    best, other = np.argsort(why.joint)[::-1]
    assert total.get_width() == pytest.approx(why.joint[best] - why.joint[other])
    assert sum(bar.get_width() for bar in steps) == pytest.approx(total.get_width())
    assert len(steps) == 4  # prior, two clues, the others


def test_a_waterfall_of_the_impossible_is_finite() -> None:
    why = BernoulliNB(alpha=0).fit([[1, 0], [1, 1], [0, 1]], ["a", "a", "b"]).explain([[1, 0]])[0]
    ax = plot.waterfall(why)
    assert np.isfinite([bar.get_width() for bar in ax.patches]).all()
    ax.figure.canvas.draw()


def test_densities_of_numbers_are_the_normal_curves() -> None:
    ax = plot.densities(MODEL, "x1" if hasattr(MODEL, "feature_names_in_") else 1)
    for line, mean, var in zip(ax.lines, MODEL.theta_[:, 1], MODEL.var_[:, 1], strict=True):
        np.testing.assert_allclose(line.get_ydata(), norm(mean, np.sqrt(var)).pdf(line.get_xdata()), rtol=1e-6)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_models_of_named_columns_are_drawn_with_their_names(library: str) -> None:
    table = pytest.importorskip(library).DataFrame({"height": X[:, 0], "weight": X[:, 1]})
    model = GaussianNB().fit(table, Y)
    ax = plot.decision_boundary(model, table, Y)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("height", "weight")
    assert plot.densities(model, "weight").get_xlabel() == "weight"


def test_densities_of_categories_and_counts_are_their_probabilities() -> None:
    table = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.5], "hair": ["long", "short", "long", "long"]})
    model = MixedNB().fit(table, ["a", "a", "b", "b"])
    heights = [bar.get_height() for bar in plot.densities(model, "hair").patches]
    np.testing.assert_allclose(heights, [2 / 4, 2 / 4, 3 / 4, 1 / 4], rtol=1e-9)
    assert {"long", "short"} <= set(shown(plot.densities(model, "hair")))
    counts = plot.densities(PoissonNB(alpha=1e-9).fit([[1], [3], [6], [8]], [0, 0, 1, 1]), 0)
    assert sum(bar.get_height() for bar in counts.patches) == pytest.approx(2, abs=0.05)
    with pytest.raises(BayleafError, match="no column 'weight'"):
        plot.densities(model, "weight")


def test_tokens_come_from_a_model_or_a_table_and_from_nothing_else() -> None:
    table = {"a": [("x", 2.0), ("y", 1.0)], "b": [("z", 3.0)], "c": [("\u202eevil", 1.0)]}
    texts = shown(plot.tokens(table))
    assert {"x", "y", "z", "⟨U+202E⟩evil"} <= set(texts)
    assert len(plot.tokens(table, count=1).patches) == 3
    with pytest.raises(BayleafError, match="GaussianNB, which cannot name its tokens"):
        plot.tokens(MODEL)


@pytest.mark.parametrize("draw", [plot.confusion, plot.roc, plot.precision_recall, plot.reliability])
def test_answers_are_no_scores(draw: Callable[..., Any]) -> None:
    with pytest.raises(BayleafError, match=r"Found ndarray, expected what measure returns: bayleaf.evaluate.scores"):
        draw(Y)


def test_refusals() -> None:
    with pytest.raises(BayleafError, match=r"Found Explanations, expected .* explain\(rows\)\[0\]"):
        plot.waterfall(MODEL.explain(X[:2]))  # type: ignore[arg-type]
    with pytest.raises(BayleafError, match="Found RecordClassifier, expected a fitted estimator such as"):
        plot.densities(RecordClassifier().fit({"x": X[:, 0]}, Y), "x")
    with pytest.raises(BayleafError, match="two columns"):
        plot.decision_boundary(MODEL, np.zeros((3, 3)), Y)
    with pytest.raises(BayleafError, match="no points"):
        plot.learning_curve([])


@pytest.mark.parametrize(
    "call", ["tokens({'a': []})", "learning_curve([Point(9, one, one)])", "roc(scores)", "confusion(scores)"]
)
def test_without_matplotlib_the_remedy_is_named(call: str) -> None:
    code = f"""
import sys
sys.modules["matplotlib"] = None
import numpy as np
from bayleaf import plot
from bayleaf.evaluate.curve import Point
from bayleaf.evaluate.estimate import Estimate
from bayleaf.evaluate.scores import measure
one, scores = Estimate(1, 1, 1), measure([0, 1], [0, 1], np.log([[0.9, 0.1], [0.4, 0.6]]))
try:
    plot.{call}
except ValueError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'pip install "bayleaf[plot]"' in done.stdout
