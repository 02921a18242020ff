"""What text encoder and vectorisers refuse, and that a refusal leaves them as they were."""

import io
from copy import copy

import numpy as np
import pytest
import sklearn.feature_extraction.text as sk

from bayleaf.encoders.text import TextEncoder
from bayleaf.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"skip_pairs": 128}, "expected 0 to 127"),
        ({"skip_pairs": -1}, "expected 0 to 127"),
        ({"seed": -1}, "64 bits"),
        ({"seed": 2**64}, "64 bits"),
        ({"stop_words": None}, "expected words"),
        ({"stop_words": [1]}, "expected words"),
        ({"ngrams": None}, "expected two numbers"),
        ({"ngrams": (1, 2, 3)}, "expected two numbers"),
        ({"ngrams": (0, 1)}, "expected two numbers"),
        ({"ngrams": (1, 128)}, "expected two numbers"),
        ({"ngrams": ("1", "2")}, "expected two numbers"),
        ({"ngrams": (1, 1.5)}, "expected two numbers"),
        ({"skip_pairs": "4"}, "skip_pairs '4': expected a whole number"),
        ({"skip_pairs": 2.5}, "skip_pairs 2.5: expected a whole number"),
        ({"seed": "secret"}, "seed 'secret': expected a whole number"),
        ({"pattern": 5}, "pattern 5: expected a regular expression"),
        ({"lowercase": "no"}, "lowercase 'no': expected True or False"),
        ({"presence": None}, "presence None: expected True or False"),
        ({"stemmer": 4}, "stemmer 4: expected the name"),
    ],
    ids=str,
)
def test_settings_of_the_encoder(settings, message):
    with pytest.raises(ValueError, match=message):
        TextEncoder(**settings)


@pytest.mark.parametrize("text", ["", "[1]", '{"ngram": [1, 2]}', "no json"])
def test_settings_that_to_json_never_wrote(text):
    with pytest.raises(ValueError, match=r"expected settings as to_json\(\) writes them: some of \['pattern'"):
        TextEncoder.from_json(text)


def test_field_names_are_text():
    with pytest.raises(TypeError, match="field names"):
        TextEncoder().encode({1: ["a"]})


@pytest.mark.parametrize("kind", ["arrow", "chunked", "dictionary", "polars", "pandas", "numpy", "iterator"])
def test_the_encoder_reads_columns(kind):
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    texts = ["one two", "", "one"]
    column = {
        "arrow": lambda: pa.array(texts),
        "chunked": lambda: pa.chunked_array([texts[:1], texts[1:]]),
        "dictionary": lambda: pa.array(texts).dictionary_encode(),
        "polars": lambda: pl.Series(texts),
        "pandas": lambda: pd.Series(texts),
        "numpy": lambda: np.array(texts),
        "iterator": lambda: iter(texts),
    }[kind]()
    expected = TextEncoder().encode(texts)
    found = TextEncoder().encode({"": column})
    np.testing.assert_array_equal(found.keys, expected.keys)
    np.testing.assert_array_equal(found.starts, expected.starts)


@pytest.mark.parametrize("vectorizer", [CountVectorizer(), TfidfVectorizer(), CountVectorizer(preprocessor=str.lower)])
def test_documents_before_a_bad_one_are_not_learned(vectorizer):
    vectorizer.partial_fit(["aa bb"])
    with pytest.raises((AttributeError, TypeError)):
        vectorizer.partial_fit(iter(["never seen"] * 5000 + [None]))
    assert vectorizer.get_feature_names_out().tolist() == ["aa", "bb"]
    vectorizer.partial_fit(["cc"])
    assert vectorizer.get_feature_names_out().tolist() == ["aa", "bb", "cc"]
    assert vectorizer.transform(["aa never cc"]).nnz == 2


@pytest.mark.parametrize("vectorizer", [CountVectorizer(), TfidfVectorizer(), CountVectorizer(preprocessor=str.lower)])
def test_a_copy_of_a_vectorizer_learns_for_itself(vectorizer):
    vectorizer.fit(["aa bb", "bb"])
    before = vectorizer.transform(["aa bb"]).toarray().tolist()
    twin = copy(vectorizer).partial_fit(["cc", "bb"])
    assert twin.get_feature_names_out().tolist() == ["aa", "bb", "cc"]
    assert vectorizer.get_feature_names_out().tolist() == ["aa", "bb"]
    assert vectorizer.transform(["aa bb"]).toarray().tolist() == before


def test_weights_stay_when_columns_are_missing():
    weights = TfidfTransformer().fit([[1, 2, 3]])
    before = weights.transform([[1, 2, 3]]).toarray()
    with pytest.raises(ValueError, match="found 2 columns, expected at least the 3"):
        weights.partial_fit([[1, 2]])
    np.testing.assert_array_equal(weights.transform([[1, 2, 3]]).toarray(), before)


