"""Hostile input: a right answer or a clear error, in bounded time and memory."""

import numpy as np
import pytest

from bayleaf.encoders.text import TextEncoder
from bayleaf.text import CountVectorizer, HashingVectorizer

HUGE = 100_000_000


@pytest.mark.parametrize("letter", ["x", "é"])
def test_a_single_token_of_100_mb(letter):
    text = letter * (HUGE // len(letter.encode()))
    vectorizer = CountVectorizer(stemmer="english")
    assert vectorizer.fit_transform([text, "a short one"]).shape == (2, 3)
    assert len(max(vectorizer.get_feature_names_out(), key=len)) == len(text)
    assert TextEncoder(stemmer="english").encode([text]).tokens.tolist() == [1]
    assert HashingVectorizer().transform([text]).nnz == 1


def test_a_million_empty_documents():
    X = CountVectorizer(ngram_range=(1, 2)).fit_transform([""] * 1_000_000 + ["one word"])
    assert X.shape == (1_000_001, 3)
    assert X.nnz == 3
    assert TextEncoder().encode([""] * 1_000_000).starts[-1] == 0


def test_a_million_distinct_words_and_one_word_a_million_times():
    X = CountVectorizer(ngram_range=(1, 2)).fit_transform([" ".join(f"w{i}" for i in range(1_000_000))])
    assert X.shape == (1, 1_999_999)
    assert CountVectorizer().fit_transform(["ab " * 1_000_000]).data.tolist() == [1_000_000]


def test_nul_surrogates_and_none():
    assert CountVectorizer().fit(["ab\0cd \ud800ef"]).get_feature_names_out().tolist() == ["ab", "cd", "ef"]
    letters = CountVectorizer(analyzer="char").fit(["\ud800\U00010000\ue000\0"]).get_feature_names_out().tolist()
    assert letters == ["\0", "\ud800", "\ue000", "\U00010000"]
    with pytest.raises(TypeError, match="text 1 is NoneType"):
        TextEncoder().encode(["a", None])
    with pytest.raises(ValueError, match="found one str"):
        TextEncoder().encode("a")


@pytest.mark.timeout(60)  # a stemmer that looks at every suffix anew would take hours
def test_words_that_would_make_a_stemmer_slow():
    word = "yaya" * 1_000_000
    assert CountVectorizer(stemmer="english").fit([word]).get_feature_names_out().tolist() == [word]


def test_no_document_and_no_word():
    with pytest.raises(ValueError, match="empty vocabulary"):
        CountVectorizer().fit([])
    coded = TextEncoder().encode([])
    assert coded.starts.tolist() == [0]
    assert coded.parts.shape == (0, 2)
    assert np.array_equal(TextEncoder().encode([" "]).starts, [0, 0])
