"""Many texts are read in slices, between which an interrupt is heard: that changes no bit of any answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayleaf.encoders import documents
from bayleaf.text import CountVectorizer, HashingVectorizer, TextClassifier, TfidfVectorizer
from bayleaf.text.evidence import EvidenceReader

WORDS = st.lists(st.sampled_from(["a", "be", "see", "ünï", "z z", "猫"]), max_size=4).map(" ".join)
TEXTS = st.lists(st.text(max_size=6) | WORDS, max_size=12).map(lambda texts: ["one two", *texts, "two three"])


def rows(X: Any) -> list[Any]:
    return [X.shape, X.dtype, *(part.tolist() for part in (X.data, X.indices, X.indptr))]


def counted(vectorizer: Any, texts: list[str]) -> Any:
    learned = rows(vectorizer.fit_transform(texts))
    grown = vectorizer.partial_fit(texts[::-1]) if hasattr(vectorizer, "partial_fit") else vectorizer
    return learned, list(getattr(grown, "vocabulary_", {}).items()), rows(grown.transform(texts))


def judged(classifier: Any, texts: list[str]) -> Any:
    labels = np.arange(len(texts)) % 2
    classifier.fit(texts, labels).unlearn(texts[1:2], labels[1:2]).partial_fit(texts, labels)
    return classifier.class_count_.tolist(), classifier.predict_proba(texts).tolist(), classifier._archive().hash


ASKED: list[tuple[Callable[[], Any], Callable[[Any, list[str]], Any]]] = [
    (CountVectorizer, counted),
    (lambda: CountVectorizer(ngram_range=(1, 3), skip_pairs=2, stemmer="english"), counted),
    (lambda: CountVectorizer(analyzer="char_wb", ngram_range=(2, 3), dtype=np.float64), counted),
    (TfidfVectorizer, counted),
    (HashingVectorizer, counted),
    (TextClassifier, judged),
    (lambda: TextClassifier(family="multinomial", alpha="auto"), judged),
]


@pytest.mark.parametrize(("make", "answers"), ASKED)
@given(TEXTS, st.integers(1, 40))
def test_slices_change_nothing(make: Callable[[], Any], answers: Any, texts: list[str], read: int) -> None:
    whole = answers(make(), texts)
    with patch.object(documents, "READ", read):
        assert answers(make(), texts) == whole


@given(st.lists(st.lists(st.text(max_size=9), min_size=5, max_size=5), min_size=1, max_size=3), st.integers(1, 30))
def test_slices_are_all_texts_in_order_and_no_larger_than_they_must(columns: list[list[str]], read: int) -> None:
    with patch.object(documents, "READ", read):
        parts = list(documents.slices(columns, most=3))
    assert [i for part in parts for i in range(5)[part]] == list(range(5))
    for part in parts:
        sizes = [sum(map(len, texts)) for texts in zip(*(column[part] for column in columns), strict=True)]
        assert 1 <= len(sizes) <= 3
        assert len(sizes) == 1 or sum(sizes) <= read


def test_an_interrupt_is_heard_between_slices() -> None:
    texts = ["one two", "two three"]
    classifier = TextClassifier().fit(texts, [0, 1])
    heard = patch.object(EvidenceReader, "joint", side_effect=[None, KeyboardInterrupt])
    with patch.object(documents, "READ", 1), heard as joint, pytest.raises(KeyboardInterrupt):
        classifier.predict(texts)
    assert joint.call_count == 2
