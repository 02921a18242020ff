"""Sections: scores, tokens and facts as HTML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.plot.tokens import speaking
from bayleaf.report.markup import between, name, percent, safe, table

if TYPE_CHECKING:
    from bayleaf.evaluate.scores import Scores
    from bayleaf.plot.tokens import Strongest

MATRIX = 30  # labels up to which the whole confusion matrix is shown
PAIRS = 20
WIDE = 60  # characters of all labels from which those above the matrix stand upright
TOKENS = 12


def summary(scores: Scores) -> str:
    """The result in two sentences."""
    right = sum(one.true_positives for one in scores.classes)
    told = (
        f"Right on {right:,} of {scores.rows:,} rows: <strong>{percent(scores.accuracy.value)}</strong>, "
        f"between {between(scores.accuracy, True).replace(' to ', ' and ')} with 95% confidence."
    )
    seen = [one for one in scores.classes if one.rows and one.known]
    weak = min(seen, key=lambda one: one.recall.value, default=None)
    if weak is not None and weak.false_negatives:
        told += f" Of the rows that are {name(weak.label)} it finds {percent(weak.recall.value)}"
        told += ", the least of all classes." if len(seen) > 1 else "."
    return told


def cautions(scores: Scores) -> str:
    """What to beware of, or nothing."""
    if not scores.warnings:
        return ""
    items = "".join(f"<li>{safe(sentence)}</li>" for sentence in scores.warnings)
    return f'<section class="warnings" aria-label="Warnings"><ul>{items}</ul></section>'


def figures(scores: Scores) -> str:
    """The key figures with their intervals."""
    shares = {"accuracy": scores.accuracy, "balanced accuracy": scores.balanced_accuracy, "macro F1": scores.macro.f1}
    losses = {"Matthews correlation": scores.mcc, "log loss": scores.log_loss, "Brier score": scores.brier}
    cells = [(title, percent(e.value), between(e, True)) for title, e in shares.items()]
    cells += [(title, f"{e.value:.4f}", between(e, False)) for title, e in losses.items()]
    cells.append(("calibration error", percent(scores.reliability.error), "expected, 15 bins"))
    for title, area in (("ROC AUC", scores.roc_auc), ("average precision", scores.average_precision)):
        if area is not None:
            cells.append((title, f"{area:.4f}", "mean over the classes" if len(scores.rankings) > 1 else "&nbsp;"))
    cells.append((f"always {name(scores.majority, 20)}", percent(scores.baseline), "what no skill achieves"))
    body = "".join(f"<div><dt>{t}</dt><dd><b>{value}</b><small>{note}</small></dd></div>" for t, value, note in cells)
    return f'<dl class="figures">{body}</dl>'


def classes(scores: Scores) -> str:
    """Precision, recall and F1 of each class and on average."""
    head = ["class", "rows", "true pos.", "false pos.", "false neg.", "true neg.", "precision", "recall", "F1"]
    rows = []
    for one in scores.classes:
        counts = (one.rows, one.true_positives, one.false_positives, one.false_negatives, one.true_negatives)
        shares = [f"{percent(e.value)}<small>{between(e, True)}</small>" for e in (one.precision, one.recall, one.f1)]
        known = "" if one.known else " <em>(never learned)</em>"
        rows.append([name(one.label) + known, *(f"{count:,}" for count in counts), *shares])
    for title in ("macro", "micro", "weighted"):
        mean = getattr(scores, title)
        f1 = f"{percent(mean.f1.value)}<small>{between(mean.f1, True)}</small>"
        rows.append([f"<em>{title} average</em>", *[""] * 5, percent(mean.precision), percent(mean.recall), f1])
    return table("Each class against the rest, with 95% intervals", head, rows)


def confusion(scores: Scores) -> str:
    """The confusion matrix, or its largest mistakes where there are too many labels."""
    counts = scores.confusion
    names = [name(label, 24) for label in scores.labels]
    if len(names) > MATRIX:
        if counts.trace() == scores.rows:
            return '<p class="note">No mistakes: every row got its own label.</p>'
        off = counts - np.diag(counts.diagonal())
        places = np.argsort(-off, axis=None, kind="stable")[:PAIRS]
        pairs = [np.unravel_index(place, off.shape) for place in places if off.flat[place]]
        rows = [[names[t], names[a], f"{off[t, a]:,}"] for t, a in pairs]
        return table(f"The {len(rows)} most frequent mistakes", ["truth", "answer", "rows"], rows)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    rows = [
        [title, *(f'<td class="h{round(10 * s)}">{n:,}</td>' for n, s in zip(row, part, strict=True))]
        for title, row, part in zip(names, counts.tolist(), shares.tolist(), strict=True)
    ]
    upright = sum(min(len(str(label)), 24) for label in scores.labels) > WIDE
    kind = "matrix upright" if upright else "matrix"
    return table("Truth down, answers across; shaded by the share of the truth", ["", *names], rows, kind)


def tokens(strongest: Strongest) -> str:
    """What speaks most for each class."""
    top = max((abs(weight) for ranks in strongest.values() for _, weight in ranks), default=1.0) or 1.0
    lists = []
    for label, ranks in strongest.items():
        items = "".join(
            f'<li><span class="bar" style="width: {84 * abs(weight) / top:.1f}%"></span>{name(token, 40)}'
            f"<small>{weight:.2f}</small></li>"
            for token, weight in speaking(ranks)[:TOKENS]
        )
        lists.append(f"<div><h3>{name(label)}</h3><ol>{items}</ol></div>")
    note = "Bars and numbers: what each adds where it is found. A rare one may stand below a common one that adds less."
    return f'<p class="note">{note}</p><div class="tokens">{"".join(lists)}</div>'


def facts(told: Mapping[str, Any]) -> str:
    """What is known about the model and the data."""
    rows = "".join(f"<div><dt>{safe(key)}</dt><dd>{name(value, 200)}</dd></div>" for key, value in told.items())
    return f'<dl class="facts">{rows}</dl>'
