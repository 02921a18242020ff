"""Rows: labelled or not, in batches, from any file."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from shlex import quote
from typing import Any, BinaryIO, NamedTuple

from bayleaf.cli.screen import number_of, progress
from bayleaf.cli.streams import complain
from bayleaf.errors import BadValueError, BayleafError, DataError, MismatchError
from bayleaf.missing import label_text
from bayleaf.plain import listed
from bayleaf.readers import Batch, Source, open_source
from bayleaf.readers.numerals import numeral

COMMA = re.compile(r"[+-]?\d+,(\d+)")
WANTED = {  # of a cell that is a number, by what is wrong with it
    "negative": "zero or more",
    "infinite": "a finite number",
    "large": "a category code from 0 on",
    "overflow": "a number within 1e150 of zero, whose square can be summed",
}
LABELS = ("label", "class", "target")
LONG = 40  # characters: what is longer is no name of a column


class Rows(NamedTuple):
    """A batch with its labels set apart."""

    columns: dict[str, list[Any]]
    labels: list[str]
    places: list[Any]
    source: str = ""  # what messages call the file
    unit: str = "line"  # what a place counts
    kinds: Mapping[str, tuple[str, str]] = {}  # what columns hold, and why, where the source knows it

    def place(self, row: int) -> str:
        """Where a row stands, as messages say it."""
        place = self.places[row]
        return f"{self.unit} {place}" if isinstance(place, int) else str(place)


def opened(
    path: str, options: Namespace, codes: Mapping[str, str] | None = None, stream: BinaryIO | None = None
) -> Source:
    """A file, as the options say it is to be read; what was found out about it goes to standard error.

    `codes`: how a model that is there already has learned the numbers of columns.
    """
    source = open_source(
        path,
        format=options.format,
        delimiter=options.delimiter,
        encoding=options.encoding,
        header=not options.no_header,
        stream=stream,
    )
    source.expect(codes or {})
    if not options.quiet and not options.json:
        tell(source, [source.format, *source.notes])
    return source


def batches(source: Source, options: Namespace, verb: str) -> Iterator[Batch]:
    """The batches of a file; meanwhile the number of rows on a terminal, at last what was found out on the way."""
    if options.quiet or options.json:
        yield from source.batches()
        return
    told = len(source.notes)
    yield from progress(source.batches(), None, verb, size=len)
    if source.notes[told:]:
        tell(source, source.notes[told:])


def tell(source: Source, notes: Sequence[str]) -> None:
    """What was found out about a file, on standard error."""
    complain(f"{source.name}: {', '.join(notes)}")


def label_column(source: Source, given: str | None) -> str:
    """The column with the labels: the one that was given, or the one that is called so."""
    if source.format == "folder" and "label" not in source.names and given in (None, "label"):
        raise BayleafError(
            f"{source.name} has text files and no inner folders; expected one folder for each class, as spam/ and ham/"
        )
    candidates = [given] if given else [name for name in source.names if name.lower() in LABELS]
    if len(candidates) == 1 and candidates[0] in source.names:
        if len(source.names) == 1:
            raise BayleafError(
                f"{source.name} has no column but {candidates[0]!r}, that of the labels; expected at least one more to "
                "learn from. Give another --delimiter if there are more"
            )
        return str(candidates[0])
    if len(candidates) > 1:
        several = ", ".join(candidates)
        raise BayleafError(
            f"{source.name} has several columns that may be the labels: {several}; name one with --label"
        )
    if len(source.names) == 1 and table(source) and not source.names[0].replace(" ", "").replace("_", "").isalnum():
        raise BayleafError(f"{source.name} has one column, {source.names[0]!r}; give another --delimiter")
    found = listed(cut(name, LONG) for name in source.names)
    wanted = f"no column {given!r}" if given else "no column called label, class or target"
    row = table(source) and any(len(name) > LONG or name.isdecimal() for name in source.names)
    hint = ", and say --no-header if the first line is a row: columns are then column_1, column_2, ..." if row else ""
    raise BayleafError(f"{source.name} has {wanted}; found {found}. Name the column of the labels with --label{hint}")


def table(source: Source) -> bool:
    """Whether a first line holds the names; it may be a row, or be parted by another delimiter."""
    return source.format in ("csv", "tsv")


def cut(text: str, width: int) -> str:
    """Text on one line, its end left out where it is longer; a word as long as that too, which `shorten` would drop."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 6].rstrip()} [...]"


