"""The sample that derived numbers are fitted on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bayleaf.text import sample as sample_module
from bayleaf.text.sample import DOCUMENTS, Document, Sample


def offered(count: int, seed: int = 0) -> tuple[list[str], list[int], Any]:
    prints = np.random.default_rng(seed).integers(0, 2**64, count, dtype=np.uint64)
    return [f"text {p}" for p in prints], (prints % np.uint64(3)).astype(int).tolist(), prints


def test_a_sample_depends_on_the_documents_alone() -> None:
    texts, labels, prints = offered(3 * DOCUMENTS)
    whole, parts, left, right = Sample(), Sample(), Sample(), Sample()
    whole.add([texts], labels, prints, None)
    for some in np.array_split(np.random.default_rng(1).permutation(3 * DOCUMENTS), 7):
        parts.add([[texts[i] for i in some]], [labels[i] for i in some], prints[some], None)
    for sample, some in ((left, slice(0, 150_000)), (right, slice(150_000, None))):
        sample.add([texts[some]], labels[some], prints[some], None)
    expected = whole.first(DOCUMENTS)
    assert len(expected) == DOCUMENTS
    assert parts.first(DOCUMENTS) == left.merged(right).first(DOCUMENTS) == expected
    assert whole.characters == sum(map(len, whole.lists[-1][0]))
    whole.remove([expected[0].label], np.array([expected[0].fingerprint], dtype=np.uint64))
    assert whole.first(DOCUMENTS - 1) == expected[1:]


def test_groups_stand_or_fall_together() -> None:
    texts, labels, prints = offered(1000)
    sample = Sample()
    sample.add([texts], labels, prints, [i // 10 for i in range(1000)])
    places = [document.place for document in sample.first(95)]
    assert len(places) == 90
    assert all(places.count(place) == 10 for place in places)


def test_a_group_that_finds_no_room_leaves_it_to_those_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample_module, "DOCUMENTS", 5)
    sample = Sample.of([Document(place, n, "a", ("text",)) for n, place in enumerate([1, 1, 1, 4, 4, 2])])
    sample.shrink()
    later = sample.merged(Sample.of([Document(3, 6, "a", ("text",))]))
    assert [document.place for document in later.first(5)] == [1, 1, 1, 2, 3]


def test_copies_of_one_text_keep_the_shares_of_their_labels() -> None:
    sample = Sample()
    sample.add([["same"] * 4000], [0, 1, 1, 1] * 1000, np.full(4000, 7, dtype=np.uint64), None)
    assert [document.label for document in sample.first(400)].count(0) == 100
