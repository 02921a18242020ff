"""Retained: the documents that numbers are derived from, on their way to the driver.

Every partition could send as many as are needed, which would be most of the data again. Since those of the smallest
hashes are wanted, a partition sends somewhat more than its share of these, and says from which hash on it sends none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bayleaf.records import RecordClassifier
from bayleaf.records.sample import RecordSample
from bayleaf.spark.hollow import Classifier, text_part
from bayleaf.spark.line import Line
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


def edge(sample: Sample | RecordSample, count: int) -> int:
    """The hash below which there are so many documents, or all of them."""
    held = sample.lists[0] if isinstance(sample, Sample) else sample.kept
    if len(held) <= count:
        return ALL
    places = np.fromiter(held, np.uint64, len(held))
    first, below = int(places.min()), int(np.partition(places, count)[count])
    return below if below > first else first + 1  # one large group is sent whole
