"""Scores: everything that can be said about answers when the truth is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.errors import BayleafError
from bayleaf.evaluate.cautions import cautions
from bayleaf.evaluate.class_scores import Averages, ClassScores
from bayleaf.evaluate.estimate import Estimate
from bayleaf.evaluate.labels import LEAST, log_of_truth, numbered, said
from bayleaf.evaluate.margins import Margins, average
from bayleaf.evaluate.ranking import Ranking
from bayleaf.evaluate.reliability import Reliability
from bayleaf.evaluate.table import table

if TYPE_CHECKING:
    from bayleaf.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Scores:
    """Measures of a classifier on rows whose labels are known; made by `measure`.

    `confusion` has the truth down and the answers across, in the order of `labels`: those the model knows, then those
    it never learned, whose rows count as errors. `rankings` has the curves: one for two labels (that of the second),
    else one per label against the rest; `roc_auc` and `average_precision` are their means. `baseline` is the accuracy
    of always giving the answer `majority`. Nothing is ever NaN: what cannot be measured is None.
    """

    labels: tuple[Any, ...]
    rows: int
    accuracy: Estimate
    balanced_accuracy: Estimate
    mcc: Estimate
    log_loss: Estimate
    brier: Estimate
    macro: Averages
    micro: Averages
    weighted: Averages
    classes: list[ClassScores]
    confusion: Ints = field(repr=False)
    reliability: Reliability = field(repr=False)
    rankings: list[Ranking] = field(repr=False)
    roc_auc: float | None
    average_precision: float | None
    majority: Any
    baseline: float
    impossible: int  # rows whose true and known label was given probability 0

    @property
    def warnings(self) -> list[str]:
        """Plain sentences on where these numbers mislead."""
        return cautions(self)

    def lines(self) -> list[str]:
        """The measures as a table for a terminal."""
        return table(self)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def to_dict(self) -> dict[str, Any]:
        """Everything but the curves as JSON can say it."""
        plain = {name: getattr(self, name) for name in ("rows", "roc_auc", "average_precision", "baseline")}
        named = ("accuracy", "balanced_accuracy", "mcc", "log_loss", "brier", "macro", "micro", "weighted")
        return plain | {
            "labels": [said(label) for label in self.labels],
            "majority": said(self.majority),
            **{name: getattr(self, name).to_dict() for name in named},
            "classes": [one.to_dict() for one in self.classes],
            "confusion": self.confusion.tolist(),
            "reliability": self.reliability.to_dict(),
            "warnings": self.warnings,
        }


def measure(labels: Iterable[Any], y: Iterable[Any], log_proba: Any) -> Scores:
    """The scores of log-probabilities (n, k) for the known `labels` (k) against the truth y (n).

    Intervals are of 95 %: Wilson's for shares of rows and the F1 of a class, Student's for mean losses, bootstrap for
    the rest, with two right and two wrong rows added where all are right or all wrong. The Brier score is the sum over
    the labels, halved for two of them, as in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from bayleaf.evaluate.scores import measure
    >>> scores = measure(["ham", "spam"], ["ham", "spam", "ham"], np.log([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7]]))
    >>> round(scores.accuracy.value, 3)
    0.667
    """
    known: Any = labels if hasattr(labels, "__len__") else list(labels)
    names, codes = numbered(known, y)
    return _scores(names, codes, _checked(np.asarray(log_proba, dtype=np.float64), len(codes), len(known)))


def _scores(names: tuple[Any, ...], codes: Ints, logs: Floats) -> Scores:
    k, n, known = len(names), len(codes), logs.shape[1]
    wide = np.full((n, k), -np.inf)
    wide[:, :known] = logs
    answers = logs.argmax(axis=1)
    confusion = np.bincount(codes * k + answers, minlength=k * k).reshape(k, k)
    margins, drawn = Margins.of(confusion), Margins.drawn(confusion)
    own = log_of_truth(logs, codes)
    proba = np.exp(wide)
    proba[np.arange(n), codes] -= 1.0
    curves = [Ranking.of(names[c], codes == c, wide[:, c]) if c < known else None for c in range(k)]
    rankings = [curve for curve in (curves[1:] if k == 2 else curves) if curve is not None]
    accuracy = Estimate.share(margins.hits.sum(), n)
    halves, balanced = 2 if k == 2 else 1, float(margins.balanced_accuracy)
    shared = Averages(accuracy.value, accuracy.value, accuracy)
    majority = int(margins.rows.argmax())
    return Scores(
        labels=names,
        rows=n,
        accuracy=accuracy,
        balanced_accuracy=accuracy if k == 1 else Estimate.drawn(balanced, drawn.balanced_accuracy),
        mcc=Estimate.drawn(float(margins.mcc), drawn.mcc),
        log_loss=Estimate.mean(-np.maximum(own, LEAST), -LEAST),
        brier=Estimate.mean((proba**2).sum(axis=1) / halves, 2 / halves),
        macro=_averages(margins, drawn, margins.occurs, drawn.occurs),
        micro=shared,  # every row has one label and one answer, so all three are the accuracy
        weighted=_averages(margins, drawn, margins.rows, drawn.rows),
        classes=[ClassScores.of(c, names[c], c < known, margins, curves[c]) for c in range(k)],
        confusion=confusion,
        reliability=Reliability.of(np.exp(logs.max(axis=1)), codes == answers),
        rankings=rankings,
        roc_auc=_mean([curve.roc_auc for curve in rankings]),
        average_precision=_mean([curve.average_precision for curve in rankings]),
        majority=names[majority],
        baseline=float(margins.rows[majority] / n),
        impossible=int((np.isneginf(own) & (codes < known)).sum()),
    )


def _averages(margins: Margins, drawn: Margins, weights: Floats, drawn_weights: Floats) -> Averages:
    precision, recall, f1 = (float(average(v, weights)) for v in (margins.precision, margins.recall, margins.f1))
    told = Estimate.drawn(f1, average(drawn.f1, drawn_weights))
    if len(margins.hits) == 1:  # all draws are alike; the average is the F1 of the class
        told = Estimate.f1(margins.hits[0], margins.rows[0])
    return Averages(precision, recall, told)


def _mean(values: list[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _checked(logs: Floats, n: int, k: int) -> Floats:
    if not n:
        raise BayleafError("Found no rows to measure; expected at least one. Pass rows whose labels are known")
    if logs.shape != (n, k):
        raise BayleafError(f"Found log-probabilities of shape {logs.shape}; expected {(n, k)}: rows by known labels")
    with np.errstate(over="ignore"):  # of densities or scores; refused below
        worst = np.abs(np.exp(logs).sum(axis=1) - 1.0).max() if not np.isnan(logs).any() else np.nan
    if not worst < 1e-4:
        raise BayleafError(
            "Found rows whose probabilities do not add up to 1; expected natural logs of probabilities. "
            "Pass what predict_log_proba returns"
        )
    return logs
