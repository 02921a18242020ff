"""The encoder's settings, keys, tokens and stems."""

import pickle
import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayleaf._core import text_murmur3, text_stem, text_stemmers
from bayleaf.encoders.characters import characters
from bayleaf.encoders.expression import translate
from bayleaf.encoders.stopwords import languages, stop_words
from bayleaf.encoders.text import PRESETS, TextEncoder


def test_every_code_point_is_what_python_says():
    """Letters, spaces and lower case of all 1,114,112 code points."""
    table = characters()
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    words = {i for m in re.finditer(r"\w+", everything) for i in range(*m.span())}
    spaces = {i for m in re.finditer(r"\s", everything) for i in range(*m.span())}
    for code in range(sys.maxunicode + 1):
        low = chr(code).lower()
        assert table.about(code) == (code in words, code in spaces, ord(low) if len(low) == 1 else code), hex(code)


@pytest.mark.parametrize("accents", ["ascii", "unicode"])
def test_accents_of_every_code_point(accents):
    from sklearn.feature_extraction import text as sk

    from bayleaf.text import CountVectorizer

    strip = getattr(sk, f"strip_accents_{accents}")
    texts = [chr(c) for c in range(0x80, 0x40000) if not 0xD800 <= c < 0xE000]
    vectorizer = CountVectorizer(strip_accents=accents, lowercase=False, token_pattern=r"[^\n]+", n_jobs=1)
    expected = sorted({stripped for t in texts if (stripped := strip(t)) and "\n" not in stripped})
    assert vectorizer.fit(texts).get_feature_names_out().tolist() == expected


def test_published_keys():
    """Keys are stored in models, so these numbers may never change."""
    coded = TextEncoder().encode(["Hello, world"], names=True)
    assert dict(zip(coded.names, map(hex, coded.keys.tolist()), strict=True)) == PUBLISHED
    assert TextEncoder(seed=1).encode(["Hello"]).keys[0] != coded.keys[0]


PUBLISHED = {
    "hello": "0x9555e8555c62dcfd",
    ",": "0x32cd626f54ba457e",
    "world": "0xd6476c25083d69be",
    "hello ,": "0xe33ecb207fb65465",
    ", world": "0x8135f56eb4d4dc60",
}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("தமிழ் மொழி", ["தமிழ்", "மொழி"]),
        ("مُحَمَّد رسول", ["مُحَمَّد", "رسول"]),
        ("می\u200cخواهم", ["میخواهم"]),
        ("un cafe\u0301", ["un", "café"]),
        ("Donau\u00addampfer\ufeff", ["donaudampfer"]),
        (unicodedata.normalize("NFD", "tiếng Việt 한국어 がき"), ["tiếng", "việt", "한국어", "がき"]),
        ("İSTANBUL istanbul", ["istanbul", "istanbul"]),
        ("❤\ufe0flove 👩\u200d💻", ["❤", "love", "👩", "💻"]),
    ],
)
def test_words_keep_their_marks(text, words):
    """As every script writes them; scikit-learn's pattern, where wanted, cuts them as Python does."""
    assert TextEncoder().tokens(text) == words
    plain = TextEncoder(unspaced=False)
    assert plain.tokens(text) == re.findall(plain.pattern, text.lower())


def test_marks_are_what_unicode_says():
    """Between two letters each mark is part of the word, but for those of scripts without spaces and those not seen."""
    unseen = {0x34F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)}
    marks = [c for c in range(0x300, 0x20000) if unicodedata.category(chr(c)) in ("Mn", "Mc") and c not in unseen]
    encoder = TextEncoder(pattern=r"\w+|[^\w\s]", lowercase=False)

    def is_cut(mark):
        return encoder.tokens(f"a{mark}b") != [unicodedata.normalize("NFC", f"a{mark}b")]

    unspaced = re.compile(r"[\u0e31-\u0eff\u1000-\u109f\ua9e0-\ua9fe\uaa60-\uaa7f\u1780-\u17ff\u3099\u309a]")
    assert not [chr(c) for c in marks if is_cut(chr(c)) and not unspaced.match(chr(c))]


TYPED = (
    "aEéÅΣσКй\u0301\u0323\u0327\u05b4\u05bc\u0651\u064eक़न\u093c\u094dか\u3099\u1112\u1161\u11ab한\u00ad\u200b \u212a"
)


