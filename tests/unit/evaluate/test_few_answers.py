"""Few answers, all alike: the intervals say how little that proves."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from bayleaf.evaluate.estimate import Estimate
from bayleaf.evaluate.rates import interval, steps
from bayleaf.evaluate.scores import Scores, measure


def answered(truth: str, answers: str, labels: str = "ab") -> Scores:
    sure = np.full((len(truth), len(labels)), 0.1 / (len(labels) - 1))
    sure[np.arange(len(truth)), [labels.index(answer) for answer in answers]] = 0.9
    return measure(list(labels), list(truth), np.log(sure))


@pytest.mark.parametrize("times", [1, 2, 5, 50])
def test_all_right_is_not_known_for_certain(times: int) -> None:
    """About as wide as Wilson's interval of the accuracy, never of no width."""
    scores = answered("ab" * times, "ab" * times)
    for figure in (scores.balanced_accuracy, scores.macro.f1, scores.weighted.f1, scores.mcc):
        assert figure.high == figure.value == 1
        assert figure.low < 1 - 0.5 / times
    assert abs(scores.balanced_accuracy.low - scores.accuracy.low) < 0.25
    json.dumps(scores.to_dict(), allow_nan=False)


def test_all_wrong_is_not_known_for_certain_either() -> None:
    scores = answered("aabb", "bbaa")
    assert scores.balanced_accuracy.low == scores.balanced_accuracy.value == 0
    assert 0.2 < scores.balanced_accuracy.high < 0.8
    assert scores.mcc.low == -1 < scores.mcc.high


@pytest.mark.parametrize("rows", [1, 5, 50])
def test_one_class_alone_is_no_more_certain_on_average(rows: int) -> None:
    scores = measure(["a"], ["a"] * rows, np.zeros((rows, 1)))
    assert scores.balanced_accuracy == scores.accuracy
    assert scores.macro.f1 == scores.weighted.f1 == scores.classes[0].f1


def test_a_small_class_without_an_error_among_errors_of_others_has_an_honest_f1() -> None:
    scores = answered("aac" + "b" * 50, "bac" + "b" * 50, "abc")
    lone = scores.classes[2]
    assert (lone.f1.value, lone.f1.high) == (1, 1)
    assert lone.f1.low == pytest.approx(2 * lone.recall.low / (1 + lone.recall.low))


def test_f1_is_that_of_the_counts_and_of_nothing_all_is_possible() -> None:
    assert Estimate.f1(3, 5).value == pytest.approx(2 * 3 / (5 + 3))
    assert Estimate.f1(0, 0) == (0, 0, 1)


def test_one_loss_says_nothing_about_the_mean() -> None:
    scores = answered("a", "a")
    assert scores.log_loss.low == 0
    assert scores.log_loss.high == pytest.approx(36.04, abs=0.01)
    assert (scores.brier.low, scores.brier.high) == (0, 1)


@pytest.mark.parametrize("rows", [3, 5, 10, 100])
def test_few_losses_have_the_interval_of_student(rows: int) -> None:
    """A normal one held the mean of 5 losses 87 times of 100 instead of 95."""
    losses = np.random.default_rng(rows).normal(10, 1, (4000, rows))
    found = [Estimate.mean(some, 36.0) for some in losses]
    assert found[0].high - found[0].value == pytest.approx(
        stats.t.ppf(0.975, rows - 1) * losses[0].std(ddof=1) / rows**0.5, rel=0.01
    )
    assert 0.94 < np.mean([one.low < 10 < one.high for one in found]) < 0.96


def test_the_only_label_is_told() -> None:
    scores = measure(["ham"], ["ham"] * 20, np.zeros((20, 1)))
    assert scores.warnings == ["ham is the only label: the model can give no other, and being right proves nothing."]


@pytest.mark.parametrize(("hams", "spams"), [(1, 1), (1, 30), (20, 40)])
def test_spam_all_above_ham_is_not_known_for_certain(hams: int, spams: int) -> None:
    right = steps([(False, 0.0)] * hams + [(True, 1.0)] * spams)
    doubt = Estimate.share(0, min(hams, spams)).high
    assert interval(right, 200) == (0, pytest.approx(doubt))
    assert interval(steps([(False, 1.0)] * hams + [(True, 0.0)] * spams), 200) == (pytest.approx(1 - doubt), 1)
