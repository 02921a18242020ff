"""Retained: the documents that numbers are derived from, on their way to the driver.

Every partition could send 20,000 of them, which would be most of the data again. Since those of the smallest hashes are
wanted, a partition sends somewhat more than its share of these, and says from which hash on it sends none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bayleaf.records import RecordClassifier
from bayleaf.records.sample import RecordSample
from bayleaf.spark.hollow import Classifier, text_part
from bayleaf.text.sample import CHARACTERS, DOCUMENTS, Sample

ALL = 1 << 64  # every hash is below
CHUNK = 1 << 22  # characters sent in one row, about
Samples = list[Sample | RecordSample]


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


def share(partition: int) -> int:
    """How many documents a partition sends: twice what falls to it of 20,000.

    It is one of at least so many partitions as its number says. All of them together send about 40,000 ln n documents
    instead of 20,000 n.
    """
    return 2 * DOCUMENTS // (partition + 1) + 32


def size(sample: Sample | RecordSample) -> int:
    """How many documents there are."""
    return len(sample.kept if isinstance(sample, RecordSample) else sample.documents)


def edge(sample: Sample | RecordSample, count: int) -> int:
    """The hash below which there are so many documents, or all of them."""
    places = sorted(sample.kept if isinstance(sample, RecordSample) else (one.place for one in sample.documents))
    if len(places) <= count:
        return ALL
    return places[count] if places[count] > places[0] else places[0] + 1  # one large group is sent whole


def cut(sample: Sample | RecordSample, below: int) -> None:
    """Give up the documents from a hash on."""
    sample.last = min(sample.last, below)
    if isinstance(sample, RecordSample):
        sample.kept = {place: known for place, known in sample.kept.items() if place < sample.last}
        sample.characters = sum(known.size for known in sample.kept.values())
    else:
        sample.documents = [document for document in sample.documents if document.place < sample.last]
        sample.__post_init__()


def chunks(sample: Sample | RecordSample) -> Iterator[Sample | RecordSample]:
    """The sample in parts that are small enough for a row."""
    if isinstance(sample, RecordSample):
        for pairs in _runs(sample.kept.items(), lambda pair: pair[1].size):
            yield RecordSample(dict(pairs), sample.last)
    else:
        for some in _runs(sample.documents, lambda document: sum(map(len, document.texts))):
            yield Sample(some, sample.last)


def _runs(items: Iterable[Any], weight: Callable[[Any], int]) -> Iterator[list[Any]]:
    """Items in lists of about `CHUNK` characters."""
    held, room = [], CHUNK
    for item in items:
        held.append(item)
        room -= weight(item) + 100
        if room < 0:
            yield held
            held, room = [], CHUNK
    if held:
        yield held


def absorb(sample: Sample | RecordSample, part: Sample | RecordSample) -> None:
    """Add what another has seen, in place."""
    if part.last < sample.last:
        cut(sample, part.last)
    cut(part, sample.last)
    if isinstance(sample, RecordSample):
        assert isinstance(part, RecordSample)
        for place, known in part.kept.items():
            if place in sample.kept:
                sample.kept[place].times += known.times
            else:
                sample.kept[place] = known
                sample.characters += known.size
    else:
        assert isinstance(part, Sample)
        sample.documents += part.documents
        sample.characters += part.characters
    if size(sample) > 2 * DOCUMENTS or sample.characters > 2 * CHARACTERS:
        sample.shrink()
