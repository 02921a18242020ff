"""bayleaf explain: the arithmetic behind one answer."""

from __future__ import annotations

import json
import os
import warnings
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayleaf.cli.desk.asked import asked, refuse_swallowed
from bayleaf.cli.desk.noted import noted
from bayleaf.cli.desk.options import add_reading, parser
from bayleaf.cli.desk.predict import lines_of
from bayleaf.cli.desk.rows import Rows, codes_of, located, opened
from bayleaf.cli.parser import Parser
from bayleaf.cli.screen import shade
from bayleaf.errors import BayleafError
from bayleaf.plain import plain

if TYPE_CHECKING:
    from bayleaf.arrays import Floats
    from bayleaf.explanation import Explanation
    from bayleaf.face import Face

ABOUT = """Shows why a text or a row gets its label: the prior, times a factor for each token or column, is the
product; the products made to add up to one are the posterior. On a terminal the text is coloured: what speaks for the
answer against the runner-up is green, what speaks against it red. A column that is not named counts as not known."""
EXAMPLES = """  bayleaf explain texts.bayleaf "where is my parcel?"
  bayleaf explain texts.bayleaf - < letter.txt
  bayleaf explain letters.bayleaf message="where is my parcel?" channel=phone
  bayleaf explain letters.bayleaf --data new.csv --row 17
"""


@noted
def main(argv: Sequence[str]) -> int:
    """Prints the text in colours and the sum."""
    options = arguments().options(argv)
    from bayleaf.face import faced  # noqa: PLC0415 - half a second that -h need not wait for

    face = faced(options.model)
    row = chosen(face, options)
    with located(row):
        why = face.explain(row.columns)[0]
    if options.json:
        print(json.dumps(facts(why, face.labels)))
        return 0
    text = face.text_of(row.columns)
    if text and any(clue.spans for clue in why.clues):
        print(f"{coloured(text, why)}\n")
    print("\n".join(map(plain, str(why).split("\n"))))
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("explain", ABOUT, EXAMPLES)
    command.add_argument("model", type=Path, metavar="MODEL", help="a model file")
    command.add_argument(
        "values", nargs="*", metavar="VALUE", help="a text, - for one on stdin, or NAME=VALUE for each column"
    )
    command.add_argument("--data", metavar="FILE", help="take the row from this file")
    command.add_argument("--row", type=int, default=1, metavar="N", help="which row of it, the first is 1 (1)")
    add_reading(command)
    return command


def chosen(face: Face, options: Namespace) -> Rows:
    """The row that was asked for."""
    if bool(options.values) == bool(options.data):
        raise BayleafError(
            "what is to be explained? Give a text, or NAME=VALUE for each column, or --data FILE --row N"
        )
    if options.values == ["-"]:
        return Rows(face.lines(["".join(lines_of("-", options)).strip()]), [], [1], "standard input", "row")
    if not options.data:
        row = face.row(options.values)
        warn_of_a_name(options.values)
        return Rows(row, [], [1], "the values given", "row")
    seen = 0
    with opened(options.data, options, codes_of(face.model)) as source:
        refuse_swallowed(face, source, options, "--no-header")
        for batch in source.batches():
            if 0 < options.row <= seen + len(batch):
                at = options.row - seen - 1
                row = {name: [values[at]] for name, values in batch.plain().items()}
                return asked(face, source, row, [batch.places[at]])
            seen += len(batch)
    raise BayleafError(f"{options.data} has no row {options.row}; found {seen} rows")


def warn_of_a_name(values: Sequence[str]) -> None:
    """Says that the name of a file is taken for a text, as the other commands would not take it."""
    if len(values) == 1 and os.path.isfile(values[0]):  # noqa: PTH113 - a Path may refuse what is too long for a name
        warnings.warn(
            f"{plain(values[0])} is a file, and what is explained are the words of its name; give --data for a row of "
            "it, or - and the file as standard input for its text",
            stacklevel=2,
        )


def coloured(text: str, why: Explanation) -> str:
    """The text, each character in the colour of what its tokens say."""
    first, second = why.rivals
    weights = [0.0] * len(text)
    for clue in why.clues:
        share = float(clue.summands[first] - clue.summands[second]) / max(len(clue.spans), 1)
        for start, end in clue.spans:
            weights[start:end] = [weight + share for weight in weights[start:end]]
    return shade(text, weights)


def facts(why: Explanation, labels: Sequence[str]) -> dict[str, Any]:
    """The sum as data, in natural logarithms; null is that of 0, for which JSON has no number."""

    def named(values: Floats) -> dict[str, float | None]:
        numbers = (None if value == float("-inf") else value for value in values.tolist())
        return dict(zip(labels, numbers, strict=True))

    return {
        "predicted": str(why.predicted),
        "posterior": named(why.posterior),
        "joint": named(why.joint),
        "prior": named(why.prior),
        "clues": [
            {
                "name": clue.name,
                "value": str(clue.value),
                "known": clue.known,
                "summands": named(clue.summands),
                "spans": clue.spans,
            }
            for clue in why.clues
        ],
        "rest": named(why.rest),
    }
