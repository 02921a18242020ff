"""Vocabulary, indices and counts equal scikit-learn's on real mail and news.

Every twentieth document by default (a minute); BAYLEAF_FULL=1 takes them all (half an hour, nearly all of it
scikit-learn's).
"""

import functools
import os
import tarfile
from pathlib import Path

import numpy as np
import pytest
import sklearn.feature_extraction.text as sk

import bayleaf.text as bl

DATA = Path(os.environ.get("BAYLEAF_CORPORA", Path(__file__).parents[3] / "shared" / "data"))
STEP = 1 if os.environ.get("BAYLEAF_FULL") else 20


@functools.cache
def corpus(name: str) -> list[str]:
    """Return the texts of an archive: news posts whole, mails without their headers."""
    path = DATA / f"{name}.tar.xz"
    if not path.exists():
        pytest.skip(f"{path} is not there; set BAYLEAF_CORPORA to the folder that holds it")
    texts = []
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile():
                raw = archive.extractfile(member).read()
                texts.append((raw.partition(b"\n\n")[2] if name == "spamassassin" else raw).decode("latin-1"))
    return texts[::STEP]


RANGES = [{}, {"ngram_range": (1, 2)}, {"analyzer": "char_wb", "ngram_range": (3, 5)}]
EXTRAS = [{}, {"stop_words": "english"}, {"strip_accents": "ascii"}, {"strip_accents": "unicode"}]


@pytest.mark.parametrize("name", ["20news_bydate", "spamassassin"])
@pytest.mark.parametrize("ranges", RANGES, ids=str)
@pytest.mark.parametrize("extra", EXTRAS, ids=str)
@pytest.mark.filterwarnings("ignore:The parameter 'stop_words' will not be used")
def test_counts(name, ranges, extra):
    texts = corpus(name)
    ours, theirs = bl.CountVectorizer(**ranges, **extra, n_jobs=2), sk.CountVectorizer(**ranges, **extra)
    a, b = ours.fit_transform(texts), theirs.fit_transform(texts)
    for part in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(a, part), getattr(b, part))
    assert list(ours.vocabulary_.items()) == list(theirs.vocabulary_.items())
    half = texts[: len(texts) // 2]
    c, d = ours.transform(half), theirs.transform(half)
    for part in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(c, part), getattr(d, part))
