"""The page: everything an evaluation found, in one file that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

import bayleaf
from bayleaf.report import sections
from bayleaf.report.inline import inline
from bayleaf.report.markup import safe
from bayleaf.report.pictures import charts
from bayleaf.whole import whole

if TYPE_CHECKING:
    from bayleaf.evaluate.curve import Point
    from bayleaf.evaluate.scores import Scores
    from bayleaf.plot.tokens import Strongest
    from bayleaf.report.mistake import Mistake


def write_report(
    path: str | Path,
    *,
    title: str,
    scores: Scores,
    model_facts: Mapping[str, Any] | None = None,
    strongest: Strongest | None = None,
    mistakes: Sequence[Mistake] = (),
    curve: Sequence[Point] | None = None,
) -> Path:
    """Write the report of an evaluation as one HTML page and return its path.

    The page loads nothing and runs nothing (its own policy forbids both), follows the reader's choice of light or dark,
    and fits a telephone. All text is escaped; hidden characters are shown.

    Parameters
    ----------
    path : str or Path
        The file; replaced as a whole.
    title : str
        What was evaluated.
    scores : Scores
        From `bayleaf.evaluate.scores.measure`.
    model_facts : dict, optional
        What should be said about model and data: names and values.
    strongest : dict, optional
        {label: [(token, weight)]}, as `TextClassifier.top_tokens` returns it.
    mistakes : list of Mistake
        Wrong answers to show, the worst first.
    curve : list of Point, optional
        From `bayleaf.evaluate.curve.learning_curve`.
    """
    template = Template(files("bayleaf.report").joinpath("page.html").read_text(encoding="utf-8"))
    page = template.substitute(
        title=safe(title, 200),
        summary=sections.summary(scores),
        warnings=sections.cautions(scores),
        figures=sections.figures(scores),
        classes=sections.classes(scores),
        confusion=sections.confusion(scores),
        charts=_charts(scores, curve),
        tokens=_section("tokens", "Strongest evidence", sections.tokens(strongest) if strongest else ""),
        mistakes=_section("mistakes", "Worst mistakes", "".join(mistake.html() for mistake in mistakes), MARKS),
        facts=_section("facts", "Model and data", sections.facts(model_facts) if model_facts else ""),
        version=bayleaf.__version__,
    )
    with whole(path) as sibling:
        sibling.write_bytes(page.encode("utf-8", "replace"))
    return Path(path)


MARKS = (
    '<p class="note">Shaded words spoke <mark class="for3">for the wrong answer</mark> or '
    '<mark class="against3">for the truth</mark>; the stronger the shade, the stronger the word.</p>'
)


def _charts(scores: Scores, curve: Sequence[Point] | None) -> str:
    return "".join(
        f"<figure><h3>{chart.heading}</h3>{inline(chart.bytes('svg'), chart.name, chart.heading, chart.told)}"
        f"<figcaption>{safe(chart.told)}</figcaption></figure>"
        for chart in charts(scores, curve)
    )


def _section(name: str, heading: str, content: str, note: str = "") -> str:
    """A section with its heading, or nothing where there is nothing to show."""
    return f'<section id="{name}"><h2>{heading}</h2>{note}{content}</section>' if content else ""
