"""bayleaf predict: labels for rows."""

from __future__ import annotations

import csv
import json
import os
import warnings
from argparse import Namespace
from collections.abc import Collection, Iterator, Sequence
from io import TextIOWrapper
from itertools import islice, repeat
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, cast

from bayleaf.cli.desk.asked import asked, refuse_swallowed
from bayleaf.cli.desk.noted import noted
from bayleaf.cli.desk.options import add_output, add_reading, parser
from bayleaf.cli.desk.rows import Rows, batches, codes_of, cut, located, opened
from bayleaf.cli.desk.swapped import model_first
from bayleaf.cli.desk.writing import written
from bayleaf.cli.parser import Parser
from bayleaf.cli.streams import complain
from bayleaf.errors import BayleafError, DataError
from bayleaf.readers.encoding import encoding_of, errors_of
from bayleaf.readers.input import Input
from bayleaf.readers.text import PIECE

if TYPE_CHECKING:
    from bayleaf.face import Face

ABOUT = """Labels the rows of a file: writes them as CSV with the columns `predicted` and `probability` added, or with
--json one JSON object per row with all probabilities. With --lines each line of the file is a text."""
EXAMPLES = """  bayleaf predict letters.bayleaf new.csv > answers.csv
  bayleaf predict letters.bayleaf - --json < new.jsonl
  echo "where is my parcel?" | bayleaf predict letters.bayleaf --lines -
"""
LINES = 10_000  # lines in a batch
ADDED = ("predicted", "probability")


@noted
def main(argv: Sequence[str]) -> int:
    """Writes the rows with their labels."""
    options = arguments().options(argv)
    from bayleaf.face import faced  # noqa: PLC0415 - half a second that -h need not wait for

    with model_first(options):
        face = faced(options.model)
    refuse_text(options)
    with written(options.output, [options.model, options.data]) as out:
        sheet = csv.writer(out, lineterminator="\n")
        headed = options.lines or options.json
        for columns, given in tables(face, options):
            with located(given):
                found = answers(face, given.columns, options.lines)
            if options.json:
                out.writelines(f"{json.dumps(answer(face.labels, row))}\n" for row in found)
                continue
            if not headed:
                sheet.writerow([*columns, *added(columns, given.source)])
                headed = True
            rows = zip(*columns.values(), strict=True) if columns else repeat((), len(found))
            labelled = (best(face.labels, shares) for shares in found)
            sheet.writerows([*row, label, f"{share:.6f}"] for row, (label, share) in zip(rows, labelled, strict=True))
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("predict", ABOUT, EXAMPLES)
    command.beyond = "a file to write is given by -o PATH"
    command.add_argument("model", type=Path, metavar="MODEL", help="a model file")
    command.add_argument(
        "data",
        metavar="FILE",
        help="the rows, in any format that `bayleaf train` reads, or a folder of texts; - is stdin",
    )
    add_reading(command)
    command.add_argument("--lines", action="store_true", help="each line is a text")
    add_output(command, "write there instead of to standard output")
    return command


def refuse_text(options: Namespace) -> None:
    """Refuse a text where a file was expected, and say where texts are given."""
    if options.data == "-" or os.path.exists(options.data):  # noqa: PTH110 - False for a text too long for a name
        return
    if options.lines or " " in options.data:
        found, model = cut(options.data, 60), quote(str(options.model))
        raise BayleafError(
            f"{found}: found nothing there, expected a file; a text is given on standard input: "
            f"echo {quote(found)} | bayleaf predict {model} --lines -"
        )


def answers(face: Face, columns: dict[str, list[Any]], lines: bool) -> list[list[float]]:
    """The probabilities of the rows; of none, that the columns are those of the model."""
    asked = face.lines(columns["text"]) if lines else columns
    if any(columns.values()):
        return face.probabilities(asked)
    face.table(asked)
    return []


def added(columns: Collection[str], source: str) -> list[str]:
    """The names of the columns with the answers; the file may have columns called so, as answers of before."""
    from bayleaf.face import free  # noqa: PLC0415

    names = [free(name, columns) for name in ADDED]
    if taken := [name for name in ADDED if name not in names]:
        own = [name for name in names if name not in ADDED]
        warnings.warn(
            f"{source} has {' and '.join(taken)} already, which stay as they are; the answers are in "
            f"{' and '.join(own)}",
            stacklevel=2,
        )
    return names


def tables(face: Face, options: Namespace) -> Iterator[tuple[dict[str, list[Any]], Rows]]:
    """The rows in batches, as they are written again and as the model is asked."""
    columns: dict[str, list[Any]]
    if not options.lines:
        with opened(options.data, options, codes_of(face.model)) as source:
            refuse_swallowed(face, source, options, "--lines")
            batch = None
            for batch in batches(source, options, "labelling"):
                yield batch.columns, asked(face, source, batch.plain(), batch.places)
            if batch is None:  # a header and no row, which is no fault
                columns = {name: [] for name in source.names}
                yield columns, asked(face, source, columns, [])
        return
    lines = lines_of(options.data, options)
    while some := list(islice(lines, LINES)):
        columns = {"text": [line.rstrip("\r\n") for line in some]}
        yield columns, Rows(columns, [], [])


def best(labels: Sequence[str], shares: Sequence[float]) -> tuple[str, float]:
    """The most probable label and its probability."""
    share = max(shares)
    return labels[shares.index(share)], share


def answer(labels: Sequence[str], shares: Sequence[float]) -> dict[str, Any]:
    """One answer with all of its probabilities."""
    label, share = best(labels, shares)
    return {"predicted": label, "probability": share, "probabilities": dict(zip(labels, shares, strict=True))}


def lines_of(path: str, options: Namespace) -> Iterator[str]:
    """The lines of a file or of standard input, unpacked and decoded; bytes that do not fit do not stop it."""
    source = Input(path)
    head = source.head(PIECE)
    codec, notes = encoding_of(head, options.encoding, source.name, whole=len(head) < PIECE)
    if notes and not options.quiet and not options.json:
        complain(f"{source.name}: {', '.join(notes)}")
    try:
        with TextIOWrapper(cast(Any, source.open()), encoding=codec, errors=errors_of(codec, "replace")) as lines:
            yield from lines
    except OSError as fault:
        raise DataError(source.words(fault)) from fault
    finally:
        source.close()
