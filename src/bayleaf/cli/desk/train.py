"""bayleaf train: a labelled file in, a model out."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any
from unicodedata import normalize

from bayleaf.cli.desk import engine
from bayleaf.cli.desk.options import add_data, add_kinds, add_label, add_output, parser
from bayleaf.cli.desk.origin import files_of, kept
from bayleaf.cli.desk.rows import (
    Rows,
    batches,
    codes_of,
    grown,
    kinds,
    label_column,
    labelled,
    located,
    opened,
    reasoned,
    refuse_other_kinds,
    refuse_unknown,
    tell_unknown,
    tell_unlabelled,
    written,
)
from bayleaf.cli.desk.writing import refuse_nowhere
from bayleaf.cli.parser import Parser, natural
from bayleaf.cli.screen import number_of
from bayleaf.cli.streams import complain
from bayleaf.errors import BayleafError
from bayleaf.missing import MISSING
from bayleaf.plain import aligned, listed, plain

ABOUT = """Learns labelled rows and writes a model. Each column is taken for text, a number or a category by looking
at it (the table says why), and all of them make one model. No rows are held back: to say how good the model is, each
row of a sample is judged by the counts without it (leave-one-out). The smoothing is chosen the same way. Files of any
size are read in pieces."""
EXAMPLES = """  bayleaf train letters.csv --label team -o letters.bayleaf
  bayleaf train letters.csv --label team --columns zip=category note=ignore -o letters.bayleaf
  bayleaf train texts/ -o texts.bayleaf             # one folder of text files per label
  bayleaf train today.csv --onto month.bayleaf -o month.bayleaf
  zcat huge.jsonl.gz | bayleaf train - --label kind -o huge.bayleaf
  bayleaf train --engine spark --master spark://host:7077 data/*.parquet -o huge.bayleaf
