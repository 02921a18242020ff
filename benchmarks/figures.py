"""Figures of merit for probabilities: log loss, calibration, and McNemar's test."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from scipy.stats import binomtest
from sklearn.metrics import f1_score

BINS = 15
FLOOR = np.finfo(float).eps  # a sure mistake costs 36


def accuracy(truth: np.ndarray, scores: np.ndarray) -> float:
    return float((scores.argmax(axis=1) == truth).mean())


def macro_f1(truth: np.ndarray, scores: np.ndarray) -> float:
    return float(f1_score(truth, scores.argmax(axis=1), average="macro"))


def log_loss(truth: np.ndarray, scores: np.ndarray) -> float:
    return float(-np.log(np.clip(scores[np.arange(len(truth)), truth], FLOOR, 1)).mean())


def bins(truth: np.ndarray, scores: np.ndarray) -> list[tuple[float, float, int]]:
    """Mean top probability, share that is right and number of texts, for each of 15 equal bins that holds any."""
    sure, right = scores.max(axis=1), scores.argmax(axis=1) == truth
    place = np.minimum((sure * BINS).astype(int), BINS - 1)
    masks = [place == b for b in range(BINS)]
    return [(float(sure[m].mean()), float(right[m].mean()), int(m.sum())) for m in masks if m.any()]


def calibration_error(truth: np.ndarray, scores: np.ndarray) -> float:
    """Expected calibration error."""
    return sum(abs(sure - right) * count for sure, right, count in bins(truth, scores)) / len(truth)


def mcnemar(truth: np.ndarray, ours: np.ndarray, theirs: np.ndarray) -> tuple[int, int, float]:
    """How many only we, and only they, have right, and the exact two-sided p-value."""
    mine, other = (scores.argmax(axis=1) == truth for scores in (ours, theirs))
    a, b = int((mine & ~other).sum()), int((other & ~mine).sum())
    return a, b, float(binomtest(a, a + b).pvalue) if a + b else 1.0


def reliability(path: Path, sets: dict[str, tuple[np.ndarray, np.ndarray]]) -> None:
    """A diagram for each set: how sure against how often right; the area of a dot is the share of documents."""
    mpl.use("agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415 - after its backend is known

    figure, axes = plt.subplots(1, len(sets), figsize=(2.6 * len(sets), 3.0), sharey=True, squeeze=False, dpi=110)
    for ax, (name, (truth, scores)) in zip(axes[0], sets.items(), strict=True):
        sure, right, count = (np.array(column) for column in zip(*bins(truth, scores), strict=True))
        ax.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        error = 1.96 * np.sqrt(np.maximum(right * (1 - right), 0.25 / count) / count)
        ax.errorbar(sure, right, error, fmt="none", ecolor="tab:green", elinewidth=1)
        ax.scatter(sure, right, 8 + 250 * count / count.sum(), color="tab:green", alpha=0.8, linewidth=0)
        ax.set(title=f"{name}\nECE {calibration_error(truth, scores):.3f}", xlabel="how sure", xlim=(0, 1.04))
        ax.set(ylim=(0, 1.04), aspect="equal")
        ax.title.set_size(9)
    axes[0][0].set_ylabel("how often right")
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)