@given(st.text(st.sampled_from(TYPED), max_size=30))
def test_it_does_not_matter_how_a_letter_was_typed(text):
    """Composed or apart, marks in any order that means the same, with and without what is not seen."""
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD")]
    seen = text.translate(dict.fromkeys(map(ord, "\u00ad\u200b")))
    told = {tuple(TextEncoder().tokens(form)) for form in (text, seen, *forms)}
    assert len(told) == 1


def test_places_are_those_of_the_text_as_it_was_typed():
    text = "Cafe\u0301s Do\u00adnau \u1112\u1161\u11ab!"
    assert [(token, text[start:end]) for token, start, end in TextEncoder().spans(text)] == [
        ("cafés", "Cafe\u0301s"),
        ("donau", "Do\u00adnau"),
        ("한", "\u1112\u1161\u11ab"),
        ("!", "!"),
    ]


def test_fields_keep_apart():
    coded = TextEncoder(ngrams=(1, 1)).encode({"subject": ["win"], "": ["win now"]}, names=True)
    assert coded.names == ["subject:win", "win", "now"]
    assert coded.first.tolist() == [0, 0, 1]
    assert coded.tokens.tolist() == [3]
    with pytest.raises(ValueError, match="different lengths"):
        TextEncoder().encode({"a": ["x"], "b": []})


def test_skip_pairs_and_parts():
    coded = TextEncoder.preset("sparse").encode(["a b c d e"], names=True)
    assert coded.names == [
        "a",
        "b",
        "c",
        "d",
        "e",
        "a b",
        "b c",
        "c d",
        "d e",
        "a +2 c",
        "b +2 d",
        "c +2 e",
        "a +3 d",
        "b +3 e",
        "a +4 e",
    ]
    assert coded.orders.tolist() == [1] * 5 + [2] * 4 + [130] * 3 + [131] * 2 + [132]
    assert coded.parts[-1].tolist() == [0, 4]


def test_scripts_without_spaces():
    tokens = TextEncoder().tokens
    assert tokens("我喜欢Python编程!") == ["我喜", "喜欢", "python", "编程", "!"]
    assert tokens("ภาษาไทย 12") == ["ภา", "าษ", "ษา", "าไ", "ไท", "ทย", "12"]
    assert tokens("ខ្មែរ ລາວ") == ["ខ្", "្ម", "មែ", "ែរ", "ລາ", "າວ"]
    assert tokens("カタカナー、猫") == ["カタ", "タカ", "カナ", "ナー", "、", "猫"]


def test_spans_show_the_source():
    text = "İstanbul ﬁnds it, ÇOK"
    spans = TextEncoder(strip_accents="unicode").spans(text)
    assert [(token, text[a:b]) for token, a, b in spans] == [
        ("istanbul", "İstanbul"),
        ("finds", "ﬁnds"),
        ("it", "it"),
        (",", ","),
        ("cok", "ÇOK"),
    ]


def test_presets_and_serialisation():
    for name in PRESETS:
        encoder = TextEncoder.preset(name, seed=7, stop_words=["x"])
        assert TextEncoder.from_json(encoder.to_json()) == encoder
        assert pickle.loads(pickle.dumps(encoder)) == encoder
        assert hash(encoder) == hash(TextEncoder.preset(name, seed=7, stop_words=("x",)))
    for bad, message in (
        ({"ngrams": (2, 1)}, "n-gram range"),
        ({"pattern": "("}, "cannot be used"),
        ({"analyzer": "w"}, "unknown analyzer"),
        ({"stemmer": "klingon"}, "unknown stemmer"),
        ({"stop_words": "xx"}, "no stop words"),
        ({"strip_accents": "x"}, "unknown strip"),
    ):
        with pytest.raises(ValueError, match=message):
            TextEncoder(**bad)
    with pytest.raises(ValueError, match="unknown preset"):
        TextEncoder.preset("huge")


def test_stop_words_are_a_set():
    encoder = TextEncoder(stop_words=["b", "a", "b"])
    assert encoder == TextEncoder(stop_words={"a", "b"})
    assert encoder.to_json() == TextEncoder(stop_words=("a", "b")).to_json()


def test_presence_counts_once():
    assert TextEncoder(presence=True).encode(["a a a"]).counts.tolist() == [1, 1]


