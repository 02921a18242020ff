"""bayleaf sample: rows made up by a model."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

from bayleaf.cli.desk.options import add_output, parser
from bayleaf.cli.desk.writing import written
from bayleaf.cli.parser import Parser, natural

ABOUT = """Draws rows from a model: a label by its prior, then each column by itself given the label, which is all
that Naive Bayes knows. Texts are words in no order. Written as CSV, or as JSON Lines with --json."""
EXAMPLES = """  bayleaf sample letters.bayleaf -n 5
  bayleaf sample letters.bayleaf -n 1000 --seed 1 > made-up.csv
"""


def main(argv: Sequence[str]) -> int:
    """Writes the rows."""
    options = arguments().options(argv)
    from bayleaf.encoders.categories import plain  # noqa: PLC0415 - half a second that -h need not wait for
    from bayleaf.face import faced  # noqa: PLC0415

    columns = faced(options.model).sample(options.n, options.seed)
    # A column that was always missing is drawn as NaN, which is neither JSON nor an empty cell.
    rows = zip(*(map(plain, cells) for cells in columns.values()), strict=True)
    with written(options.output, [options.model]) as out:
        if options.json:
            out.writelines(f"{json.dumps(dict(zip(columns, row, strict=True)))}\n" for row in rows)
        else:
            sheet = csv.writer(out, lineterminator="\n")
            sheet.writerow(columns)
            sheet.writerows(rows)
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("sample", ABOUT, EXAMPLES)
    command.add_argument("model", type=Path, metavar="MODEL", help="a model file")
    command.add_argument("-n", type=int, default=10, metavar="N", help="how many rows (10)")
    command.add_argument("--seed", type=natural, help="of the random numbers")
    add_output(command, "write there instead of to standard output")
    return command
