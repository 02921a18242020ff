"""The vectorisers give scikit-learn's vocabulary, indices, counts and weights, on any text."""

import io
import os
import pickle
import subprocess
import sys
from functools import partial
from pathlib import Path
from warnings import catch_warnings

import numpy as np
import pytest
import sklearn.feature_extraction.text as sk
from hypothesis import given, settings
from hypothesis import strategies as st
from matrices import same
from sklearn import config_context
from sklearn.base import clone

import bayleaf.text as bl
from bayleaf.errors import BayleafError

HOSTILE = [
    "Iİıi I\u0307 DİYARBAKIR Kırmızı",
    "Straße STRASSE ẞ ﬁne ﬀ Ǆ ǅ",
    "ΌΔΟΣ ΟΔΟΣ. ΣΑΣ'Σ Σ σς ΑΣΒ Α\u0301Σ",
    "e\u0301te\u0301 n\u0303 ก\u0e49า हिन्दी नमस्ते",
    "𝐀𝐁 𐐀𐐨 𞤀𞤢 𠀀𠀁 😀😀 a😀b",
    "٣٤ ०१२ Ⅷ ½ ² ①② 一二",
    "a_b __ _x x_ _ a\u200db a\u00adb a\u2019b can't",
    "\x1c\x1d\x1e\x1f a\x1cb\x85c\u2028d\u3000e  f\n\n g\t\th",
    "\x00nul\x00\x00two \ud800lone\udfff x\ud800\udc00y",
    "K Å Ω µ Ƶ \u1e9e \u0345",
    "",
    "  \n ",
    "x",
    "The quick brown fox; the QUICK fox jumped. " * 5,
]

WORDS = st.sampled_from(
    ["the", "The", "Foo", "été", "ÉTÉ", "İs", "ΟΔΟΣ", "x", "中文", "a_b", "it's", "\x1c", "  ", "\n", "😀", "\u0301"]
)
TEXTS = st.lists(st.one_of(st.lists(WORDS, max_size=12).map(" ".join), st.text(max_size=40)), min_size=1, max_size=6)

OPTIONS = [
    {},
    {"ngram_range": (1, 2)},
    {"ngram_range": (2, 3), "stop_words": ["the", "été", "foo"]},
    {"ngram_range": (1, 4), "binary": True},
    {"lowercase": False},
    {"strip_accents": "ascii"},
    {"strip_accents": "unicode", "ngram_range": (1, 2)},
    {"strip_accents": "unicode", "lowercase": False},
    {"stop_words": "english"},
    {"token_pattern": r"(?u)\b\w+\b"},
    {"token_pattern": r"\w{3,}"},
    {"token_pattern": r"\S+", "ngram_range": (1, 2)},
    {"token_pattern": r"\w+|[^\w\s]", "ngram_range": (1, 2)},
    {"token_pattern": r"[a-z]+"},
    {"token_pattern": r"\b[a-z]\w*\b", "ngram_range": (1, 2)},
    {"token_pattern": r"(?:x|.)(\w)?", "ngram_range": (1, 2)},
    {"token_pattern": r"\w+ ?", "ngram_range": (1, 3)},
    {"token_pattern": r"(?<=a)b|\d+?|[^\W\d]{2,3}"},
    {"token_pattern": r"(?i)THE|\W\D"},
    {"analyzer": "char"},
    {"analyzer": "char", "ngram_range": (1, 3)},
    {"analyzer": "char", "ngram_range": (2, 2), "strip_accents": "ascii"},
    {"analyzer": "char_wb", "ngram_range": (1, 1)},
    {"analyzer": "char_wb", "ngram_range": (3, 5)},
    {"analyzer": "char_wb", "ngram_range": (2, 7), "lowercase": False},
    {"min_df": 2},
    {"max_df": 0.5},
    {"max_features": 3},
    {"dtype": np.float32},
    {"dtype": np.int32, "ngram_range": (1, 2)},
]


def outcome(call):
    """Return what a call gives, or the error it ends in."""
    try:
        return call()
    except Exception as error:  # the error is the result
        return type(error), str(error)


def agree(texts, options, n_jobs=1, cls="CountVectorizer"):
    ours, theirs = getattr(bl, cls)(**options, n_jobs=n_jobs), getattr(sk, cls)(**options)
    same(outcome(lambda: ours.fit_transform(texts)), outcome(lambda: theirs.fit_transform(texts)))
    if hasattr(theirs, "vocabulary_"):
        assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
        assert list(ours.vocabulary_.items()) == list(theirs.vocabulary_.items())
        again = [*texts[::-1], "unseen words The Foo été"]
        same(ours.transform(again), theirs.transform(again))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("cls", ["CountVectorizer", "TfidfVectorizer"])
