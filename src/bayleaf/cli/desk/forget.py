"""bayleaf forget: rows taken out of a model, exactly."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bayleaf.cli.desk.noted import noted
from bayleaf.cli.desk.options import add_data, add_label, add_output, parser
from bayleaf.cli.desk.origin import files_of, kept
from bayleaf.cli.desk.rows import batches, codes_of, label_column, labelled, located, opened
from bayleaf.cli.desk.swapped import model_first
from bayleaf.cli.desk.writing import refuse_nowhere
from bayleaf.cli.parser import Parser
from bayleaf.cli.screen import number_of
from bayleaf.errors import BayleafError
from bayleaf.plain import plain

ABOUT = """Takes learned rows out of a model: its counts are then exactly those of a model that never saw them. What
was derived from the counts (smoothing, worth of the columns) stays until the next training. Rows that were never
learned are refused where a count or a spread would fall below zero, and the model stays as it was. Prints a receipt:
how many rows of which label went, and the hash of the model before and after."""
EXAMPLES = """  bayleaf forget letters.bayleaf one-customer.csv --label team
  bayleaf forget letters.bayleaf one-customer.csv --label team -o without.bayleaf --json > receipt.json
"""


@noted
def main(argv: Sequence[str]) -> int:
    """Writes the model without the rows, and prints the receipt."""
    options = arguments().options(argv)
    from bayleaf.archive import Archive  # noqa: PLC0415 - numpy, which -h need not wait for

    output = options.output or options.model
    refuse_nowhere(output, [options.data])
    with model_first(options):
        before = Archive.read(options.model).hash
    model, gone = forgotten(options)
    if not gone:
        raise BayleafError(f"{options.data}: found no labelled row; nothing was forgotten")
    left = f"{model.class_count_.sum():.15g}"
    files = kept(files_of(options.model), without=[options.data])
    model.save(output, sources=f"{options.model} without {options.data}", files=files, rows=left)
    receipt = {
        "model": str(output),
        "rows": sum(gone.values()),
        "labels": dict(sorted(gone.items())),
        "hash_before": before,
        "hash_after": model._archive().hash,
    }
    if options.json:
        print(json.dumps(receipt))
    else:
        counts = ", ".join(f"{n} {label}" for label, n in sorted(gone.items()))
        print(plain(f"forgot  {number_of(sum(gone.values()), 'row')}: {counts}"))
        print(f"before  {before}\nafter   {receipt['hash_after']}  {plain(str(output))}")
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("forget", ABOUT, EXAMPLES)
    command.beyond = "a file to write is given by -o PATH"
    command.add_argument("model", type=Path, metavar="MODEL", help="a model file")
    add_data(command)
    add_label(command)
    add_output(command, "write the model there (default: in place of the old one)")
    return command


def forgotten(options: Namespace) -> tuple[Any, Counter[str]]:
    """The model without the rows, and how many of each label they were."""
    from bayleaf.face import faced  # noqa: PLC0415

    face, gone = faced(options.model), Counter[str]()
    with opened(options.data, options, codes_of(face.model)) as source:
        label = label_column(source, options.label)
        for batch in batches(source, options, "forgetting"):
            rows = labelled(batch, label, source)
            if rows.labels:
                with located(rows):
                    face.unlearn(rows.columns, rows.labels)
                gone.update(rows.labels)
    return face.model, gone
