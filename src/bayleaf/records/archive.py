"""A record classifier as an archive, and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.archive import Archive
from bayleaf.encoders.text import TextEncoder
from bayleaf.errors import BayleafError
from bayleaf.estimators import MixedNB
from bayleaf.estimators.keeper import taken, under
from bayleaf.records.columns import KINDS, Guess
from bayleaf.records.parts import Parts
from bayleaf.records.sample import RecordSample
from bayleaf.records.worth import Worth
from bayleaf.tally.bins import Bins
from bayleaf.text.archive import without_empty
from bayleaf.text.classifier import TextClassifier

if TYPE_CHECKING:
    from collections.abc import Collection

    from bayleaf.arrays import Array
    from bayleaf.records.classifier import RecordClassifier


def archive_of(classifier: RecordClassifier) -> Archive:
    """Both parts under their names, and how they are read together; no record is in it."""
    worth, encoder = classifier._worth(), classifier.encoder
    alone = classifier._parts.alone
    read = classifier if alone is None else alone.text  # whose derived numbers are in use
    about: dict[str, Any] = {
        "columns": [[name, kind, why] for name, (kind, why) in classifier.guesses_.items()],
        "parameters": {
            "columns": classifier.columns,
            "encoder": encoder if isinstance(encoder, str) else asdict(encoder),
        },
        "derived": without_empty(asdict(worth)),
        "derived_at": read._derived_at,
        "aged": read._aged,
        "length": classifier._length,
        **without_empty({"numerals": classifier.numerals_}),
    }
    arrays: dict[str, Array] = {}
    for name in ("table", "text"):
        part = getattr(classifier._parts, name)
        if part is not None:
            inside = part._archive()
            about[name] = inside.about
            arrays |= under(name, inside.arrays)
    if classifier._parts.bins is None:
        del about["derived"]["groups"]  # as in files of before
    else:
        arrays |= under("bins", classifier._parts.bins.arrays())
    return Archive("records", about, arrays)


def fill(classifier: RecordClassifier, archive: Archive) -> None:
    """Make an unfitted classifier the one in an archive; refuses what does not fit together."""
    about = archive.about
    encoder = about["parameters"]["encoder"]
    encoder = encoder if isinstance(encoder, str) else TextEncoder(**encoder)
    classifier.set_params(columns=about["parameters"]["columns"], encoder=encoder)
    classifier._validate_params()
    classifier.guesses_ = {_text(name): Guess(_kind(kind), _text(why)) for name, kind, why in about["columns"]}
    classifier.columns_ = {name: kind for name, (kind, _) in classifier.guesses_.items()}
    classifier.numerals_ = {_text(name): _text(code) for name, code in about.get("numerals", {}).items()}
    empty = Parts.empty(classifier.columns_, encoder, classifier.n_jobs)
    table = None if empty.table is None else MixedNB._from_archive(archive.part("table"))
    text = None if empty.text is None else TextClassifier._from_archive(archive.part("text"))
    there = [name for name, part in (("table", table), ("text", text), ("bins", empty.bins)) if part is not None]
    strange = [name for name in archive.arrays if name.split("/")[0] not in there]
    if strange:
        raise BayleafError(f"Found the array {strange[0][:80]!r}, which belongs to no column")
    parts = classifier._parts = Parts(empty.kinds, table, text)
    _check(parts, empty)
    cells = taken(dict(archive.arrays), "bins")
    if cells and parts.table is not None:
        parts.bins = Bins.restored(cells, parts.table._model.tallies[0].n)
    classifier._derived = _worth(about["derived"], parts.names, parts.kinds, len(parts.classes))
    classifier._derived_at, classifier._aged = _whole(about["derived_at"]), bool(about["aged"])
    classifier._written_length = _number(about["length"], 1e9)
    classifier._sample = RecordSample(whole=False)
    classifier._accept()
    parts.read_with(classifier._derived)


def _check(parts: Parts, empty: Parts) -> None:
    """Refuse parts of other columns or labels than those named."""
    if parts.table is not None and empty.table is not None and parts.table.families != empty.table.families:
        raise BayleafError(f"Found a table of {parts.table.families}, expected {empty.table.families}")
    if parts.text is None:
        return
    names = parts.columns("text")
    tags = [""] if len(names) == 1 else [f"{name}:" for name in names]
    if parts.text._tags not in (None, tags):
        raise BayleafError(f"Found texts of the fields {parts.text._tags}, expected {tags}")
    documents = parts.text._tally.documents
    if parts.table is not None and not (
        np.array_equal(parts.table.classes_, parts.text.classes_) and np.array_equal(parts.weight, documents)
    ):
        raise BayleafError("Found other labels in the table than in the texts; expected the same records in both")


def _worth(fields: dict[str, Any], names: list[str], columns: Collection[str], classes: int) -> Worth:
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in fields.items()}
    found = Worth(**values)
    if set(found.worth) != set(names):
        raise BayleafError(f"Found worths of {sorted(found.worth)}, expected {names}")
    for value in (*found.worth.values(), found.alpha, found.var_smoothing, found.loo_log_loss or 0.0):
        _number(value, 1e9)
    for value in (found.floor, found.loo_accuracy or 0.0):
        _number(value, 1.0)
    _whole(found.rows)
    if not 1 <= _whole(found.groups) <= 1_000:
        raise BayleafError(f"Found {found.groups} groups of numbers, expected 1 to 1,000")
    for part, single in dict(found.columns).items():
        if part not in names or not isinstance(single, dict) or not set(single) <= set(columns):
            raise BayleafError("Found worths of other columns than the file has")
        for value in single.values():
            _number(value, 1e9)
    k = len(found.offsets)
    if len(found.mix) != k**2 or k not in (0, classes):
        raise BayleafError(f"Found {len(found.mix)} numbers that mix {k} classes, expected {classes} and its square")
    for value in (*found.mix, *found.offsets):
        _number(abs(value) if isinstance(value, int | float) else value, 1e9)
    return found


def _number(value: Any, most: float) -> float:
    if type(value) not in (int, float) or not 0 <= value <= most:
        raise BayleafError(f"Found {str(value)[:80]}, expected a number from 0 to {most:g}")
    return float(value)


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise BayleafError(f"Found {str(value)[:80]}, expected a whole number from 0")
    return value


def _kind(kind: Any) -> str:
    if kind not in KINDS:
        raise BayleafError(f"Found the kind {str(kind)[:80]!r}, expected one of {', '.join(KINDS)}")
    return str(kind)


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise BayleafError(f"Found {str(text)[:80]!r}, expected text")
    return text
