"""Samples of records that come in parts."""

from __future__ import annotations

import copy
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from bayleaf.records import RecordClassifier, sample
from bayleaf.records.sample import Kept, RecordSample
from bayleaf.spark.summary import Summary

seen = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 3)), max_size=60
)  # hash of a record, and which part has it


def of(hashes: list[int]) -> RecordSample:
    whole = RecordSample()
    for place in hashes:
        whole.kept.setdefault(place, Kept("label", (f"{place:09}", 1.0), 0)).times += 1
    whole.characters = 9 * len(whole)
    return whole


@given(seen, st.integers(1, 300))
def test_chunks_that_are_absorbed_in_any_order_are_the_sample_of_all(some: list[tuple[int, int]], size: int) -> None:
    with mock.patch.multiple(sample, RECORDS=5, CHARACTERS=40):
        total, expected = RecordSample(), of([place for place, _ in some])
        for part in range(4):
            for chunk in of([place for place, where in some if where == part]).chunks(size):
                total.absorb(copy.deepcopy(chunk))
        for each in (total, expected):
            each.shrink()
    assert total.kept == expected.kept
    assert total.characters == expected.characters == 9 * len(total)


@given(seen, st.integers(0, 32))
def test_what_is_cut_is_gone_for_good(some: list[tuple[int, int]], below: int) -> None:
    cut = of([place for place, _ in some])
    kept = {place: known for place, known in cut.kept.items() if place < below}
    cut.cut(below)
    cut.cut(below + 1)
    assert (cut.kept, cut.last, cut.characters) == (kept, below, 9 * len(kept))


def test_summaries_of_two_halves_have_the_sample_of_the_whole() -> None:
    rows = {"n": [float(i % 7) for i in range(60)], "t": [f"words of row {i % 20}" for i in range(60)]}
    labels = ["ab"[i % 2] for i in range(60)]

    def learned(part: slice) -> RecordClassifier:
        known = RecordClassifier(columns={"n": "number", "t": "text"})
        return known.partial_fit(
            {name: column[part] for name, column in rows.items()}, labels[part], classes=["a", "b"]
        )

    total, whole = Summary(), learned(slice(None))
    for part in (slice(0, 30), slice(30, 60)):
        for payload in Summary.of(learned(part), 0, 1000, None).dumps():
            total.add(payload)
    texts, records = total.samples
    assert records.kept == whole._sample.kept
    assert len(texts) == 60
    assert total.missing(20) is None