def test_hostile_texts(options, cls):
    agree(HOSTILE, options, cls=cls)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@settings(deadline=None, max_examples=40)
@given(texts=TEXTS)
def test_any_texts(options, texts):
    agree(texts, options)


@settings(deadline=None, max_examples=300)
@given(
    text=st.text(alphabet=st.characters(codec=None, categories=None), max_size=30), options=st.sampled_from(OPTIONS[:8])
)
def test_any_code_points(text, options):
    agree([text, "filler words"], options)


HASHED = [o for o in OPTIONS if not {"min_df", "max_df", "max_features"} & o.keys() and o.get("dtype") != np.int32]


@pytest.mark.parametrize("options", HASHED, ids=str)
@pytest.mark.parametrize(
    "more", [{}, {"norm": None, "alternate_sign": False, "n_features": 7}, {"norm": "l1", "n_features": 64}]
)
def test_hashing(options, more):
    texts = [text for text in HOSTILE if "\ud800" not in text]
    ours, theirs = bl.HashingVectorizer(**options, **more, n_jobs=1), sk.HashingVectorizer(**options, **more)
    same(outcome(lambda: ours.fit_transform(texts)), outcome(lambda: theirs.fit_transform(texts)))


@pytest.mark.parametrize("interface", ["spmatrix", "sparray"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("norm", ["l1", "l2", None])
def test_weighted_rows_of_every_type(norm, dtype, interface):
    texts = ["free prize call now", "call me call", "", "the the 12 now"]
    with config_context(sparse_interface=interface), catch_warnings(action="ignore"):
        for name, more in (
            ("TfidfVectorizer", {}),
            ("TfidfVectorizer", {"sublinear_tf": True}),
            ("HashingVectorizer", {}),
        ):
            one, two = (getattr(m, name)(norm=norm, dtype=dtype, **more).fit(texts) for m in (bl, sk))
            for some in texts, texts[:1], [""], []:
                mine, theirs = (outcome(partial(each.transform, some)) for each in (one, two))
                same(mine, theirs)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_term_of_no_document_without_smoothing_is_refused(dtype):
    for norm in ("l1", "l2", None):
        one, two = (
            m.TfidfVectorizer(vocabulary=["never", "seen"], smooth_idf=False, norm=norm, dtype=dtype) for m in (bl, sk)
        )
        with catch_warnings(action="ignore"):
            one.fit(["seen here"]), two.fit(["seen here"])
        same(one.transform(["seen"]), two.transform(["seen"]))
        same(*(outcome(partial(each.transform, ["never seen"])) for each in (one, two)))


def test_signs_that_a_type_cannot_hold():
    texts = ["some words of which some have a negative sign"]
    for dtype in (np.uint8, np.uint64):
        with pytest.raises(OverflowError):
            sk.HashingVectorizer(dtype=dtype).transform(texts)
        with pytest.raises(BayleafError, match="alternate_sign=False"):
            bl.HashingVectorizer(dtype=dtype).transform(texts)
        same(*(m.HashingVectorizer(dtype=dtype, alternate_sign=False).transform(texts) for m in (bl, sk)))
    same(*(m.HashingVectorizer(dtype=bool, n_features=2, norm=None).transform(texts) for m in (bl, sk)))


def test_lone_surrogates_in_hashed_words_and_letters():
    words = [HOSTILE[8]]
    same(bl.HashingVectorizer().transform(words), sk.HashingVectorizer().transform(words))
    for cls in (bl.HashingVectorizer, sk.HashingVectorizer):
        with pytest.raises(UnicodeEncodeError):
            cls(analyzer="char").transform(words)


@pytest.mark.parametrize("document", [None, 3, np.nan, [1], b"\xff\xfe"])
@pytest.mark.parametrize("cls", ["CountVectorizer", "TfidfVectorizer", "HashingVectorizer"])
@pytest.mark.parametrize("lowercase", [True, False])
def test_errors_of_bad_documents(document, cls, lowercase):
    theirs = outcome(lambda: getattr(sk, cls)(lowercase=lowercase).fit_transform(["fine text", document]))
    ours = outcome(lambda: getattr(bl, cls)(lowercase=lowercase).fit_transform(["fine text", document]))
    assert ours == theirs
    assert isinstance(theirs, tuple)


def test_bytes_files_and_callables(tmp_path):
    raw = ["été chaud".encode("latin-1"), "plain", b"caf\xe9"]
    same(*(m.CountVectorizer(encoding="latin-1").fit_transform(raw) for m in (bl, sk)))
    same(*(m.CountVectorizer(decode_error="ignore").fit_transform(raw) for m in (bl, sk)))
    path = tmp_path / "one.txt"
    path.write_text("from a file")
    same(*(m.CountVectorizer(input="filename").fit_transform([str(path)]) for m in (bl, sk)))
    same(*(m.CountVectorizer(input="file").fit_transform([io.StringIO("from a stream")]) for m in (bl, sk)))
    for options in (
        {"preprocessor": str.upper},
        {"tokenizer": str.split, "token_pattern": None},
        {"analyzer": lambda d: d.split("e")},
    ):
        same(*(m.CountVectorizer(**options).fit_transform(HOSTILE) for m in (bl, sk)))


def test_a_subclass_that_overrides_a_step_is_obeyed():
    class Shouting(bl.CountVectorizer):
        def build_preprocessor(self):
            return str.upper

    assert Shouting().fit(["some words"]).get_feature_names_out().tolist() == ["SOME", "WORDS"]


@pytest.mark.parametrize("kind", ["tuple", "iterator", "numpy", "objects", "pandas", "polars", "arrow", "chunked"])
def test_any_container(kind):
    texts = ["one two", "two three", "été"] * 3000
    expected = sk.CountVectorizer().fit_transform(texts)
    make = {
        "tuple": lambda: tuple(texts),
        "iterator": lambda: iter(texts),
        "numpy": lambda: np.array(texts),
        "objects": lambda: np.array(texts, dtype=object),
        "pandas": lambda: pytest.importorskip("pandas").Series(texts),
        "polars": lambda: pytest.importorskip("polars").Series(texts),
        "arrow": lambda: pytest.importorskip("pyarrow").array(texts),
        "chunked": lambda: pytest.importorskip("pyarrow").chunked_array([texts]),
    }[kind]
    for steps in ({}, {"preprocessor": str.lower}):  # natively, and by scikit-learn's own road
        vectorizer = bl.CountVectorizer(**steps)
        same(vectorizer.fit_transform(make()), expected)
        same(vectorizer.transform(make()), sk.CountVectorizer().fit(texts).transform(texts))
        assert vectorizer.partial_fit(make()).vocabulary_ == {"one": 0, "three": 1, "two": 2, "été": 3}
        same(bl.HashingVectorizer(**steps).transform(make()), sk.HashingVectorizer().transform(texts))


def test_parameters_may_change_after_fitting():
    a, b = (m.CountVectorizer().fit(["One two"]) for m in (bl, sk))
    for options in ({"lowercase": False}, {"ngram_range": (1, 2)}, {"lowercase": True, "binary": True}):
        same(a.set_params(**options).transform(["One two two"]), b.set_params(**options).transform(["One two two"]))
    a.vocabulary_ = b.vocabulary_ = {"two": 0}
    same(a.transform(["One two two"]), b.transform(["One two two"]))


def test_pickle_and_clone():
    for cls in ("CountVectorizer", "TfidfVectorizer"):
        fitted = getattr(bl, cls)(ngram_range=(1, 2)).fit(HOSTILE)
        same(pickle.loads(pickle.dumps(fitted)).transform(HOSTILE), fitted.transform(HOSTILE))
        assert not hasattr(clone(fitted), "vocabulary_")
        state = fitted.__getstate__()
        old = object.__new__(type(fitted))
        old.__setstate__({**state, "_vocabulary": dict(state["_vocabulary"])})  # as pickles of before have it
        same(old.transform(HOSTILE), fitted.transform(HOSTILE))


def test_parameters_of_scikit_learn_with_their_defaults():
    for name in (name for name in bl.__all__ if hasattr(sk, name)):
        theirs, ours = getattr(sk, name)().get_params(), getattr(bl, name)().get_params()
        assert theirs.items() <= ours.items()
        assert issubclass(getattr(bl, name), getattr(sk, name))


def test_scikit_learns_own_tests():
    """All of scikit-learn's text tests pass with our classes in place of theirs; none is left out."""
    plugins = ["-p", "sklearn_text_plugin", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, *plugins, "--pyargs"]
    run = subprocess.run(
        [*command, "sklearn.feature_extraction.tests.test_text"],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:]
    assert "131 passed" in run.stdout
