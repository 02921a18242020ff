"""Scores are those of scikit-learn's metrics."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from bayleaf.evaluate.scores import Scores, measure


def answers(seed: int, k: int, n: int, sharp: float = 1.5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, truth and log-probabilities that are right more often than not; small classes, ties among scores."""
    rng = np.random.default_rng(seed)
    labels = np.array([f"c{i}" for i in range(k)])
    codes = rng.choice(k, n, p=np.arange(1, k + 1) / np.arange(1, k + 1).sum())
    joint = np.round(rng.normal(size=(n, k)), 1)
    joint[np.arange(n), codes] += sharp
    return labels, labels[codes], joint - np.log(np.exp(joint).sum(axis=1, keepdims=True))


CASES = st.tuples(st.integers(0, 10_000), st.integers(2, 6), st.integers(1, 80)).map(lambda case: answers(*case))


@pytest.mark.filterwarnings("ignore:y_pred contains classes", "ignore:A single label was found")
@given(CASES)
def test_shares_and_averages(case: tuple[np.ndarray, ...]) -> None:
    labels, y, logs = case
    scores, said = measure(labels, y, logs), labels[logs.argmax(axis=1)]
    assert scores.accuracy.value == metrics.accuracy_score(y, said)
    np.testing.assert_array_equal(scores.confusion, metrics.confusion_matrix(y, said, labels=labels))
    assert scores.balanced_accuracy.value == pytest.approx(metrics.balanced_accuracy_score(y, said))
    each = metrics.precision_recall_fscore_support(y, said, labels=labels, zero_division=0)
    assert scores.mcc.value == pytest.approx(metrics.matthews_corrcoef(y, said), abs=1e-12)
    ours = [[c.precision.value, c.recall.value, c.f1.value, c.rows] for c in scores.classes]
    np.testing.assert_allclose(np.transpose(ours), each, rtol=1e-12)
    for name in ("macro", "micro", "weighted"):
        theirs = metrics.precision_recall_fscore_support(y, said, average=name, zero_division=0)[:3]
        mean = getattr(scores, name)
        np.testing.assert_allclose([mean.precision, mean.recall, mean.f1.value], theirs, rtol=1e-12)


@given(CASES)
def test_losses(case: tuple[np.ndarray, ...]) -> None:
    labels, y, logs = case
    scores, proba = measure(labels, y, logs), np.exp(logs)
    assert scores.log_loss.value == pytest.approx(metrics.log_loss(y, proba, labels=labels), rel=1e-9)
    if len(labels) == 2:
        brier = metrics.brier_score_loss(y == labels[1], proba[:, 1], labels=[False, True])
    else:
        brier = metrics.brier_score_loss(y, proba / proba.sum(axis=1, keepdims=True), labels=labels)
    assert scores.brier.value == pytest.approx(brier, rel=1e-9)


@given(CASES)
def test_curves_and_their_areas(case: tuple[np.ndarray, ...]) -> None:
    labels, y, logs = case
    scores = measure(labels, y, logs)
    for one, label in zip(scores.classes, labels, strict=True):
        truth = y == label
        if truth.all() or not truth.any():
            assert one.ranking is None
            continue
        score = logs[:, labels == label].ravel()
        assert one.ranking is not None
        assert one.ranking.roc_auc == pytest.approx(metrics.roc_auc_score(truth, score))
        assert one.ranking.average_precision == pytest.approx(metrics.average_precision_score(truth, score))
        fpr, tpr, _ = metrics.roc_curve(truth, score, drop_intermediate=False)
        np.testing.assert_allclose(one.ranking.false_positive_rate, fpr)
        np.testing.assert_allclose(one.ranking.true_positive_rate, tpr)
        precision, recall, _ = metrics.precision_recall_curve(truth, score)
        np.testing.assert_allclose(one.ranking.precision[::-1], precision)
        np.testing.assert_allclose(one.ranking.recall[::-1], recall)


def test_the_area_of_all_labels_is_the_mean_and_of_two_labels_that_of_the_second() -> None:
    labels, y, logs = answers(1, 4, 300)
    assert measure(labels, y, logs).roc_auc == pytest.approx(
        metrics.roc_auc_score(y, np.exp(logs), multi_class="ovr", labels=labels)
    )
    labels, y, logs = answers(1, 2, 300)
    scores = measure(labels, y, logs)
    assert [curve.label for curve in scores.rankings] == ["c1"]
    assert scores.roc_auc == pytest.approx(metrics.roc_auc_score(y, logs[:, 1]))


def test_a_long_curve_keeps_its_area_and_its_shape() -> None:
    labels, y, logs = answers(2, 2, 30_000)
    logs = np.random.default_rng(0).normal(0, 1e-3, len(logs))[:, None] * [1, -1] + logs
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    (curve,) = measure(labels, y, logs).rankings
    assert len(curve.recall) <= 1000
    assert curve.roc_auc == pytest.approx(metrics.roc_auc_score(y, logs[:, 1]), rel=1e-12)
    assert metrics.auc(curve.false_positive_rate, curve.true_positive_rate) == pytest.approx(curve.roc_auc, abs=1e-4)


def test_the_bootstrap_of_cells_is_that_of_rows() -> None:
    """Drawing rows again with scikit-learn's F1 gives the same interval as our draws of the confusion matrix."""
    labels, y, logs = answers(3, 3, 200)
    said = labels[logs.argmax(axis=1)]
    scores: Scores = measure(labels, y, logs)
    rng = np.random.default_rng(1)
    draws = rng.integers(0, 200, (600, 200))
    f1 = [metrics.f1_score(y[rows], said[rows], average="macro") for rows in draws]
    low, high = np.quantile(f1, [0.025, 0.975])
    assert scores.macro.f1.low == pytest.approx(low, abs=0.02)
    assert scores.macro.f1.high == pytest.approx(high, abs=0.02)
