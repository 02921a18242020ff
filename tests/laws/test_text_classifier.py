"""What must hold of a text classifier for any texts: its counts are a group, and its answers are sums."""

from __future__ import annotations

import hashlib
from copy import copy
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file

from bayleaf import TextClassifier
from bayleaf.encoders.text import TextEncoder
from bayleaf.errors import BayleafError, NegativeCountError
from bayleaf.families.evidence import EvidenceTable

FAMILIES = ["evidence", "multinomial", "boolean", "complement", "bernoulli"]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"encoder": "words"},
    {"encoder": "sparse"},
    {"encoder": "letters"},
    {"encoder": TextEncoder(analyzer="char", ngrams=(1, 3))},
    {"buckets": 7},
    {"keep_text": False},
    *({"family": family, "alpha": 1.0, "temperature": 1.0} for family in FAMILIES[1:]),
]
WORDS = st.sampled_from(
    ["win", "Money", "lunch", "a", "to", "!", "ß", "İ", "ΣΑΣ", "猫が好", "\0", "\ud800", "é", "👍🏽"]
)
TEXTS = st.lists(st.one_of(WORDS, st.text(max_size=4)), max_size=8).map(" ".join)
LABELS = st.sampled_from(["ham", "spam", "a much longer label"])
PAIRS = st.lists(st.tuples(TEXTS, LABELS), min_size=1, max_size=12)
by_settings = pytest.mark.parametrize("settings", SETTINGS, ids=str)
by_family = pytest.mark.parametrize("family", FAMILIES)


def columns(pairs: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [text for text, _ in pairs], [label for _, label in pairs]


def make(settings: dict[str, Any], **more: Any) -> TextClassifier:
    """A classifier that chooses nothing: these laws are about what it counts."""
    if "family" in settings:
        return TextClassifier(**settings, **more)
    orders = tuple(TextClassifier(settings.get("encoder", "default")).partial_fit(["a"], [0])._tally.orders)
    table = replace(EvidenceTable.start(orders, 3), mix=(0.1, -0.2, 0.0, 0.3, 0.0, 0.1, -0.1, 0.2, -0.3))
    return TextClassifier(**{"table": table, **settings, **more})


def learned(settings: dict[str, Any], pairs: list[tuple[str, str]], **more: Any) -> TextClassifier:
    classes = ["ham", "spam", "a much longer label"]
    return make(settings, **more).partial_fit(*columns(pairs), classes=classes)


def fingerprint(clf: TextClassifier) -> str:
    """A hash of the tensors in its file: counts, and the text of the keys."""
    with TemporaryDirectory() as folder:
        clf.save(Path(folder) / "model")
        arrays = load_file(Path(folder) / "model")
    digest = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes())
    return digest.hexdigest()


@by_settings
@given(PAIRS, PAIRS)
def test_a_copy_learns_for_itself(
    settings: dict[str, Any], pairs: list[tuple[str, str]], more: list[tuple[str, str]]
) -> None:
    clf, both = learned(settings, pairs), learned(settings, pairs).partial_fit(*columns(more))
    twin = copy(clf).partial_fit(*columns(more))
    assert fingerprint(clf) == fingerprint(learned(settings, pairs))
    assert fingerprint(twin) == fingerprint(both)
    clf.unlearn(*columns(pairs))
    assert fingerprint(twin) == fingerprint(both)
    assert twin._sample.first(99) == both._sample.first(99)


@by_settings
@given(PAIRS, st.data())
def test_any_order_partition_and_threads(
    settings: dict[str, Any], pairs: list[tuple[str, str]], draw: st.DataObject
) -> None:
    expected = fingerprint(learned(settings, pairs))
    shuffled = draw.draw(st.permutations(pairs))
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(pairs)), max_size=4)))
    parts = [shuffled[a:b] for a, b in zip([0, *cuts], [*cuts, len(pairs)], strict=True)]
    grown = learned(settings, [], n_jobs=draw.draw(st.integers(1, 3)))
    for part in parts:
        grown.partial_fit(*columns(part))
    assert fingerprint(grown) == expected
    merged = learned(settings, [])
    for part in parts:
        merged = merged + learned(settings, part, n_jobs=2)
    assert fingerprint(merged) == expected