def test_stop_words_by_language():
    assert len(languages()) > 50
    assert {"le", "la"} <= stop_words("fr")
    assert TextEncoder(stop_words="de", ngrams=(1, 1)).tokens("Der Hund und die Katze") == ["hund", "katze"]


def test_built_in_stop_words_know_accents_and_apostrophes():
    from bayleaf.text import CountVectorizer, HashingVectorizer

    texts = ["Das ist nur für über Äpfel", "daß während Bären"]
    options = {"stop_words": "de", "strip_accents": "unicode"}
    assert CountVectorizer(**options).fit(texts).get_feature_names_out().tolist() == ["apfel", "baren"]
    assert HashingVectorizer(**options).transform(texts).nnz == 2
    encoder = TextEncoder(**options, ngrams=(1, 1))
    assert [encoder.tokens(text) for text in texts] == [["apfel"], ["baren"]]
    english = TextEncoder(stop_words="en", ngrams=(1, 1))
    assert english.tokens("We don't, they couldn't retrieve it.") == ["'", ",", "'", "retrieve", "."]
    assert TextEncoder.from_json(english.to_json()) == english


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("accents", [None, "unicode"])
def test_built_in_stop_words_are_what_the_encoder_cuts(accents, form):
    """In every script that has spaces, with its marks, composed or not."""
    for language in set(languages()) - {"ja", "th", "zh"}:
        encoder = TextEncoder(stop_words=language, strip_accents=accents)
        for word in stop_words(language):
            left = encoder.tokens(unicodedata.normalize(form, word))
            assert not any(map(str.isalnum, "".join(left))), (language, word)


def test_built_in_stop_words_leave_other_words():
    """दर is a rate, सर is sir: left of अंदर and सर्व only where marks divide words."""
    assert TextEncoder(stop_words="hi").tokens("और दर") == ["दर"]
    assert TextEncoder(stop_words="mr").tokens("सर्व सर") == ["सर"]
    assert TextEncoder(stop_words="zh").tokens("道说 我们") == ["道说"]
    assert TextEncoder(stop_words="el").tokens("πρός τους φίλους") == ["φίλους"]


def test_stems_agree_with_pystemmer():
    import Stemmer

    shared = sorted(set(Stemmer.algorithms()) & set(text_stemmers()))
    assert len(shared) >= 25
    for language in shared:
        theirs = Stemmer.Stemmer(language)
        words = sample_words(language)
        assert [text_stem(language, word) for word in words] == theirs.stemWords(words), language


def sample_words(language: str) -> list[str]:
    """Return words of the language's stop list and others with typical endings."""
    codes = {
        "english": "en",
        "german": "de",
        "french": "fr",
        "spanish": "es",
        "italian": "it",
        "portuguese": "pt",
        "russian": "ru",
        "turkish": "tr",
        "finnish": "fi",
        "swedish": "sv",
        "dutch": "nl",
        "hungarian": "hu",
        "arabic": "ar",
        "greek": "el",
    }
    words = set(stop_words(codes.get(language, "en")))
    for code in ("en", "de", "fr", "ru"):
        words |= {
            w + s for w in list(stop_words(code))[:300] for s in ("", "s", "ing", "ed", "ation", "lich", "ement", "ами")
        }
    return sorted(w for w in words if " " not in w)


def test_retrieval():
    words = ["retrieve", "retrieving", "retrieval", "retrieved", "retrieves"]
    assert {text_stem("english", word) for word in words} == {"retriev"}


def test_murmur_agrees_with_scikit_learn():
    from sklearn.utils import murmurhash3_32

    for text in ("", "a", "ab", "abc", "abcd", "abcde", "été" * 20):
        for seed in (0, 1, 2**31):
            assert text_murmur3(text.encode(), seed) == murmurhash3_32(text.encode(), seed=seed)


@pytest.mark.parametrize("pattern", [r"a*", r"(?=a)b", r"(a)\1", r"(?i)a", r"a$", r"(?:(a)b)+", r"a++"])
def test_patterns_left_to_python(pattern):
    if "++" in pattern and sys.version_info < (3, 11):
        pytest.skip("no possessive repeats")
    assert translate(pattern) is None


def test_unicode_version_is_the_running_one():
    assert unicodedata.unidata_version >= "14"
