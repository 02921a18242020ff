"""Hollow: a classifier without the counts of its keys, which travel by themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bayleaf.records import RecordClassifier
from bayleaf.text import TextClassifier

if TYPE_CHECKING:
    from bayleaf.tally import KeyedCounts

Classifier = TextClassifier | RecordClassifier


def text_part(classifier: Any) -> TextClassifier | None:
    """The classifier of texts: itself, or the part of one for records that reads their texts, if they have any."""
    if isinstance(classifier, TextClassifier):
        return classifier
    return classifier._parts.text


def hollow(text: TextClassifier) -> KeyedCounts:
    """Take the counts out; labels, numbers of documents and the sample stay, and it can learn on."""
    full = text._tally
    text._tally, text._ready = text._empty(full.k), None
    none = text._tally.arrays()
    text._tally.fill({**none, "by_class": full.documents})
    return full


def hollowed(classifier: Classifier) -> tuple[Any, KeyedCounts | None]:
    """A copy without the counts of keys, and those; the classifier itself stays as it is."""
    twin: Any = classifier._twin()
    if isinstance(classifier, TextClassifier):
        return twin, hollow(twin)
    text = classifier._parts.text
    if text is None:
        return twin, None
    twin._parts = replace(classifier._parts, text=text._twin())
    return twin, hollow(twin._parts.text)
