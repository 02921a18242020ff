"""Judging: labelled rows and what a model says of them, each without having learned it."""

from __future__ import annotations

import warnings
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bayleaf.arrays import Floats
from bayleaf.cli.desk.origin import files_in
from bayleaf.cli.desk.rows import (
    Rows,
    batches,
    codes_of,
    kinds,
    label_column,
    labelled,
    located,
    opened,
    refuse_unknown,
)
from bayleaf.errors import BayleafError
from bayleaf.evaluate.mistakes import worst
from bayleaf.face import Face, faced
from bayleaf.records import RecordClassifier
from bayleaf.records.folds import fold_predict_log_proba

SHOWN = 10  # mistakes in a report
FITTED = "(a little too good: weights were fitted to these rows)"  # of 300 letters, log loss 0.25 for 0.33 (TRIED.md)


class Judged(NamedTuple):
    """Rows and answers: the true labels, log probabilities by the labels the model knows, and the worst mistakes."""

    face: Face
    truth: list[str]
    log_proba: Floats
    mistakes: list[tuple[str, dict[str, list[Any]], str]]  # place, row, truth
    rows: Rows | None  # all of them, where they were kept
    how: str


def held_out(options: Namespace) -> Judged:
    """Rows that a finished model has not seen; only the mistakes are kept."""
    face = faced(options.model)
    name = Path(options.data).name
    if name in (Path(file).name for file in files_in(face.provenance)):
        warnings.warn(
            f"{options.model} was learned from a file called {name}. If it is this one, the figures are too good: "
            "leave --model out, and each row is judged by all others",
            stacklevel=1,
        )
    truth: list[str] = []
    tables: list[Floats] = []
    mistakes: dict[int, tuple[str, dict[str, list[Any]], str]] = {}
    for rows in stream(options, codes_of(face.model)):
        with located(rows):
            log_proba = face.log_proba(rows.columns)
        for row in worst(face.labels, rows.labels, log_proba, SHOWN):
            mistakes[len(truth) + row] = mistake(rows, row)
        truth += rows.labels
        tables.append(log_proba)
    log_proba = np.concatenate(tables) if tables else np.zeros((0, len(face.labels)))
    shown = [mistakes[row] for row in worst(face.labels, truth, log_proba, SHOWN)] if truth else []
    return Judged(face, truth, log_proba, shown, None, f"by {options.model}")


def within(options: Namespace) -> Judged:
    """Rows judged by a model of the others: each left out by itself, or fold by fold."""
    rows = gathered(options)
    with located(rows, given=True):
        model = RecordClassifier(columns=kinds(rows, options)).fit(rows.columns, rows.labels)
    if options.folds is not None:
        with located(rows):
            log_proba = fold_predict_log_proba(model, rows.columns, rows.labels, options.folds, options.seed)
        how = f"{options.folds} folds, each judged by a model of the others"
    else:
        log_proba = model.loo_predict_log_proba(rows.columns, rows.labels)
        how = f"each row judged by the counts of all others {FITTED}"
    face = Face(model)
    shown = [mistake(rows, row) for row in worst(face.labels, rows.labels, log_proba, SHOWN)]
    return Judged(face, rows.labels, log_proba, shown, rows, how)


def stream(options: Namespace, codes: Mapping[str, str] | None = None) -> Iterator[Rows]:
    """The labelled rows, batch by batch."""
    with opened(options.data, options, codes) as source:
        label = label_column(source, options.label)
        refuse_unknown(source, label, options.columns)
        for batch in batches(source, options, "judging"):
            rows = labelled(batch, label, source)
            if rows.labels:
                yield rows


def gathered(options: Namespace) -> Rows:
    """All labelled rows."""
    parts = list(stream(options))
    if not parts:
        raise BayleafError(f"{options.data}: found no labelled row; expected at least one per label")
    columns = {name: [cell for part in parts for cell in part.columns[name]] for name in parts[0].columns}
    labels, places = [label for part in parts for label in part.labels], [p for part in parts for p in part.places]
    return Rows(columns, labels, places, parts[0].source, parts[0].unit, parts[0].kinds)


def mistake(rows: Rows, row: int) -> tuple[str, dict[str, list[Any]], str]:
    """Where a row stands, the row itself, and its label."""
    return rows.place(row), {name: [values[row]] for name, values in rows.columns.items()}, rows.labels[row]
