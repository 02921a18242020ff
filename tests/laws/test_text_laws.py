"""What must hold for any texts: threads, batches and growth change nothing."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayleaf.encoders.text import TextEncoder
from bayleaf.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer

WORD = st.text(st.sampled_from("abcdeéßΣ中 "), min_size=1, max_size=6)
TEXTS = st.lists(st.lists(WORD, max_size=30).map(" ".join), min_size=1, max_size=30)
OPTIONS = [
    {},
    {"ngram_range": (1, 3)},
    {"skip_pairs": 4, "stop_words": ["ab"]},
    {"ngram_range": (3, 4), "skip_pairs": 2},
    {"analyzer": "char_wb", "ngram_range": (2, 4)},
    {"stemmer": "english", "ngram_range": (1, 2)},
    {"token_pattern": r"[a-c]+ ?", "ngram_range": (1, 2)},
]


def equal(a, b):
    assert a.shape == b.shape
    for part in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(a, part), getattr(b, part))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@settings(deadline=None, max_examples=10)
@given(texts=TEXTS)
def test_any_number_of_threads(options, texts):
    texts = ["ab cd seeds sowing four", *texts * (1 + 200_000 // (1 + sum(map(len, texts))))]  # enough to be shared out
    one = CountVectorizer(**options, n_jobs=1)
    expected = one.fit_transform(texts)
    for n_jobs in (2, 3, 7):
        many = CountVectorizer(**options, n_jobs=n_jobs)
        equal(many.fit_transform(texts), expected)
        assert list(many.vocabulary_.items()) == list(one.vocabulary_.items())
        equal(many.transform(texts), one.transform(texts))
    hashed = (HashingVectorizer(**options, n_jobs=n).transform(texts) for n in (1, 2))
    equal(*hashed)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@settings(deadline=None, max_examples=30)
@given(texts=TEXTS)
def test_both_roads_lead_to_the_same(options, texts):
    """A preprocessor that does what is done anyway sends everything down scikit-learn's own road."""
    texts = ["ab cd seeds sowing four", *texts]
    slow, fast = CountVectorizer(**options, preprocessor=str.lower), CountVectorizer(**options)
    assert (fast.fit_transform(texts) != slow.fit_transform(texts)).nnz == 0
    assert fast.vocabulary_ == slow.vocabulary_
    equal(
        HashingVectorizer(**options).transform(texts),
        HashingVectorizer(**options, preprocessor=str.lower).transform(texts),
    )


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@settings(deadline=None, max_examples=20)
@given(texts=TEXTS, more=TEXTS)
def test_growing_agrees_with_fitting_at_once(options, texts, more):
    texts = ["ab cd seeds sowing four", *texts]
    grown, whole = CountVectorizer(**options), CountVectorizer(**options).fit(texts + more)
    before = grown.partial_fit(texts).vocabulary_
    grown.partial_fit(more)
    assert before.items() <= grown.vocabulary_.items()  # columns never move
    assert grown.vocabulary_.keys() == whole.vocabulary_.keys()
    names = grown.get_feature_names_out().tolist()
    assert names[len(before) :] == sorted(names[len(before) :])
    order = [grown.vocabulary_[name] for name in whole.get_feature_names_out()]
    assert (grown.transform(texts + more)[:, order] != whole.transform(texts + more)).nnz == 0


@settings(deadline=None, max_examples=30)
@given(texts=TEXTS, more=TEXTS)
def test_document_frequencies_add_up(texts, more):
    texts = ["ab cd seed", *texts]
    grown = TfidfVectorizer().partial_fit(texts).partial_fit(more)
    whole = TfidfVectorizer().fit(texts + more)
    order = [grown.vocabulary_[name] for name in whole.get_feature_names_out()]
    np.testing.assert_array_equal(grown.idf_[order], whole.idf_)


def test_growing_by_callables_and_after_pickling():
    import pickle

    slow = CountVectorizer(tokenizer=str.split, token_pattern=None).partial_fit(["b a"]).partial_fit(["c b aa"])
    assert slow.get_feature_names_out().tolist() == ["a", "b", "aa", "c"]
    fast = pickle.loads(pickle.dumps(CountVectorizer(ngram_range=(2, 2)).partial_fit(["bb aa"]))).partial_fit(
        ["aa bb aa"]
    )
    assert fast.get_feature_names_out().tolist() == ["bb aa", "aa bb"]
    with pytest.raises(ValueError, match="keeps every term"):
        CountVectorizer(min_df=2).partial_fit(["a"])
    fixed = CountVectorizer(vocabulary=["xx"]).partial_fit(["xx yy"])
    assert fixed.vocabulary_ == {"xx": 0}


@settings(deadline=None, max_examples=50)
@given(texts=TEXTS)
def test_the_lectures_weights(texts):
    texts = ["ab cd seed", *texts]
    counts = CountVectorizer().fit_transform(texts)
    dense = counts.toarray()
    lengths = np.maximum(dense.sum(axis=1, keepdims=True), 1)
    expected = dense / lengths * np.log(len(texts) / (dense > 0).sum(axis=0))
    np.testing.assert_allclose(
        TfidfTransformer(weighting="lecture").fit_transform(counts).toarray(), expected, atol=1e-15
    )
    np.testing.assert_allclose(
        TfidfVectorizer(weighting="lecture").fit_transform(texts).toarray(), expected, atol=1e-15
    )


@settings(deadline=None, max_examples=50)
@given(texts=TEXTS, skip=st.sampled_from([0, 4]))
def test_keys_are_terms(texts, skip):
    """Keys and vocabulary are two views of the same counts."""
    encoder = TextEncoder(pattern=r"\b\w\w+\b", unspaced=False, skip_pairs=skip)
    texts = ["ab cd seed", *texts]
    coded = encoder.encode(texts, names=True)
    vectorizer = CountVectorizer(ngram_range=(1, 2), skip_pairs=skip)
    counts = vectorizer.fit_transform(texts)
    assert len(set(coded.keys.tolist())) == counts.shape[1]
    for i in range(len(texts)):
        span = slice(coded.starts[i], coded.starts[i + 1])
        row = dict(zip(coded.names[span], coded.counts[span].tolist(), strict=True))
        columns = counts.indices[counts.indptr[i] : counts.indptr[i + 1]]
        values = counts.data[counts.indptr[i] : counts.indptr[i + 1]]
        assert row == dict(zip(vectorizer.get_feature_names_out()[columns], values.tolist(), strict=True))


@settings(deadline=None, max_examples=100)
@given(text=st.text(max_size=60))
def test_traces_point_into_the_text(text):
    encoder = TextEncoder()
    coded = encoder.encode([text])
    trace = encoder.trace(text)
    assert [key for key, *_ in dict.fromkeys((key,) for key, *_ in trace)] == coded.keys.tolist()
    assert np.array_equal(coded.counts, [sum(k == key for k, *_ in trace) for key in coded.keys.tolist()])
    for token, start, end in encoder.spans(text):
        # Marks out of order and the sigma at the end of a word hang on what stands beside them.
        whole = "Σ" in text or not unicodedata.is_normalized("NFC", text)
        assert whole or token in [again for again, *_ in encoder.spans(text[start:end])]
