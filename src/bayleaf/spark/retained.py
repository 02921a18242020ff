"""Retained: the documents that numbers are derived from, on their way to the driver.

Every partition could send as many as are needed, which would be most of the data again. Since those of the smallest
hashes are wanted, a partition sends somewhat more than its share of these, and says from which hash on it sends none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bayleaf.records import RecordClassifier
from bayleaf.records.sample import CHARACTERS, RECORDS, RecordSample
from bayleaf.spark.hollow import Classifier, text_part
from bayleaf.spark.line import CHUNK, Line
from bayleaf.text import TextClassifier
from bayleaf.text.sample import ALL, DOCUMENTS, Sample
from bayleaf.text.textbook import MOST

Samples = list[Sample | RecordSample]
Lines = list[Line | RecordSample]  # on their way


def taken_out(classifier: Any) -> Samples:
    """The samples of a classifier, which has none afterwards."""
    found: Samples = []
    if (text := text_part(classifier)) is not None:
        found.append(text._sample)
        text._sample = Sample()
    if isinstance(classifier, RecordClassifier):
        found.append(classifier._sample)
        classifier._sample = RecordSample()
    return found


def put_back(classifier: Classifier, samples: Samples) -> None:
    """Give a classifier the samples that were taken out of it."""
    for sample in samples:
        holder = text_part(classifier) if isinstance(sample, Sample) else classifier
        holder._sample = sample  # type: ignore[union-attr]


def needed(classifier: Classifier) -> int:
    """How many documents its numbers are derived from at most."""
    few = isinstance(classifier, TextClassifier) and classifier.family != "evidence"
    return MOST if few else DOCUMENTS


def share(partition: int, count: int) -> int:
    """How many documents a partition sends: twice what falls to it of the `count` that are needed.

    It is one of at least so many partitions as its number says. All of them together send about 2 n ln p documents for
    the n that are needed of p partitions, instead of n p.
    """
    return 2 * count // (partition + 1) + 32


def size(sample: Line | RecordSample) -> int:
    """How many documents there are."""
    return len(sample.kept if isinstance(sample, RecordSample) else sample)


def edge(sample: Sample | RecordSample, count: int) -> int:
    """The hash below which there are so many documents, or all of them."""
    held = sample.kept if isinstance(sample, RecordSample) else sample.lists[0]
    if len(held) <= count:
        return ALL
    places = np.fromiter(held, np.uint64, len(held))
    first, below = int(places.min()), int(np.partition(places, count)[count])
    return below if below > first else first + 1  # one large group is sent whole


def cut(sample: Line | Sample | RecordSample, below: int) -> None:
    """Give up the documents from a hash on."""
    if isinstance(sample, RecordSample):
        sample.last = min(sample.last, below)
        sample.kept = {place: known for place, known in sample.kept.items() if place < sample.last}
        sample.characters = sum(known.size for known in sample.kept.values())
    else:
        sample.cut(below)


def chunks(sample: Line | RecordSample) -> Iterator[Line | RecordSample]:
    """The sample in parts that are small enough for a row."""
    if isinstance(sample, Line):
        yield from sample.chunks()
        return
    held, room = {}, CHUNK
    for place, known in sample.kept.items():
        held[place] = known
        room -= known.size + 100
        if room < 0:
            yield RecordSample(held, sample.last)
            held, room = {}, CHUNK
    if held:
        yield RecordSample(held, sample.last)


def absorb(sample: Line | RecordSample, part: Line | RecordSample) -> None:
    """Add what another has seen, in place."""
    if isinstance(sample, Line):
        assert isinstance(part, Line)
        sample.absorb(part)
        return
    assert isinstance(part, RecordSample)
    if part.last < sample.last:
        cut(sample, part.last)
    cut(part, sample.last)
    for place, known in part.kept.items():
        if place in sample.kept:
            sample.kept[place].times += known.times
        else:
            sample.kept[place] = known
            sample.characters += known.size
    if size(sample) > 2 * RECORDS or sample.characters > 2 * CHARACTERS:
        sample.shrink()