def refuse_unknown(source: Source, label: str, kinds: Sequence[tuple[str, str]]) -> None:
    """Refuse a kind for a column that is not there: with `ignore` it would be learned under its true name."""
    names = [name for name in source.names if name != label]
    strange = next((name for name, _ in kinds if name not in names), None)
    if strange is not None:
        words = "is the column of the labels" if strange == label else "is not there"
        raise BayleafError(f"{source.name}: --columns {strange!r} {words}; found {listed(names)}. Name one of these")


def refuse_other_kinds(model: Any, options: Namespace) -> None:
    """Refuse kinds that the model to learn on does not have: it keeps its own."""
    for name, kind in options.columns:
        found = model.columns_.get(name, "no such column")
        if found != kind:
            raise BayleafError(
                f"--columns {name}={kind} is not what {options.onto} learned: {found}; train it anew, or leave it out"
            )


def labelled(batch: Batch, label: str, source: Source) -> Rows:
    """A batch without its label column, numbers as `float` reads them; rows without a label are left out."""
    answers = [label_text(answer).strip() for answer in batch.columns[label]]
    kept = [i for i, answer in enumerate(answers) if answer]
    columns = {
        name: values if len(kept) == len(answers) else [values[i] for i in kept]
        for name, values in batch.plain().items()
        if name != label
    }
    kinds = {name: found for name, found in source.kinds.items() if name != label}
    return Rows(columns, [answers[i] for i in kept], [batch.places[i] for i in kept], source.name, unit(source), kinds)


def kinds(rows: Rows, options: Namespace) -> dict[str, str]:
    """What columns hold as far as it need not be guessed: what was given, and what the source knows."""
    return {**{name: kind for name, (kind, _) in rows.kinds.items()}, **dict(options.columns)}


def written(source: Source, label: str) -> dict[str, str]:
    """How columns write numbers that `float` does not read."""
    return {name: how.code for name, how in source.numerals.items() if name != label}


def reasoned(model: Any, codes: Mapping[str, str]) -> None:
    """Keep how columns write their numbers, and tell it beside their kinds."""
    from bayleaf.records.columns import Guess  # noqa: PLC0415 - half a second that -h need not wait for

    model.numerals_ = {**model.numerals_, **{name: code for name, code in codes.items() if name in model.guesses_}}
    for name in codes.keys() & model.guesses_.keys():
        (kind, why), words = model.guesses_[name], numeral(codes[name]).words
        model.guesses_[name] = Guess(kind, f"{why.removesuffix(f', {words}')}, {words}")


def codes_of(model: Any) -> Mapping[str, str]:
    """How a model has learned the numbers of columns."""
    return getattr(model, "numerals_", {})


def grown(before: Mapping[str, int], held: dict[str, int]) -> dict[str, dict[str, int]]:
    """The rows of each label that were learned on top of those before, and all that are held now."""
    more = {label: count - before.get(label, 0) for label, count in held.items()}
    return {"labels": {label: count for label, count in more.items() if count}, "held": held}


def tell_unknown(source: Source, label: str, model: Any, options: Namespace) -> None:
    """Tell which columns are left out, because what was learned before has none of that name."""
    strange = [] if model is None else [name for name in source.names if name not in (label, *model.columns_)]
    if strange and not options.quiet:
        complain(f"{source.name}: left out {listed(strange)}, which {options.onto or options.data[0]} does not have")


def tell_unlabelled(count: int, options: Namespace) -> None:
    """Tell how many rows had no label."""
    if count and not options.quiet:
        were = "was" if count == 1 else "were"
        print(f"{number_of(count, 'row')} without a label {were} left out", file=sys.stderr)


def unit(source: Source) -> str:
    """What the places of a source count."""
    return "row" if source.format in ("parquet", "arrow") else "line"


@contextmanager
def located(rows: Rows, given: bool = False) -> Iterator[None]:
    """A bad cell is told by file and line; `given`: the command takes --columns."""
    try:
        yield
    except BadValueError as error:
        name, row = error.column, error.row
        if name not in rows.columns or row is None:
            raise
        remedy = f" or give --columns {quote(f'{name}=category')}" if given else ""
        cell = rows.columns[name][row]
        mend = "empty the cell"
        if comma := COMMA.fullmatch(str(cell).strip()):
            mend = "write it without a comma" if len(comma[1]) == 3 else "write it with a point"
        found = cut(repr(cell), 60)
        wanted = WANTED.get(error.kind, "a number")
        raise DataError(
            f"{rows.source}, {rows.place(row)}, column {name}: found {found}, expected {wanted}; {mend}{remedy}"
        ) from error
    except BayleafError as error:
        if type(error) not in (BayleafError, MismatchError) or not rows.source:
            raise
        raise type(error)(f"{rows.source}: {error}") from error
