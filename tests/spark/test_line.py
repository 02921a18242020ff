"""A sample that travels in columns is the sample of one machine."""

import pickle
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("pyarrow", reason="pyarrow is not installed; `make test-spark` installs it")

from bayleaf.spark import line
from bayleaf.spark.line import Line
from bayleaf.text import sample
from bayleaf.text.sample import Document, Sample

pytestmark = pytest.mark.spark

LIMITS = {"DOCUMENTS": 5, "CHARACTERS": 16}
groups = st.lists(
    st.tuples(
        st.integers(0, 2**64 - 1),
        st.lists(st.text("aé字\ud83d", max_size=4), min_size=1, max_size=3),
        st.integers(0, 3),
    ),
    max_size=12,
    unique_by=lambda group: group[0],
)


@given(groups, st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_parts_in_any_order_give_the_sample_of_all(some: list[tuple[int, list[str], int]], random: object) -> None:
    parts: list[list[Document]] = [[], [], [], []]
    for place, texts, part in some:
        parts[part] += [Document(place, n, "label", (text, "")) for n, text in enumerate(texts)]
    random.shuffle(parts)  # type: ignore[attr-defined]
    with mock.patch.multiple(line, **LIMITS), mock.patch.multiple(sample, **LIMITS):
        total = Line.of(Sample())
        for documents in parts:
            for chunk in Line.of(Sample.of(documents)).chunks(150):
                total.absorb(pickle.loads(pickle.dumps(chunk)))
        total.shrink()
        assert total.sample().first(5) == Sample.of(one for part in parts for one in part).first(5)
        assert all(place < total.last for place in total.places.tolist())


def test_of_one_large_group_each_label_keeps_its_share() -> None:
    documents = [Document(7, n, "ab"[n >= 20], ("text",)) for n in range(40)]
    with mock.patch.multiple(line, **LIMITS), mock.patch.multiple(sample, DOCUMENTS=5):
        whole = Line.of(Sample.of(documents))
        whole.shrink()
    assert len(whole) == 5
    assert set(whole.sample().lists[2]) == {"a", "b"}


def test_a_chunk_is_as_large_as_what_is_in_it() -> None:
    documents = [Document(n, n, "a", ("x" * 1_000,)) for n in range(1_000)]
    sizes = [len(pickle.dumps(chunk)) for chunk in Line.of(Sample.of(documents)).chunks(10_000)]
    assert max(sizes) < 15_000
