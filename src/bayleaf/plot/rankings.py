"""ROC and precision-recall curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayleaf.plot.canvas import COLOURS, FAINT, MUTED, canvas, dress, key, look, name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bayleaf.evaluate.ranking import Ranking
    from bayleaf.evaluate.scores import Scores

SHOWN = len(COLOURS)  # curves with a colour and a name; of more, the worst get one and the rest are grey
WORST = 3


def roc(scores: Scores, ax: Axes | None = None, **style: Any) -> Axes:
    """ROC curves, the diagonal of chance, and the area under each curve; `style` goes to the lines."""
    from sklearn.metrics import RocCurveDisplay

    labels = ("false positive rate", "true positive rate")
    ax = canvas(ax, *labels)
    ax.plot([0, 1], [0, 1], color=FAINT, linewidth=1, zorder=1)
    for ranking, line in _lines(scores, "roc_auc"):
        display = RocCurveDisplay(fpr=ranking.false_positive_rate, tpr=ranking.true_positive_rate)
        display.plot(ax, curve_kwargs=look(style, **line))
    dress(ax, *labels)
    key(ax, _entries(scores, "roc_auc", "AUC"), 0.98, 0.04, ha="right")
    return ax


def precision_recall(scores: Scores, ax: Axes | None = None, **style: Any) -> Axes:
    """Precision-recall curves and the average precision of each; `style` goes to the lines."""
    from sklearn.metrics import PrecisionRecallDisplay

    labels = ("recall", "precision")
    ax = canvas(ax, *labels)
    for ranking, line in _lines(scores, "average_precision"):
        if len(scores.rankings) == 1:
            ax.axhline(ranking.share, color=FAINT, linewidth=1, zorder=1)
        display = PrecisionRecallDisplay(ranking.precision, ranking.recall)
        display.plot(ax, curve_kwargs=look(style, drawstyle="steps-pre", **line))
    dress(ax, *labels)
    above = max([0.0, *(r.share for r in scores.rankings)][: 1 + (len(scores.rankings) == 1)])
    key(ax, _entries(scores, "average_precision", "average precision"), 0.03, min(above, 0.6) + 0.05)
    return ax


def _lines(scores: Scores, area: str) -> list[tuple[Ranking, dict[str, Any]]]:
    """The curves with their looks, those with a name last, on top."""
    named = {id(ranking): place for place, ranking in enumerate(_named(scores, area))}
    lines = []
    for ranking in scores.rankings:
        place = named.get(id(ranking))
        colour = FAINT if place is None else COLOURS[place]
        lines.append((ranking, {"color": colour, "linewidth": 1.8 if place is not None else 0.9, "clip_on": False}))
    return sorted(lines, key=lambda pair: id(pair[0]) in named)


def _named(scores: Scores, area: str) -> list[Ranking]:
    if len(scores.rankings) <= SHOWN:
        return scores.rankings
    return sorted(scores.rankings, key=lambda ranking: getattr(ranking, area))[:WORST]


def _entries(scores: Scores, area: str, short: str) -> list[tuple[str, str]]:
    named = _named(scores, area)
    entries = [
        (f"{name(ranking.label)}: {short} {getattr(ranking, area):.3f}", COLOURS[place])
        for place, ranking in enumerate(named)
    ]
    hidden = len(scores.rankings) - len(named)
    return [*entries, (f"{hidden} others, all better", MUTED)] if hidden else entries
