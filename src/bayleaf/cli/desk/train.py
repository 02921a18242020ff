"""bayleaf train: a labelled file in, a model out."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from bayleaf.cli.desk import engine
from bayleaf.cli.desk.options import add_data, add_kinds, add_label, add_output, parser
from bayleaf.cli.desk.rows import batches, label_column, labelled, opened
from bayleaf.cli.parser import Parser
from bayleaf.cli.screen import table
from bayleaf.errors import BayleafError

ABOUT = """Learns labelled rows and writes a model. Each column is taken for text, a number or a category by looking
at it (the table says why), and all of them make one model. No rows are held back: how good the model is, is told by
judging each row of a sample by the counts without it (leave-one-out), and its smoothing is chosen the same way. Files
of any size are read in pieces."""
EXAMPLES = """  bayleaf train letters.csv --label team -o letters.bayleaf
  bayleaf train letters.csv --label team --columns zip=category note=ignore -o letters.bayleaf
  bayleaf train texts/ -o texts.bayleaf             # one folder of text files per label
  bayleaf train today.csv --onto month.bayleaf -o month.bayleaf
  zcat huge.jsonl.gz | bayleaf train - --label kind -o huge.bayleaf
  bayleaf train --engine spark --master spark://host:7077 data/*.parquet -o huge.bayleaf
"""


def main(argv: Sequence[str]) -> int:
    """Learns, shows what was learned, and writes the model."""
    options = arguments().options(argv)
    if options.master and options.engine != "spark":
        raise BayleafError("--master names a Spark master; expected --engine spark beside it")
    model, facts = engine.learned(options) if options.engine == "spark" else learned(options)
    model.save(options.output, sources=" ".join(options.data), rows=str(facts["rows"]))
    facts |= {"chosen": model.chosen_, "columns": model.columns_, "strongest": model.strongest(options.show)}
    facts |= {"model": str(options.output), "bytes": options.output.stat().st_size}
    if options.json:
        print(json.dumps(facts))
    elif not options.quiet:
        print("\n".join(shown(facts, model)))
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("train", ABOUT, EXAMPLES)
    add_data(command, several=True)
    add_label(command)
    add_output(command, "the model file to write", required=True)
    add_kinds(command)
    command.add_argument("--onto", type=Path, metavar="MODEL", help="learn on top of this model")
    engine.add_engine(command)
    command.add_argument("--show", type=int, default=8, metavar="N", help="strongest features per label to print (8)")
    return command


def learned(options: Namespace) -> tuple[Any, dict[str, Any]]:
    """The model of all rows, and how many there were."""
    from bayleaf._core import threads  # noqa: PLC0415
    from bayleaf.face import Face  # noqa: PLC0415
    from bayleaf.meanwhile import Meanwhile  # noqa: PLC0415
    from bayleaf.records import RecordClassifier  # noqa: PLC0415 - half a second that -h need not wait for

    model = RecordClassifier.load(options.onto) if options.onto else RecordClassifier(columns=dict(options.columns))
    rows, unlabelled = 0, 0
    for path in options.data:
        with opened(path, options) as source, Meanwhile(threaded=threads() != 1) as learning:
            label = label_column(source, options.label)
            for batch in batches(source, options, "learning"):
                known = labelled(batch, label)
                if known.labels:
                    learning.start(model.partial_fit, known.columns, known.labels)
                rows, unlabelled = rows + len(known.labels), unlabelled + len(batch) - len(known.labels)
    if not rows:
        raise BayleafError(f"{' '.join(options.data)}: found no labelled row; expected at least one per label")
    if unlabelled and not options.quiet:
        print(f"{unlabelled} rows without a label were left out", file=sys.stderr)
    return model, {"rows": rows, "unlabelled": unlabelled, "labels": Face(model).counts()}


def shown(facts: dict[str, Any], model: Any) -> list[str]:
    """The result for people."""
    rows = [("column", "taken for", "because"), *((name, *found) for name, found in model.guesses_.items())]
    chosen = dict(facts["chosen"])
    loss, accuracy, judged = (chosen.pop(f"loo_{name}") for name in ("log_loss", "accuracy", "rows"))
    lines = [
        *table(rows, "lll"),
        "",
        f"learned        {facts['rows']} rows: {', '.join(f'{n} {label}' for label, n in facts['labels'].items())}",
        "leave-one-out  nothing to choose from: every row has the same label"
        if loss is None
        else f"leave-one-out  accuracy {accuracy:.1%}, log loss {loss:.3f}, on {judged} rows",
        f"chosen         {', '.join(told(chosen))}",
        "",
        "strongest",
    ]
    for label, features in facts["strongest"].items():
        names = ", ".join(f"{name} {weight:+.1f}" for name, weight in sorted(features, key=lambda feature: -feature[1]))
        first = f"  {label}: "
        lines += wrap(first + names, min(get_terminal_size().columns, 92), subsequent_indent="    ")
    return [*lines, "", f"wrote {facts['model']} ({facts['bytes'] / 1e3:.0f} kB)"]


def told(chosen: Mapping[str, Any]) -> Iterator[str]:
    """What was chosen, in words and short numbers."""
    for name, value in chosen.items():
        if isinstance(value, Mapping):
            yield from (f"{name} of {part} {share:.3g}" for part, share in value.items())
        elif value is not None:
            yield f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