@pytest.mark.parametrize("pattern", [r"\w+|\S", r"\b\w+\b", r"[^a]", r"(?i)\S"])
@pytest.mark.parametrize("options", [{}, {"ngram_range": (1, 2)}])
def test_only_terms_with_lone_surrogates_have_no_hash(pattern, options):
    text = ["ab \ud800 cd"]
    try:
        expected = sk.HashingVectorizer(token_pattern=pattern, **options).transform(text)
    except UnicodeEncodeError:
        with pytest.raises(UnicodeEncodeError):
            HashingVectorizer(token_pattern=pattern, **options).transform(text)
    else:
        assert (HashingVectorizer(token_pattern=pattern, **options).transform(text) != expected).nnz == 0


def test_a_pattern_too_large_for_the_native_engine():
    options = {"token_pattern": r"(?:\w{50}){50}"}
    texts = ["é" * 5100 + " short"]
    ours, theirs = (cls(**options).fit(texts) for cls in (CountVectorizer, sk.CountVectorizer))
    assert ours.vocabulary_ == theirs.vocabulary_


def test_numbers_beyond_reason():
    texts = ["one two three"]
    assert CountVectorizer(ngram_range=(1, 2**70)).fit_transform(texts).shape == (1, 6)
    assert CountVectorizer(n_jobs=2**70).fit_transform(["ab " * 50_000] * 400).shape == (400, 1)
    with pytest.raises(ValueError, match="n_jobs"):
        CountVectorizer(n_jobs=0).fit(texts)


@pytest.mark.parametrize("settings", [{"min_df": 1.0}, {"max_df": 1}, {"max_features": 1}], ids=str)
@pytest.mark.parametrize("kind", [CountVectorizer, TfidfVectorizer])
def test_a_growing_vocabulary_is_not_pruned(kind, settings):
    """One document and all documents are the same number, of another type."""
    with pytest.raises(ValueError, match="keeps every term"):
        kind(**settings).partial_fit(["ham eggs", "ham"])


@pytest.mark.parametrize("bad", [["Ham", None], ["..."]], ids=str)
@pytest.mark.parametrize("kind", [CountVectorizer, TfidfVectorizer])
def test_a_failed_fit_leaves_the_vectoriser_as_it_was(kind, bad):
    vectorizer = kind().fit(["Ham eggs", "eggs"])
    expected = kind(lowercase=False, vocabulary=vectorizer.vocabulary_).fit(["ham eggs", "eggs"]).transform(["Ham ham"])
    for fit in (vectorizer.set_params(lowercase=False).fit, vectorizer.fit_transform):
        with pytest.raises((TypeError, ValueError, AttributeError)):
            fit(bad)
        np.testing.assert_array_equal(vectorizer.transform(["Ham ham"]).toarray(), expected.toarray())


def test_a_growing_vocabulary_reads_files_once():
    def files(texts):
        return [io.StringIO(text) for text in texts]

    settings = {"tokenizer": str.split, "token_pattern": None}
    read, given = TfidfVectorizer(input="file", **settings), TfidfVectorizer(**settings)
    for part in (["a b", "a c"], ["a d", "d"]):
        read.partial_fit(files(part))
        given.partial_fit(part)
    assert read.vocabulary_ == given.vocabulary_
    np.testing.assert_array_equal(read.idf_, given.idf_)


def test_terms_that_were_dropped_do_not_come_back():
    vectorizer = CountVectorizer(min_df=2).fit(["foo bar baz", "foo bar", "qux"])
    vectorizer.set_params(min_df=1).partial_fit(["new foo"])
    assert vectorizer.vocabulary_ == {"bar": 0, "foo": 1, "new": 2}
    assert vectorizer.transform(["baz new foo"]).toarray().tolist() == [[0, 1, 1]]
    assert vectorizer.partial_fit(["baz"]).vocabulary_ == {"bar": 0, "foo": 1, "new": 2, "baz": 3}


@pytest.mark.parametrize(
    "changed", [{"weighting": "lecture"}, {"smooth_idf": False}, {"use_idf": False}, {"norm": "l1"}]
)
def test_more_documents_are_weighed_by_the_parameters_of_now(changed):
    texts = ["ham ham eggs", "ham spam", "eggs"]
    grown = TfidfVectorizer().fit(texts[:2]).set_params(**changed).partial_fit(texts[2:])
    fitted = TfidfVectorizer(**changed).fit(texts)
    np.testing.assert_allclose(grown.transform(texts).toarray(), fitted.transform(texts).toarray())


def test_half_an_n_gram_is_refused_as_scikit_learn_does():
    CountVectorizer(ngram_range=(1, 2)).fit(["a table of words"])  # 2 and 2.0 are the same key of a cache
    with pytest.raises(TypeError, match="float"):
        CountVectorizer(ngram_range=(1, 2.0)).fit(["a table of words"])


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
@pytest.mark.parametrize("settings", [{}, {"preprocessor": str.lower}])
def test_a_table_is_no_column(kind, settings):
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    table = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}[kind]({"body": ["one two", "one"]})
    for vectorizer in (CountVectorizer(**settings), TfidfVectorizer(**settings), HashingVectorizer(**settings)):
        with pytest.raises(ValueError, match=r"a table with the columns \['body'\].*X\['body'\]"):
            vectorizer.fit_transform(table)
