"""Vocabularies that are given or altered are heeded as in scikit-learn."""

import pickle

import pytest
import sklearn.feature_extraction.text as sk
from matrices import same

import bayleaf.text as bl


def swapped(columns):
    columns["one"], columns["two"] = columns["two"], columns["one"]


CHANGES = {
    "swapped": swapped,
    "renamed": lambda columns: columns.update(uno=columns.pop("one")),
    "added": lambda columns: columns.setdefault("five", len(columns)),
    "removed": lambda columns: columns.pop("two"),
    "in place": lambda columns: columns.__ior__({"one": columns["two"], "two": columns["one"]}),
}


def test_fixed_vocabularies():
    texts = ["new york is new", "the york", "a  b"]
    for vocabulary in (
        ["new", "york", "new york"],
        {"york": 1, "the": 0},
        {"b", "new york is"},
        ["new  york", "", " "],
    ):
        for options in (
            {},
            {"ngram_range": (1, 3)},
            {"stop_words": ["the"]},
            {"analyzer": "char", "ngram_range": (1, 3)},
        ):
            a, b = (m.CountVectorizer(vocabulary=vocabulary, **options) for m in (bl, sk))
            same(a.fit_transform(texts), b.fit_transform(texts))
            same(a.transform(texts), b.transform(texts))
            assert a.vocabulary_ == b.vocabulary_


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("cls", ["CountVectorizer", "TfidfVectorizer"])
def test_a_vocabulary_may_be_altered(cls, change):
    texts = ["one two two three", "three four two"]
    ours, theirs = (getattr(m, cls)().fit(texts) for m in (bl, sk))
    ours.transform(texts)  # by terms that are then stale
    for vectorizer in (ours, theirs):
        CHANGES[change](vectorizer.vocabulary_)
    asked = ["one two uno five"]
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    if cls == "TfidfVectorizer" and change in ("added", "removed"):
        for vectorizer in (ours, theirs):
            with pytest.raises(ValueError, match="is expecting 4 features as input"):
                vectorizer.transform(asked)
        return
    same(ours.transform(asked), theirs.transform(asked))
    same(pickle.loads(pickle.dumps(ours)).transform(asked), theirs.transform(asked))
    columns = dict(ours.vocabulary_)
    assert ours.partial_fit(["new"]).vocabulary_ == {**columns, "new": len(columns)}


@pytest.mark.parametrize("columns", [{"one": 0, "two": 5}, {"one": 0, "two": 0}, {"one": -1, "two": 0}])
def test_a_vocabulary_with_other_columns_is_refused(columns):
    """scikit-learn gives matrices with columns that they do not have; to densify them writes where it must not."""
    vectorizer = bl.CountVectorizer().fit(["one two"])
    vectorizer.vocabulary_ = columns
    with pytest.raises(ValueError, match="in vocabulary_, expected the columns 0 to 1, each once"):
        vectorizer.transform(["one two"])
