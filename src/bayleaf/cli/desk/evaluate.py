"""bayleaf evaluate: how good a model is."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from bayleaf.cli.desk.noted import noted
from bayleaf.cli.desk.options import add_data, add_kinds, add_label, parser
from bayleaf.cli.desk.writing import refuse_nowhere
from bayleaf.cli.parser import Parser, natural
from bayleaf.cli.screen import number_of, paint
from bayleaf.errors import BayleafError
from bayleaf.missing import label_text
from bayleaf.plain import plain

if TYPE_CHECKING:
    from bayleaf.cli.desk.judging import Judged
    from bayleaf.cli.desk.rows import Rows
    from bayleaf.evaluate.curve import Point
    from bayleaf.evaluate.scores import Scores
    from bayleaf.report import Mistake

ABOUT = """Measures answers on labelled rows: those of a model file on rows it has not seen (--model), or those of a
model of the same rows: each row judged by the counts without it (leave-one-out, the default), which is a little too
good, since the weights of the model are fitted to these rows, or each fold by a model of the others (--folds). Prints
accuracy, precision, recall and F per label with their counts, log loss, calibration, intervals of 95 %, and says where
a number misleads."""
EXAMPLES = """  bayleaf evaluate letters.csv --label team
  bayleaf evaluate letters.csv --label team --folds 10 --report report.html --plot pictures
  bayleaf evaluate new.csv --label team --model letters.bayleaf --json
"""


@noted
def main(argv: Sequence[str]) -> int:
    """Prints the measures, and writes the report and the pictures."""
    options = arguments().options(argv)
    if options.model and (options.folds is not None or options.columns):
        raise BayleafError("--model judges other rows: --folds and --columns are for rows without a model")
    refuse_unpictured(options)
    if options.report:
        refuse_nowhere(options.report, [options.data, options.model])
    if options.plot and options.plot.exists() and not options.plot.is_dir():
        raise BayleafError(f"{options.plot} cannot take the pictures: it is no folder; name one that is, or a new one")
    from bayleaf.cli.desk.judging import held_out, within  # noqa: PLC0415 - a second that -h need not wait for
    from bayleaf.evaluate.scores import measure  # noqa: PLC0415

    judged = held_out(options) if options.model else within(options)
    scores = measure(judged.face.labels, judged.truth, judged.log_proba)
    try:
        files = written(options, judged, scores)
    except OSError as error:
        asked = " or ".join(str(path) for path in (options.report, options.plot) if path)  # a full disk has no name
        raise BayleafError(f"{error.filename or asked} cannot be written: {error.strerror}") from error
    if options.json:
        print(json.dumps({**scores.to_dict(), "how": judged.how, "files": files}))
        return 0
    print(plain(f"{number_of(scores.rows, 'row')}, {judged.how}") + "\n")
    for line in scores.lines():
        print(*wrapped(line), sep="\n")
    if files and not options.quiet:
        print(plain(f"wrote {', '.join(map(str, filter(None, (options.report, options.plot))))}"))
    return 0


def wrapped(line: str) -> list[str]:
    """A line for the screen: a sentence of caution in colour, and on a terminal as wide as that."""
    if not line.startswith("! "):
        return [line]
    width = min(get_terminal_size().columns, 92) if sys.stdout is not None and sys.stdout.isatty() else len(line)
    return [paint(part, "yellow") for part in wrap(line, width, subsequent_indent="  ", break_on_hyphens=False)]


def arguments() -> Parser:
    """What the command takes."""
    command = parser("evaluate", ABOUT, EXAMPLES)
    command.beyond = "a model is given by --model MODEL"
    add_data(command)
    add_label(command)
    add_kinds(command)
    command.add_argument("--model", type=Path, metavar="MODEL", help="judge by this model, which has not seen the rows")
    command.add_argument("--folds", type=int, metavar="K", help="leave one of K parts out at a time, not one row")
    command.add_argument("--seed", type=natural, default=0, help="of the folds (0)")
    command.add_argument("--report", type=Path, metavar="PATH", help="write a page with everything, in one HTML file")
    command.add_argument("--plot", type=Path, metavar="FOLDER", help="write the pictures as PNG and SVG")
    return command


def refuse_unpictured(options: Namespace) -> None:
    """Refuse pictures where nothing can draw them, before the rows are judged."""
    asked = next((name for name in ("report", "plot") if getattr(options, name)), None)
    if asked and find_spec("matplotlib") is None:
        raise BayleafError(f"--{asked} needs matplotlib, which is not installed; pip install 'bayleaf[plot]'")


def written(options: Namespace, judged: Judged, scores: Scores) -> list[str]:
    """The files that were asked for."""
    files: list[Path] = []
    if not options.report and not options.plot:
        return []
    from bayleaf.report import write_plots, write_report  # noqa: PLC0415 - matplotlib

    strongest = judged.face.strongest(15)
    curve = learning(judged, options.seed)
    if options.report:
        facts = {"data": options.data, "rows": scores.rows, "judged": judged.how, **judged.face.facts()}
        title = f"{Path(options.data).name}: {scores.rows} rows"
        shown = mistakes(judged)
        files.append(
            write_report(
                options.report,
                title=title,
                scores=scores,
                model_facts=facts,
                strongest=strongest,
                mistakes=shown,
                curve=curve,
            )
        )
    if options.plot:
        files += write_plots(options.plot, scores=scores, strongest=strongest, curve=curve)
    return [str(file) for file in files]


def learning(judged: Judged, seed: int) -> list[Point] | None:
    """The learning curve, where the rows are at hand and enough."""
    from bayleaf.evaluate.curve import learning_curve  # noqa: PLC0415
    from bayleaf.records import RecordClassifier  # noqa: PLC0415

    if judged.rows is None or len(judged.truth) < 50:
        return None
    return learning_curve(
        lambda: RecordClassifier(columns=judged.face.model.columns_), *shuffled(judged.rows, seed), points=8
    )


def shuffled(rows: Rows, seed: int) -> tuple[dict[str, list[Any]], list[str]]:
    """The rows in random order: files are often sorted by label."""
    import random  # noqa: PLC0415

    order = list(range(len(rows.labels)))
    random.Random(seed).shuffle(order)
    return {name: [v[i] for i in order] for name, v in rows.columns.items()}, [rows.labels[i] for i in order]


def mistakes(judged: Judged) -> list[Mistake]:
    """The worst mistakes with their explanations, by the counts without the row where these held it."""
    from bayleaf.report import Mistake  # noqa: PLC0415

    found = []
    for place, row, truth in judged.mistakes:
        with judged.face.without(row, truth) if judged.rows else nullcontext():
            why = judged.face.explain(row)[0]
        if label_text(why.predicted) != truth:  # without its whole fold it was wrong, without itself it is not
            own = {label_text(label): label for label in why.labels}  # a model of an array may have learned numbers
            found.append(Mistake(place, own.get(truth, truth), why, judged.face.text_of(row) or None))
    return found