@pytest.mark.parametrize("settings", SETTINGS[:3], ids=str)
def test_any_number_of_threads_on_more_text(settings: dict[str, Any]) -> None:
    """Enough text for all threads to have a share, and for several blocks."""
    rng = np.random.default_rng(0)
    pairs = [(" ".join(f"w{n}" for n in rng.zipf(1.3, 2000) % 5000), ["ham", "spam"][i % 2]) for i in range(300)]
    models = [learned(settings, pairs, n_jobs=n) for n in (1, 2, 5)]
    assert len({fingerprint(model) for model in models}) == 1
    for groups in (None, [i // 7 for i in range(300)]):
        alone, *others = (model.loo_predict_log_proba(*columns(pairs), groups=groups) for model in models)
        assert all(np.array_equal(alone, other) for other in others)
    for model in models[1:]:
        np.testing.assert_array_equal(
            model.predict_joint_log_proba(columns(pairs)[0]), models[0].predict_joint_log_proba(columns(pairs)[0])
        )
        model.unlearn(*columns(pairs[:299]))
        assert fingerprint(model) == fingerprint(learned(settings, pairs[299:]))


@by_settings
@given(st.tuples(PAIRS, PAIRS, PAIRS))
def test_merging_is_associative_and_commutative(settings: dict[str, Any], some: tuple[Any, ...]) -> None:
    a, b, c = (learned(settings, pairs) for pairs in some)
    before = [fingerprint(model) for model in (a, b, c)]
    assert fingerprint(a + b) == fingerprint(b + a)
    assert fingerprint((a + b) + c) == fingerprint(a + (b + c))
    assert [fingerprint(model) for model in (a, b, c)] == before


@by_settings
@given(PAIRS, PAIRS, st.data())
def test_unlearning_undoes_learning(
    settings: dict[str, Any], kept: list[tuple[str, str]], gone: list[tuple[str, str]], draw: st.DataObject
) -> None:
    clf = learned(settings, kept)
    expected = fingerprint(clf)
    clf.partial_fit(*columns(gone)).unlearn(*columns(draw.draw(st.permutations(gone))))
    assert fingerprint(clf) == expected
    assert fingerprint(clf.unlearn(*columns(kept))) == fingerprint(learned(settings, []))


@pytest.mark.parametrize("settings", [some for some in SETTINGS if "buckets" not in some], ids=str)
@given(PAIRS, TEXTS)
def test_a_refused_unlearning_changes_nothing(
    settings: dict[str, Any], pairs: list[tuple[str, str]], text: str
) -> None:
    """A label that has no document, a label that is not known, and texts that hold an unknown word."""
    known = [(text, "ham") for text, _ in pairs]
    clf = learned(settings, known)
    expected, scores = fingerprint(clf), clf.predict_joint_log_proba(columns(known)[0])
    with pytest.raises(NegativeCountError, match="never learned"):
        clf.unlearn([text], ["spam"])
    with pytest.raises(BayleafError, match="expected some of"):
        clf.unlearn([*columns(pairs)[0]], ["unknown"] * len(pairs))
    with pytest.raises(NegativeCountError, match="never learned"):
        clf.unlearn([f"{text} unheard"], ["ham"])
    assert fingerprint(clf) == expected
    np.testing.assert_allclose(clf.predict_joint_log_proba(columns(known)[0]), scores, rtol=1e-12, atol=1e-12)


@by_settings
@given(PAIRS, TEXTS)
def test_explanations_add_up_and_point_at_their_tokens(
    settings: dict[str, Any], pairs: list[tuple[str, str]], text: str
) -> None:
    clf = learned(settings, pairs)
    for asked in (text, pairs[0][0]):
        why = clf.explain(asked)
        total = why.prior + sum((clue.summands for clue in why.clues), np.zeros(3)) + why.rest
        np.testing.assert_allclose(total, clf.predict_joint_log_proba([asked])[0], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(why.posterior, clf.predict_proba([asked])[0], rtol=1e-9, atol=1e-12)
        assert why.predicted == clf.predict([asked])[0]
        for clue in why.clues:
            binary = settings.get("family") in ("boolean", "bernoulli")
            assert len(clue.spans) >= 1 if binary else len(clue.spans) == clue.value
            for start, end in clue.spans:
                assert 0 <= start < end <= len(asked)
                assert clf._encoder.analyzer != "word" or says(clf._encoder, asked[start:end], clue.name)


def says(encoder: TextEncoder, part: str, name: str) -> bool:
    """Whether a part of a text has the tokens that a feature is called by.

    A final sigma depends on what follows, and İ becomes an i and a mark of its own.
    """
    found, wanted = (words.replace("ς", "σ").split() for words in (" ".join(encoder.tokens(part)), name))
    return found == wanted or (("\u0130" in part or encoder.skip_pairs > 0) and {wanted[0], wanted[-1]} <= {*found})


@by_family
@given(PAIRS, TEXTS)
def test_nothing_is_nan(family: str, pairs: list[tuple[str, str]], text: str) -> None:
    """Fitted on anything, with everything chosen; without smoothing and with an impossible class as well."""
    texts, labels = columns(pairs)
    choices: list[dict[str, Any]] = [{}]
    if family != "evidence":
        choices += [{"alpha": 0.0}, {"alpha": "auto", "smoothing": "absolute"}]
    for choice in choices:
        clf = TextClassifier(family=family, **choice).fit(texts, labels)
        clf.partial_fit(["one more"], ["another label"])
        loo = clf.loo_predict_log_proba(texts, labels)
        grouped = clf.loo_predict_log_proba(texts, labels, groups=[i % 2 for i in range(len(texts))])
        proba = clf.predict_proba([*texts, text])
        for numbers in (proba, loo, grouped, clf.predict_joint_log_proba([*texts, text])):
            assert not np.isnan(numbers).any()
        for shares in (proba, np.exp(loo), np.exp(grouped)):
            np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-9)
            assert (shares >= 0).all()
        clf.unlearn(texts, labels)
        assert not np.isnan(clf.predict_proba([text])).any()


@by_family
@given(PAIRS)
def test_a_row_is_a_batch_of_one(family: str, pairs: list[tuple[str, str]]) -> None:
    settings = {"family": family, "alpha": 1.0, "temperature": 0.5} if family != "evidence" else {}
    clf, (texts, labels) = learned(settings, pairs), columns(pairs)
    together, loo = clf.predict_joint_log_proba(texts), clf.loo_predict_log_proba(texts, labels)
    for i, text in enumerate(texts):
        np.testing.assert_array_equal(clf.predict_joint_log_proba([text])[0], together[i])
        np.testing.assert_allclose(clf.loo_predict_log_proba([text], labels[i : i + 1])[0], loo[i], rtol=1e-12)


@pytest.mark.parametrize("settings", [{}, {"family": "multinomial", "alpha": "auto"}], ids=str)
@given(st.lists(st.tuples(TEXTS, LABELS, st.integers(0, 4)), min_size=2, max_size=12), st.data())
def test_derived_numbers_are_those_of_the_documents(
    settings: dict[str, Any], rows: list[tuple[str, str, int]], draw: st.DataObject
) -> None:
    """The same for any order and partition of the documents, from an iterator and after merging."""
    shuffled = draw.draw(st.permutations(rows))
    cut = draw.draw(st.integers(1, len(rows) - 1))
    grouped = draw.draw(st.booleans())

    def unzipped(some: list[tuple[str, str, int]]) -> dict[str, Any]:
        texts, labels, groups = (list(column) for column in zip(*some, strict=True))
        return {"X": texts, "y": labels, "groups": groups if grouped else None}

    whole = TextClassifier(**settings).fit(**unzipped(rows))
    parts = TextClassifier(**settings, n_jobs=1).partial_fit(**unzipped(shuffled[:cut]))
    parts.partial_fit(**{name: some and iter(some) for name, some in unzipped(shuffled[cut:]).items()})
    merged = TextClassifier(**settings).partial_fit(**unzipped(shuffled[:cut]))
    merged = (merged + TextClassifier(**settings).partial_fit(**unzipped(shuffled[cut:]))).retune()
    texts = [text for text, *_ in rows]
    for other in (parts, merged):
        assert whole.chosen_.keys() == other.chosen_.keys()
        for name, number in whole.chosen_.items():
            np.testing.assert_allclose(
                other.chosen_[name], number, rtol=1e-9, atol=1e-9
            ) if number is not None else None
        np.testing.assert_allclose(other.predict_proba(texts), whole.predict_proba(texts), rtol=1e-9, atol=1e-9)


@given(PAIRS)
def test_fields_are_kept_apart(pairs: list[tuple[str, str]]) -> None:
    """What was learned of one field says nothing about another, in whatever order the fields come."""
    texts, labels = columns(pairs)
    nothing = [""] * len(texts)
    clf = learned({}, []).partial_fit({"subject": texts, "body": nothing}, labels)
    swapped = clf.predict_joint_log_proba({"body": texts, "subject": nothing})
    silent = clf.predict_joint_log_proba({"body": nothing, "subject": nothing})
    np.testing.assert_array_equal(swapped, silent)
    same = clf.predict_joint_log_proba({"body": nothing, "subject": texts})
    np.testing.assert_allclose(same, learned({}, pairs).predict_joint_log_proba(texts), rtol=1e-9, atol=1e-9)
    again = learned({}, []).partial_fit({"body": nothing, "subject": texts}, labels)
    assert fingerprint(again) == fingerprint(clf)
    for clue in clf.explain({"body": "", "subject": texts[0]}).clues:
        assert clue.name.startswith("subject:")