"""
SHOWN = 10  # labels


def main(argv: Sequence[str]) -> int:
    """Learns, shows what was learned, and writes the model."""
    options = arguments().options(argv)
    if options.master and options.engine != "spark":
        raise BayleafError("--master names a Spark master; expected --engine spark beside it")
    if options.data.count("-") > 1:
        raise BayleafError("found - several times, expected it once: the first reads standard input to its end")
    refuse_nowhere(options.output, options.data)
    model, facts = engine.learned(options) if options.engine == "spark" else learned(options)
    sources = " ".join([*([str(options.onto)] if options.onto else []), *options.data])
    files = kept([*(files_of(options.onto) if options.onto else []), *options.data])
    model.save(options.output, sources=sources, files=files, rows=str(sum(facts["held"].values())))
    if options.quiet and not options.json:
        return 0
    facts |= {"chosen": model.chosen_, "columns": model.columns_, "strongest": model.strongest(options.show)}
    facts |= {"onto": str(options.onto) if options.onto else None, "aged": bool(options.onto) and model.aged_}
    facts |= {"model": str(options.output), "bytes": options.output.stat().st_size}
    caution = doubt(facts, options.label or "this")
    if caution and not options.quiet:
        complain(f"note: {caution}")
    if options.json:
        print(json.dumps(facts))
    elif not options.quiet:
        print("\n".join(map(plain, shown(facts, model))))
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("train", ABOUT, EXAMPLES, quiet="print nothing: the result is the model")
    add_data(command, several=True)
    add_label(command)
    add_output(command, "the model file to write", required=True)
    add_kinds(command)
    command.add_argument("--onto", type=Path, metavar="MODEL", help="learn on top of this model")
    engine.add_engine(command)
    command.add_argument(
        "--show", type=natural, default=8, metavar="N", help="strongest features per label to print (8)"
    )
    return command


def learned(options: Namespace) -> tuple[Any, dict[str, Any]]:
    """The model of all rows, and how many there were."""
    from bayleaf._core import threads  # noqa: PLC0415
    from bayleaf.face import Face  # noqa: PLC0415
    from bayleaf.meanwhile import Meanwhile  # noqa: PLC0415
    from bayleaf.records import RecordClassifier  # noqa: PLC0415
    from bayleaf.records.columns import Guess  # noqa: PLC0415 - half a second that -h need not wait for

    model: Any = RecordClassifier.load(options.onto) if options.onto else None
    if options.onto:
        refuse_other_kinds(model, options)
    before = Face(model).counts() if model else {}
    rows, unlabelled, codes, sure = 0, 0, dict(codes_of(model)), dict[str, tuple[str, str]]()
    for path in options.data:
        with opened(path, options, codes) as source, Meanwhile(threaded=threads() != 1) as learning:
            label = label_column(source, options.label)
            refuse_unknown(source, label, options.columns)
            codes = {**written(source, label), **codes}
            tell_unknown(source, label, model, options)
            for batch in batches(source, options, "learning"):
                known = labelled(batch, label, source)
                if known.labels:
                    if model is None:
                        model, sure = RecordClassifier(columns=kinds(known, options)), dict(known.kinds)
                    learning.start(learn, model, known)
                rows, unlabelled = rows + len(known.labels), unlabelled + len(batch) - len(known.labels)
    if not rows:
        raise BayleafError(f"{' '.join(options.data)}: found no labelled row; expected at least one per label")
    tell_unlabelled(unlabelled, options)
    model.guesses_ |= {name: Guess(*found) for name, found in sure.items() if name not in dict(options.columns)}
    reasoned(model, codes)
    return model, {"rows": rows, "unlabelled": unlabelled, **grown(before, Face(model).counts())}


def learn(model: Any, rows: Rows) -> None:
    """Learn some rows; a bad cell is told by file and line."""
    with located(rows, given=True):
        model.partial_fit(rows.columns, rows.labels)


def doubt(facts: dict[str, Any], label: str) -> str:
    """What is odd about the labels, if anything."""
    counts = list(facts["held"].values())
    if len(counts) == 1:
        return "every row has the same label, and the model can give no other; expected at least two"
    name, forms = Counter(normalize("NFC", str(name)) for name in facts["held"]).most_common(1)[0]
    if forms > 1:
        return f"{forms} labels look like {name}: their accents are written in different ways (NFC, NFD); make them one"
    if none := [label for label in facts["held"] if label in MISSING]:
        return f"{listed(none)} is learned as a label like others; empty the cell of a row that has none"
    if max(counts) == 1:
        return f"every label has one row; is {label} a label?"
    if len(counts) >= SHOWN and 2 * len(counts) > sum(counts):
        return f"there are {len(counts)} labels for {sum(counts)} rows; is {label} a label?"
    return ""


def shown(facts: dict[str, Any], model: Any) -> list[str]:
    """The result for people."""
    chosen = dict(facts["chosen"])
    chosen.pop("worth")  # of the parts: it is in that of their columns
    worth = {name: f"{by:.2f}" for name, by in chosen.pop("columns").items()}
    guesses = ((name, kind, worth.get(name, ""), why) for name, (kind, why) in model.guesses_.items())
    rows = [("column", "taken for", "worth", "because"), *guesses]
    width = min(get_terminal_size().columns, 92)
    loss, accuracy, judged = (chosen.pop(f"loo_{name}") for name in ("log_loss", "accuracy", "rows"))
    if loss is None:
        several = len(facts["held"]) > 1
        good = f"nothing to judge: {'every label has one row' if several else 'every row has the same label'}"
    else:
        good = f"accuracy {accuracy:.1%}, log loss {loss:.3f}, on {number_of(judged, 'row')}"
    if facts["aged"]:
        good += f", of {facts['onto']} as it was: measured again when there are twice the rows"
    held = number_of(sum(facts["held"].values()), "row")
    told = [
        ("learned", f"{number_of(facts['rows'], 'row')}: {counted(facts['labels'])}"),
        *([("holds", f"{held}: {counted(facts['held'])}")] if facts["held"] != facts["labels"] else []),
        ("leave-one-out", good),
        ("chosen", ", ".join(settings(chosen))),
    ]
    lines = [
        *aligned(rows, "llrl"),
        "",
        *(line for name, words in told for line in wrap(f"{name:15}{words}", width, subsequent_indent=" " * 15)),
        *(["", "strongest"] if loss is not None else []),  # one row each has no spread: weights beyond all bounds
    ]
    for label, features in islice(facts["strongest"].items(), SHOWN if loss is not None else 0):
        ranked = sorted(features, key=lambda feature: -feature[1])
        # What says a hundredth of what the first says need not be read.
        names = [f"{name} {weight:+.1f}" for name, weight in ranked if weight >= ranked[0][1] / 100]
        lines += wrap(f"  {label}: {', '.join(names)}", width, subsequent_indent="    ")
    return [*lines, "", f"wrote {facts['model']} ({facts['bytes'] / 1e3:.0f} kB)"]


def counted(labels: Mapping[str, int]) -> str:
    """How many rows the first labels have, and how many labels come after them."""
    more = [f"and {len(labels) - SHOWN} more labels"] if len(labels) > SHOWN else []
    return ", ".join([*(f"{n} of {label}" for label, n in islice(labels.items(), SHOWN)), *more])


def settings(chosen: Mapping[str, Any]) -> Iterator[str]:
    """What was chosen, in words and short numbers."""
    for name, value in chosen.items():
        if value is not None:
            yield f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
