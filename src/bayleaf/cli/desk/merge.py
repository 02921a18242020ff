"""bayleaf merge: models are sums, and so are sums of models."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

from bayleaf.cli.desk.options import add_output, parser
from bayleaf.cli.desk.origin import files_of, kept
from bayleaf.cli.desk.writing import refuse_nowhere
from bayleaf.cli.parser import Parser
from bayleaf.cli.screen import number_of
from bayleaf.plain import plain

ABOUT = """Adds models of the same kind and columns: the counts are exactly those of one model that learned all of
their rows. Settings are those of the first model; what is derived from counts is that of the model with most rows,
until the next training."""
EXAMPLES = """  bayleaf merge monday.bayleaf tuesday.bayleaf wednesday.bayleaf -o week.bayleaf
  bayleaf merge week.bayleaf --minus monday.bayleaf -o rest.bayleaf
"""


def main(argv: Sequence[str]) -> int:
    """Writes the sum."""
    options = arguments().options(argv)
    refuse_nowhere(options.output)
    from bayleaf.loading import load  # noqa: PLC0415 - half a second that -h need not wait for

    merged = reduce(lambda a, b: a + b, map(load, options.models))
    merged = reduce(lambda a, b: a - b, map(load, options.minus), merged)
    names = [*map(str, options.models), *(f"-{path}" for path in options.minus)]
    learned, gone = ([file for model in some for file in files_of(model)] for some in (options.models, options.minus))
    rows = f"{merged.class_count_.sum():.15g}"
    merged.save(options.output, sources=" ".join(names), files=kept(learned, gone), rows=rows)
    facts = {"model": str(options.output), "from": names, "hash": merged._archive().hash}
    if options.json:
        print(json.dumps(facts))
    elif not options.quiet:
        print(plain(f"wrote {options.output}, {number_of(len(names), 'model')}, hash {facts['hash']}"))
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("merge", ABOUT, EXAMPLES, quiet="print nothing: the result is the model")
    command.add_argument("models", type=Path, nargs="+", metavar="MODEL", help="model files")
    command.add_argument(
        "--minus", type=Path, action="extend", nargs="+", default=[], metavar="MODEL", help="models to take away"
    )
    add_output(command, "the model file to write", required=True)
    return command
