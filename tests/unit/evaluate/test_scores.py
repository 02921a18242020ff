"""Scores say what they mean, and where they mislead."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayleaf import BayleafError, GaussianNB, TextClassifier
from bayleaf.evaluate.curve import learning_curve
from bayleaf.evaluate.estimate import Estimate
from bayleaf.evaluate.mistakes import worst
from bayleaf.evaluate.scores import Scores, measure
from bayleaf.plain import plain

LABELS = ["ham", "spam"]


def scores(truth: str, spam: list[float]) -> Scores:
    """Of h and s (and anything else) with the given probabilities of spam."""
    names = {"h": "ham", "s": "spam"}
    with np.errstate(divide="ignore"):
        return measure(LABELS, [names.get(t, t) for t in truth], np.log([[1 - p, p] for p in spam]))


@given(st.lists(st.tuples(st.sampled_from("hsx"), st.sampled_from([0.0, 0.3, 0.5, 0.9, 1.0])), min_size=1))
def test_nothing_is_nan_whatever_is_absent_and_json_can_say_it(rows: list[tuple[str, float]]) -> None:
    found = scores("".join(t for t, _ in rows), [p for _, p in rows])
    said = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert said["rows"] == len(rows)
    for name in ("accuracy", "balanced_accuracy", "mcc", "log_loss", "brier"):
        estimate = said[name]
        assert estimate["low"] <= estimate["value"] <= estimate["high"]
    assert "nan" not in str(found)


def test_every_class_counts_its_four_kinds_of_answers() -> None:
    found = scores("hhhss", [0.1, 0.2, 0.8, 0.9, 0.4])
    ham, spam = found.classes
    assert (spam.true_positives, spam.false_positives, spam.false_negatives, spam.true_negatives) == (1, 1, 1, 2)
    assert (ham.true_positives, ham.false_positives, ham.false_negatives, ham.true_negatives) == (2, 1, 1, 1)
    assert found.confusion.tolist() == [[2, 1], [1, 1]]
    assert found.majority == "ham"
    assert found.baseline == pytest.approx(0.6)


def test_wilson() -> None:
    """The worked example of Newcombe, Statistics in Medicine 17 (1998): 81 of 263."""
    share = Estimate.share(81, 263)
    assert (round(share.low, 4), round(share.high, 4)) == (0.2553, 0.3662)
    assert Estimate.share(0, 20).low == 0
    assert 0 < Estimate.share(0, 20).high < 0.2
    assert Estimate.share(20, 20).high == 1
    assert Estimate.share(0, 0) == (0, 0, 1)


def test_accuracy_that_any_parrot_reaches_is_called_so() -> None:
    parrot = scores("h" * 87 + "s" * 13, [0.1] * 100)
    assert parrot.accuracy.value == 0.87
    assert "always saying ham would be right 87% of the time" in parrot.warnings[0]
    assert "no proof of skill" in parrot.warnings[0]
    good = scores("h" * 87 + "s" * 13, [0.1] * 87 + [0.9] * 13)
    assert "flatters" in good.warnings[0]
    fair = scores("hs" * 20, [0.1, 0.9] * 20)
    assert fair.warnings == []


def test_an_unknown_label_is_an_error_and_is_told() -> None:
    found = scores("hsxx", [0.1, 0.9, 0.9, 0.1])
    assert found.accuracy.value == 0.5
    assert found.labels == ("ham", "spam", "x")
    assert "2 rows are labelled x, which the model never learned" in found.warnings[0]
    assert found.classes[2].recall.value == 0
    assert not found.classes[2].known
    assert found.log_loss.value > 18


def test_too_sure_is_told_and_well_calibrated_is_not() -> None:
    rng = np.random.default_rng(0)
    truth = "".join("hs"[x] for x in rng.integers(0, 2, 400))
    lean = [0.75 if (t == "s") == (r < 0.75) else 0.25 for t, r in zip(truth, rng.random(400), strict=True)]
    assert not any("Overconfident" in w for w in scores(truth, lean).warnings)
    assert scores(truth, lean).reliability.error < 0.05
    sure = scores(truth, [0.999 if p > 0.5 else 0.001 for p in lean])
    assert any("Overconfident: answers claim to be right 100%" in w for w in sure.warnings)
    assert sure.reliability.error > 0.2
    assert sum(b.rows for b in sure.reliability.bins) == 400


@given(st.lists(st.floats(0.5, 1.0), min_size=1, max_size=200))
def test_every_dot_of_a_reliability_diagram_stands_for_enough_answers(sure: list[float]) -> None:
    found = scores("h" * len(sure), [1 - p for p in sure]).reliability
    assert sum(b.rows for b in found.bins) == len(sure)
    assert all(b.rows >= 10 for b in found.bins) or (len(found.bins) == 1 and len(sure) < 10)
    assert sum(b.rows * b.confidence for b in found.bins) == pytest.approx(sum(sure))


def test_the_calibration_error_is_that_of_fifteen_bins() -> None:
    """0.9 is in the last but one; 0.95, 0.99 and 1 are in the last, where two right answers make up for a wrong one."""
    error = scores("hhhs", [0.1, 0.05, 0.01, 0.0]).reliability.error
    assert error == pytest.approx((abs(0.9 - 1) + abs(0.95 + 0.99 + 1 - 2)) / 4)


def test_small_and_absent_classes_and_impossible_truths_are_told() -> None:
    assert any("No row is labelled spam" in w for w in scores("h" * 20, [0.1] * 20).warnings)
    told = scores("h" * 20 + "s" * 3, [0.1] * 20 + [0.0] * 3).warnings
    assert any("Fewer than 10 rows: spam (3)" in w for w in told)
    assert any("The truth had probability 0 in 3 rows" in w for w in told)


def test_refusals_say_what_to_do() -> None:
    with pytest.raises(BayleafError, match="no rows"):
        measure(LABELS, [], np.zeros((0, 2)))
    with pytest.raises(BayleafError, match=r"shape \(1, 3\); expected \(1, 2\)"):
        measure(LABELS, ["ham"], np.log([[0.2, 0.3, 0.5]]))
    with pytest.raises(BayleafError, match="add up to 1"):
        measure(LABELS, ["ham"], [[0.5, 0.5]])


def test_labels_in_arrow_and_pandas_are_the_same_labels() -> None:
    logs = np.log([[0.9, 0.1], [0.2, 0.8]])
    arrow, pandas = pa.array(LABELS), pd.Series(LABELS, dtype="string")
    for labels, y in (
        (LABELS, arrow),
        (arrow, LABELS),
        (np.array(LABELS), pandas),
        (iter(LABELS), pa.chunked_array([arrow])),
    ):
        scores = measure(labels, y, logs)
        assert (scores.accuracy.value, scores.labels) == (1.0, tuple(LABELS))
    for missing in (pa.array(["ham", None]), pd.Series(["ham", pd.NA], dtype="string")):
        with pytest.raises(BayleafError, match="rows without a label"):
            measure(LABELS, missing, logs)


def test_the_table_shows_hostile_labels_harmlessly() -> None:
    found = measure(["a\x1b[31m", "b\u202e"], ["b\u202e", "a\x1b[31m"], np.log([[0.9, 0.1], [0.9, 0.1]]))
    assert "\x1b" not in str(found)
    assert "\u202e" not in str(found)
    assert plain("x" * 49 + "y", 10) == "xxxxx…xxxy"


def test_labels_that_begin_alike_are_told_apart_in_the_table() -> None:
    labels = [f"a label with a rather long name, number {number}" for number in range(3)]
    found = str(measure(labels, labels, np.log(np.eye(3) * 0.7 + 0.1)))
    assert min(found.count(f", number {number}") for number in range(3)) >= 3  # in both tables, and across


@pytest.mark.parametrize(("known", "other"), [([0, 1], ["0", "1"]), (["0", "1"], [0, 1])])
def test_labels_of_another_type_are_told_as_such(known: list[object], other: list[object]) -> None:
    found = measure(known, other, np.log([[0.9, 0.1], [0.2, 0.8]])).warnings[0]
    assert f"labelled {other[0]!r} or {other[1]!r}" in found
    assert f"it knows {known[0]!r} and {known[1]!r}" in found


def test_worst_mistakes_come_first_and_right_answers_never() -> None:
    logs = np.log([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.5, 0.5]])
    assert worst(np.array(LABELS), ["ham", "ham", "ham", "eggs"], logs) == [3, 2, 1]
    assert worst(LABELS, ["ham", "ham", "ham", "eggs"], logs, 1) == [3]
    assert worst(LABELS, ["eggs"] * 4, logs) == [0, 2, 1, 3]  # all impossible: the surest is the worst


def test_the_learning_curve_ends_where_one_fit_ends() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 600)
    X = rng.normal(size=(600, 4)) + y[:, None] * 0.7
    points = learning_curve(GaussianNB, X[:400], y[:400], X[400:], y[400:])
    assert [p.rows for p in points] == sorted({p.rows for p in points})
    assert points[-1].rows == 400
    assert points[-1].accuracy.value == GaussianNB().fit(X[:400], y[:400]).score(X[400:], y[400:])
    assert points[0].log_loss.value > points[-1].log_loss.value


def test_without_other_rows_each_part_is_judged_before_it_is_learned() -> None:
    """Where the texts say something new all are wrong; judged after learning they would be right."""
    texts = ["win money"] * 20 + ["see lunch"] * 20 + ["buy pills"] * 40
    labels = ["spam"] * 20 + ["ham"] * 20 + ["pills"] * 40
    points = learning_curve(TextClassifier, texts, labels, points=4)
    assert [(p.rows, p.accuracy.value) for p in points] == [(10, 1.0), (20, 0.0), (40, 0.0)]
    json.dumps([p.to_dict() for p in points], allow_nan=False)


def test_a_model_that_takes_labels_in_as_they_come_needs_no_list_of_them() -> None:
    class Growing:
        def __init__(self) -> None:
            self.texts = TextClassifier()

        def partial_fit(self, X: list[str], y: np.ndarray) -> None:
            self.texts.partial_fit(X, y)
            self.classes_ = self.texts.classes_

        def predict_log_proba(self, X: list[str]) -> np.ndarray:
            return self.texts.predict_log_proba(X)

    texts, labels = ["win cash", "see lunch"] * 40, ["spam", "ham"] * 40
    assert learning_curve(Growing, texts, labels, texts, labels) == learning_curve(
        TextClassifier, texts, labels, texts, labels
    )


def test_tables_of_all_kinds_can_be_cut() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = pd.DataFrame({"a": y + rng.normal(0, 0.1, 40)})
    frame = learning_curve(GaussianNB, X, y, X, y, points=3)
    array = learning_curve(GaussianNB, X.to_numpy(), y, X.to_numpy(), y, points=3)
    assert frame == array
    texts = [f"w{n % 2} w{n % 7}" for n in range(40)]
    wanted = learning_curve(TextClassifier, texts, y, texts, y, points=3)
    for column in (pa.array(texts), pa.chunked_array([texts[:9], texts[9:]]), pd.Series(texts, index=range(40, 80))):
        assert learning_curve(TextClassifier, column, y, column, y, points=3) == wanted
    with pytest.raises(BayleafError, match="at least 2"):
        learning_curve(GaussianNB, X[:1], y[:1])


def test_measures_load_neither_matplotlib_nor_scikit_learn() -> None:
    code = "import sys, bayleaf.evaluate.curve; print('sklearn' in sys.modules, 'matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
