"""Table: scores in lines for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayleaf.plain import aligned, plain

if TYPE_CHECKING:
    from bayleaf.evaluate.estimate import Estimate
    from bayleaf.evaluate.scores import Scores

MOST = 30  # characters of a label
MATRIX = 12  # labels up to which the confusion matrix fits a terminal


def table(scores: Scores) -> list[str]:
    """Figures with their intervals, the classes, the confusion matrix, and what to beware of."""
    head = [
        ["rows", f"{scores.rows:,}", ""],
        ["accuracy", *_percent(scores.accuracy)],
        ["always " + plain(scores.majority, MOST), f"{scores.baseline:.1%}", ""],
        ["balanced accuracy", *_percent(scores.balanced_accuracy)],
        ["macro F1", *_percent(scores.macro.f1)],
        ["Matthews correlation", *_number(scores.mcc)],
        ["log loss", *_number(scores.log_loss)],
        ["Brier score", *_number(scores.brier)],
        ["calibration error", f"{scores.reliability.error:.1%}", ""],
        ["ROC AUC", "-" if scores.roc_auc is None else f"{scores.roc_auc:.4f}", ""],
        ["average precision", "-" if scores.average_precision is None else f"{scores.average_precision:.4f}", ""],
    ]
    lines = [*aligned(head, "lrl"), "", *aligned(_classes(scores), "l" + "r" * 8)]
    if len(scores.labels) <= MATRIX:
        lines += ["", "truth down, answers across", *aligned(_matrix(scores), "l" + "r" * len(scores.labels))]
    return lines + ["", *(f"! {sentence}" for sentence in scores.warnings)] * bool(scores.warnings)


def _classes(scores: Scores) -> list[list[str]]:
    rows = [["class", "rows", "right", "false +", "missed", "true -", "precision", "recall", "F1"]]
    for one in scores.classes:
        counts = (one.rows, one.true_positives, one.false_positives, one.false_negatives, one.true_negatives)
        shares = (one.precision.value, one.recall.value, one.f1.value)
        rows.append([plain(one.label, MOST), *(f"{n:,}" for n in counts), *(f"{share:.1%}" for share in shares)])
    for name in ("macro", "micro", "weighted"):
        mean = getattr(scores, name)
        rows.append([name, *[""] * 5, f"{mean.precision:.1%}", f"{mean.recall:.1%}", f"{mean.f1.value:.1%}"])
    return rows


def _matrix(scores: Scores) -> list[list[str]]:
    names = [plain(label, MOST) for label in scores.labels]
    return [["", *names]] + [[name, *map(str, row)] for name, row in zip(names, scores.confusion.tolist(), strict=True)]


def _percent(estimate: Estimate) -> list[str]:
    return [f"{estimate.value:.1%}", f"{estimate.low:.1%} to {estimate.high:.1%}"]


def _number(estimate: Estimate) -> list[str]:
    return [f"{estimate.value:.4f}", f"{estimate.low:.4f} to {estimate.high:.4f}"]
