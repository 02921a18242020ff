"""Pictures: the figures of a report, as files or inside a page."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bayleaf import plot
from bayleaf.plain import plain
from bayleaf.plot.canvas import SIZE
from bayleaf.plot.confusion import matrix_size
from bayleaf.plot.tokens import list_size
from bayleaf.whole import whole

if TYPE_CHECKING:
    from bayleaf.evaluate.curve import Point
    from bayleaf.evaluate.scores import Scores
    from bayleaf.plot.tokens import Strongest

DPI = 150
SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "bayleaf"}  # text stays text; equal pictures are equal bytes


class Picture(NamedTuple):
    """One figure: the name of its file, its heading, what it shows in a sentence, and what draws it."""

    name: str
    heading: str
    told: str
    draw: Callable[[Any], Any]
    size: tuple[float, float] = SIZE

    def bytes(self, form: str) -> bytes:
        """The figure as "png" or "svg"; one of its own, known to no window."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=self.size, layout="constrained")
        FigureCanvasAgg(figure)
        out = io.BytesIO()
        with _settings():
            self.draw(figure.add_subplot())
            nothing = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
            figure.savefig(out, format=form, dpi=DPI, transparent=form == "svg", metadata=nothing)
        return out.getvalue()


@contextmanager
def _settings() -> Iterator[None]:
    """How files are written. A sign that the font lacks is a box in a PNG and no reason to complain."""
    import matplotlib as mpl

    settings: Any = SETTINGS
    with mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def charts(scores: Scores, curve: Sequence[Point] | None) -> list[Picture]:
    """Curves, reliability and learning: what can be drawn of these scores."""
    found = []
    if scores.rankings:
        one = len(scores.rankings) == 1
        whose, mean = (plain(scores.rankings[0].label), "") if one else ("each class against the rest", "mean ")
        found += [
            Picture(
                "roc",
                "ROC curve",
                f"True against false positive rate of {whose}; {mean}area under the curve {scores.roc_auc:.3f}. "
                "The grey line is chance.",
                lambda ax: plot.roc(scores, ax),
            ),
            Picture(
                "precision_recall",
                "Precision and recall",
                f"Precision against recall of {whose}; {mean}average precision {scores.average_precision:.3f}.",
                lambda ax: plot.precision_recall(scores, ax),
            ),
        ]
    found.append(
        Picture(
            "reliability",
            "Reliability",
            "How often answers are right against how sure they were, with 95% intervals. On the grey line the "
            f"classifier keeps its word, below it is too sure. Calibration error {scores.reliability.error:.1%}.",
            lambda ax: plot.reliability(scores, ax),
        )
    )
    if curve:
        last = curve[-1]
        told = (
            f"Accuracy by the number of learned rows, up to {last.accuracy.value:.1%} after {last.rows:,}; band: 95%."
        )
        found.append(Picture("learning_curve", "Learning curve", told, lambda ax: plot.learning_curve(curve, ax)))
    return found


def write_plots(
    folder: str | Path, *, scores: Scores, strongest: Strongest | None = None, curve: Sequence[Point] | None = None
) -> list[Path]:
    """Each figure as PNG and as SVG in a folder, which is made if need be; returns the files."""
    figures = charts(scores, curve)
    figures.append(Picture("confusion", "", "", lambda ax: plot.confusion(scores, ax), matrix_size(len(scores.labels))))
    if strongest:
        figures.append(Picture("tokens", "", "", lambda ax: plot.tokens(strongest, ax), list_size(strongest)))
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    files = [(place / f"{figure.name}.{form}", figure, form) for figure in figures for form in ("png", "svg")]
    for path, figure, form in files:
        with whole(path) as sibling:
            sibling.write_bytes(figure.bytes(form))
    return [path for path, _, _ in files]
