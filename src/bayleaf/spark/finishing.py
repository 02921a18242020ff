"""finishing: numbers derived, and the file written, from counts that lie on the disk."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.archive.archived import noted
from bayleaf.records import RecordClassifier
from bayleaf.records.records import texts_of
from bayleaf.records.sample import RECORDS
from bayleaf.spark.hollow import text_part
from bayleaf.spark.lazy import unread
from bayleaf.spark.spool import Spool, chosen
from bayleaf.text import TextClassifier

if TYPE_CHECKING:
    from bayleaf.arrays import Array


def finished(found: Any, spool: Spool | None, path: str | os.PathLike[str] | None) -> Any:
    """The classifier with its counts and derived numbers, in memory, or else written and not read yet."""
    text, lists = text_part(found), None
    if text is not None and spool is not None:
        lists = spool.arrays(text._tally.documents)
        text._tally, text._ready = text._empty(len(text.classes_)), None
        if path is None or text.family != "evidence" or text.buckets:  # a textbook family reads the whole table
            text._tally.fill(lists)
        else:
            text._tally.fill(chosen(lists, _keys(found, text)))
            text._tally.native.stand_for(spool.sums, spool.distinct)
    _derive(found)
    if path is None:
        return found
    archive = found._archive()
    start = "text/" if isinstance(found, RecordClassifier) else ""
    arrays = archive.arrays | {start + name: array for name, array in (lists or {}).items()}
    replace(archive, arrays=arrays, provenance=noted({"engine": "spark"})).write(path)
    return unread(type(found), path)


def _derive(found: Any) -> None:
    """As `fit` does, or as `partial_fit` leaves it, where numbers were derived before."""
    if isinstance(found, TextClassifier):
        found._reader()
    else:
        found._worth()


def _keys(found: Any, text: TextClassifier) -> Array:
    """The keys of the documents that numbers are derived from: what is left of others does not matter."""
    columns = text._sample.lists[3]
    if isinstance(found, RecordClassifier):
        records, _, _ = found._sample.first(RECORDS, found._parts.kinds)
        tags, others = text._encoder.fields(texts_of(records))
        columns = [mine + theirs for mine, theirs in zip(columns or [[] for _ in tags], others, strict=True)]
    if not columns:
        return np.zeros(0, dtype=np.uint64)
    return np.unique(text._encoder.keys.encode(text._tags or [""], columns, False)["keys"])
