"""Rows: labelled or not, in batches, from any file."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from bayleaf.cli.screen import progress
from bayleaf.errors import BayleafError
from bayleaf.readers import Batch, Source, open_source

LABELS = ("label", "class", "target")


class Rows(NamedTuple):
    """A batch with its labels set apart."""

    columns: dict[str, list[Any]]
    labels: list[str]
    places: list[Any]


class Named(Protocol):
    """What has columns and a name for messages: a `Source`, a table of Spark."""

    name: str
    names: list[str]


def opened(path: str, options: Namespace) -> Source:
    """A file, as the options say it is to be read; what was found out about it goes to standard error."""
    source = open_source(
        path,
        format=options.format,
        delimiter=options.delimiter,
        encoding=options.encoding,
        header=not options.no_header,
    )
    if not options.quiet and not options.json:
        print(f"{source.name}: {', '.join([source.format, *source.notes])}", file=sys.stderr)
    return source


def batches(source: Source, options: Namespace, verb: str) -> Iterator[Batch]:
    """The batches of a file; meanwhile the number of rows on a terminal."""
    found = source.batches()
    return found if options.quiet or options.json else progress(found, None, verb, size=len)


def label_column(source: Named, given: str | None) -> str:
    """The column with the labels: the one that was given, or the one that is called so."""
    candidates = [given] if given else [name for name in source.names if name.lower() in LABELS]
    if len(candidates) == 1 and candidates[0] in source.names:
        return str(candidates[0])
    found = ", ".join(source.names)
    if len(source.names) == 1 and any(sign in found for sign in ",;\t|"):
        raise BayleafError(f"{source.name} has one column, {found!r}; give another --delimiter")
    wanted = f"no column {given!r}" if given else "no column called label, class or target"
    raise BayleafError(f"{source.name} has {wanted}; found {found}. Name the column of the labels with --label")


def labelled(batch: Batch, label: str) -> Rows:
    """A batch without its label column; rows without a label are left out."""
    answers = batch.columns[label]
    kept = [i for i, answer in enumerate(answers) if answer is not None and answer != ""]
    columns = {
        name: values if len(kept) == len(answers) else [values[i] for i in kept]
        for name, values in batch.columns.items()
        if name != label
    }
    return Rows(columns, [str(answers[i]) for i in kept], [batch.places[i] for i in kept])
