"""ROC and precision-recall curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayleaf.plot.asking import MEASURED, refuse_other
from bayleaf.plot.canvas import COLOURS, FAINT, along, canvas, dress, key, look, name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bayleaf.evaluate.ranking import Ranking
    from bayleaf.evaluate.scores import Scores

SHOWN = len(COLOURS)  # curves with a colour and a name; of more, the three with the lowest average precision
WORST = 3


def roc(scores: Scores, ax: Axes | None = None, **style: Any) -> Axes:
    """ROC curves, the diagonal of chance, and the area under each curve; `style` goes to the lines."""
    refuse_other(scores, "rankings", MEASURED)
    from sklearn.metrics import RocCurveDisplay

    labels = ("false positive rate", "true positive rate")
    ax = canvas(ax, *labels)
    ax.plot([0, 1], [0, 1], color=FAINT, linewidth=1, zorder=1)
    for ranking, line in _lines(scores):
        display = RocCurveDisplay(fpr=ranking.false_positive_rate, tpr=ranking.true_positive_rate)
        display.plot(ax, curve_kwargs=look(style, **line))
    dress(ax, *labels)
    key(ax, _entries(scores, "roc_auc", "AUC"), 0.98, 0.06, ha="right")
    return ax


def precision_recall(scores: Scores, ax: Axes | None = None, **style: Any) -> Axes:
    """Precision-recall curves and the average precision of each; `style` goes to the lines."""
    refuse_other(scores, "rankings", MEASURED)
    from sklearn.metrics import PrecisionRecallDisplay

    labels = ("recall", "precision")
    ax = canvas(ax, *labels)
    for ranking, line in _lines(scores):
        if len(scores.rankings) == 1:
            ax.axhline(ranking.share, color=FAINT, linewidth=1, zorder=1)
        display = PrecisionRecallDisplay(ranking.precision, ranking.recall)
        display.plot(ax, curve_kwargs=look(style, drawstyle="steps-pre", **line))
    dress(ax, *labels)
    entries = _entries(scores, "average_precision", "AP")
    if len(scores.rankings) == 1:
        key(ax, entries, 0.03, min(scores.rankings[0].share, 0.6) + 0.07)
    else:  # curves of several classes leave no place free
        along(ax, entries, len(entries))
    return ax


def _lines(scores: Scores) -> list[tuple[Ranking, dict[str, Any]]]:
    """The curves with their looks, those with a name last, on top."""
    named = _named(scores)
    others = [ranking for ranking in scores.rankings if not any(ranking is one for one in named)]
    grey = [(ranking, {"color": FAINT, "linewidth": 0.9, "clip_on": False}) for ranking in others]
    coloured = [
        (ranking, {"color": colour, "linewidth": 1.8, "clip_on": False})
        for ranking, colour in zip(named, COLOURS, strict=False)
    ]
    return grey + coloured


def _named(scores: Scores) -> list[Ranking]:
    """Curves with a colour; chosen in one way, so that a class has the same colour in both pictures."""
    if len(scores.rankings) <= SHOWN:
        return scores.rankings
    return sorted(scores.rankings, key=lambda ranking: ranking.average_precision)[:WORST]


def _entries(scores: Scores, area: str, short: str) -> list[tuple[str, str]]:
    named = _named(scores)
    entries = [
        (f"{name(ranking.label)}: {short} {getattr(ranking, area):.3f}", colour)
        for ranking, colour in zip(named, COLOURS, strict=False)
    ]
    hidden = len(scores.rankings) - len(named)
    return [*entries, (f"{hidden} others", FAINT)] if hidden else entries
