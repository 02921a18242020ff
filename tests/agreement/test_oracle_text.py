"""The text classifier against plain Python, and its textbook families against the oracle and scikit-learn."""

from __future__ import annotations

import dataclasses

import numpy as np
import oracle
import oracle_text
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import naive_bayes
from sklearn.feature_extraction.text import CountVectorizer

from bayleaf import TextClassifier
from bayleaf.encoders import TextEncoder
from bayleaf.families.evidence import EvidenceTable, kinds
from bayleaf.text.sample import places_of

WORDS = ["win", "Money", "lunch", "a", "to", "b2", "!", "$", "x_y", "see"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
GRAMS = [(word.lower(),) for word in WORDS] + [("win", "money"), ("!", "$"), ("a", "a")]
# The last feature of such a text is itself.
KEYS = {gram: int(TextEncoder().encode([" ".join(gram)]).keys[-1]) for gram in GRAMS}


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Some texts of two or three classes, each class present; one of them is long, and one of them is empty."""
    k = draw(st.integers(2, 3))
    texts = draw(st.lists(TEXTS, min_size=k + 1, max_size=10))
    labels = [*"abc"[:k], *draw(st.lists(st.sampled_from("abc"[:k]), min_size=len(texts) - k, max_size=len(texts) - k))]
    return [*texts, " ".join(WORDS[:6] * 6), ""], [*labels, "a", "b"]


@st.composite
def tables(draw: st.DrawFn, classes: int) -> EvidenceTable:
    """Any table at all."""
    number = st.integers(0, 16).map(lambda n: n / 8)
    worth = draw(st.lists(number, min_size=oracle_text.KINDS, max_size=oracle_text.KINDS))
    offsets = draw(st.lists(number, min_size=classes, max_size=classes))
    mix = draw(st.just([]) | st.lists(number.map(lambda n: 1 - n), min_size=classes**2, max_size=classes**2))
    scale, power, prior, temperature = draw(number) + 0.1, draw(number), draw(number), draw(number) + 0.1
    common = draw(st.lists(st.sampled_from(sorted(KEYS.values())), unique=True))
    size = classes * len(common)
    rows = draw(st.lists(number.map(lambda n: 1 - n), min_size=size, max_size=size))
    derived = (tuple(worth), scale, power, prior, tuple(offsets), temperature, 0.1)
    return EvidenceTable((1, 2), *derived, mix=tuple(mix), common=tuple(common), leanings=tuple(rows))


def test_the_layout_has_a_name_for_each_kind() -> None:
    assert len(set(kinds((1, 2)))) == oracle_text.KINDS


@given(corpora())
def test_counts(corpus: tuple[list[str], list[str]]) -> None:
    """F[w, c], df[w] and D[c] are exactly those of the recipe."""
    texts, labels = corpus
    clf, seen = TextClassifier().fit(texts, labels), oracle_text.Seen(texts, labels)
    lists = clf._tally.native.listing()
    names = [tuple(clf._tally.native.name(key).split()) for key in lists["keys"].tolist()]
    assert dict(zip(names, lists["documents"].tolist(), strict=True)) == dict(seen.df)
    counts = {
        (name, seen.classes[lists["classes"][i]]): lists["counts"][i]
        for name, start, end in zip(names, lists["starts"][:-1], lists["starts"][1:], strict=True)
        for i in range(start, end)
    }
    assert counts == dict(seen.F)
    assert dict(zip(seen.classes, clf._tally.documents.tolist(), strict=True)) == dict(seen.D)
    assert clf._tally.distinct.tolist() == [seen.V[0], seen.V[1]]


@given(corpora(), st.data())
def test_scores_under_any_table(corpus: tuple[list[str], list[str]], draw: st.DataObject) -> None:
    texts, labels = corpus
    seen = oracle_text.Seen(texts, labels)
    table = draw.draw(tables(len(seen.classes)))
    clf = TextClassifier(table=table).fit(texts, labels)
    asked = [*texts, draw.draw(TEXTS), "unheard of"]
    np.testing.assert_allclose(
        clf.predict_joint_log_proba(asked), [seen.joint(t, table, KEYS) for t in asked], rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(clf.predict_proba(asked), [seen.posterior(t, table, KEYS) for t in asked], atol=1e-12)


@given(corpora())
def test_scores_under_the_fitted_table(corpus: tuple[list[str], list[str]]) -> None:
    texts, labels = corpus
    clf, seen = TextClassifier(alpha=0.7).fit(texts, labels), oracle_text.Seen(texts, labels, alpha=0.7)
    expected = [seen.posterior(t, clf.table_, {}) for t in texts]
    np.testing.assert_allclose(clf.predict_proba(texts), expected, rtol=1e-9, atol=1e-9)


@given(corpora(), st.booleans(), st.integers(1, 3))
def test_leaving_out(corpus: tuple[list[str], list[str]], grouped: bool, jobs: int) -> None:
    """The sums of each document without itself or its group, and the log probabilities made of them."""
    texts, labels = corpus
    groups = [i % 3 for i in range(len(texts))] if grouped else list(range(len(texts)))
    clf, seen = TextClassifier(n_jobs=jobs).fit(texts, labels), oracle_text.Seen(texts, labels)
    order = np.argsort(groups, kind="stable").tolist()  # the native half wants each group in one piece
    together = [[j for j in order if groups[j] == groups[i]] for i in order]
    left = [seen.without([texts[j] for j in own], [labels[j] for j in own]) for own in together]
    expected = [counts.sums(texts[i]) for counts, i in zip(left, order, strict=True)]
    tally, codes = clf._tally, clf._codes([labels[i] for i in order]).astype(np.uint16)
    places = places_of([groups[i] for i in order]) if grouped else None
    sums, lengths = tally.native.loo(tally.keys, ([""], [[texts[i] for i in order]]), codes, places, 1.6, jobs)
    np.testing.assert_allclose(sums, expected, rtol=1e-5, atol=1e-5)
    assert lengths.tolist() == [len(oracle_text.tokens(texts[i])) for i in order]
    log_proba = clf.loo_predict_log_proba(texts, labels, groups=groups if grouped else None)
    wanted = [np.log(counts.posterior(texts[i], clf.table_, {})) for counts, i in zip(left, order, strict=True)]
    np.testing.assert_allclose(log_proba[order], wanted, rtol=1e-4, atol=1e-5)


def test_the_guard_for_small_samples() -> None:
    """The temperature is multiplied by (n + 20) / n, the floor is at least 1 / (n + 2), also under groups."""
    texts, labels = ["win money", "lunch at noon"] * 5, ["spam", "ham"] * 5
    few, many = (TextClassifier().fit(texts * n, labels * n).table_ for n in (1, 40))
    assert few.floor >= 1 / 12
    assert many.floor >= 1 / 402
    assert few.temperature >= np.exp(-3) * 30 / 10
    assert few.floor > many.floor


# textbook families

NAMES = {"multinomial": "MultinomialNB", "boolean": "MultinomialNB", "complement": "ComplementNB"}
NAMES["bernoulli"] = "BernoulliNB"


@pytest.mark.parametrize("family", NAMES)
@pytest.mark.parametrize("alpha", [1.0, 0.25])
@given(corpora())
def test_textbook_against_scikit_learn(family: str, alpha: float, corpus: tuple[list[str], list[str]]) -> None:
    texts, labels = corpus
    ours = TextClassifier("words", family=family, alpha=alpha, temperature=1.0).fit(texts, labels)
    counter = CountVectorizer(binary=family == "boolean")
    theirs = getattr(naive_bayes, NAMES[family])(alpha=alpha).fit(counter.fit_transform(texts), labels)
    asked = counter.transform([*texts, "money unheard money"])
    joint = theirs.predict_joint_log_proba(asked)
    got = ours.predict_joint_log_proba([*texts, "money unheard money"])
    np.testing.assert_allclose(got, joint, rtol=1e-9, atol=1e-9)
    log_proba = ours.predict_log_proba([*texts, "money unheard money"])
    np.testing.assert_allclose(log_proba, theirs.predict_log_proba(asked), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("family", NAMES)
@pytest.mark.parametrize("smoothing", ["lidstone", "background", "jelinek-mercer", "absolute"])
@pytest.mark.parametrize("temperature", [1.0, 4.0])
def test_textbook_against_the_oracle(family: str, smoothing: str, temperature: float) -> None:
    texts = ["win money win", "cheap money", "lunch money", "lunch at noon", "noon lunch at noon win"]
    labels = ["spam", "spam", "ham", "ham", "ham"]
    clf = TextClassifier("words", family=family, smoothing=smoothing, alpha=0.25, temperature=temperature)
    words = sorted({word for text in texts for word in text.split()})
    rows = [[float(text.split().count(word)) for word in words] for text in texts]
    if family in ("boolean", "bernoulli"):
        rows = [[min(cell, 1.0) for cell in row] for row in rows]
    name = {"boolean": "multinomial"}.get(family, family)
    joint = [oracle.joint(name, rows, labels, row, smoothing=smoothing, alpha=0.25) for row in rows]
    got = clf.fit(texts, labels).predict_joint_log_proba(texts)
    np.testing.assert_allclose(got, np.array(joint) / temperature, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("family", NAMES)
@pytest.mark.parametrize("smoothing", ["lidstone", "background", "jelinek-mercer", "absolute"])
def test_textbook_leaving_out(family: str, smoothing: str) -> None:
    """Scores without a document are those of a classifier that never saw it, but for the prior and its keys."""
    texts = ["win money win", "cheap money now", "lunch money", "lunch at noon", "noon lunch at noon win", "now cheap"]
    labels = ["spam", "spam", "ham", "ham", "ham", "spam"]
    clf = TextClassifier("words", family=family, smoothing=smoothing, alpha=0.5, temperature=2.0).fit(texts, labels)
    words = sorted({word for text in texts for word in text.split()})
    rows = [[float(text.split().count(word)) for word in words] for text in texts]
    if family in ("boolean", "bernoulli"):
        rows = [[min(cell, 1.0) for cell in row] for row in rows]
    prior = None if family == "complement" else [0.5, 0.5]
    for i in range(len(texts)):
        others = [j for j in range(len(texts)) if j != i]
        name = {"boolean": "multinomial"}.get(family, family)
        known, their = [rows[j] for j in others], [labels[j] for j in others]
        joint = oracle.joint(name, known, their, rows[i], smoothing=smoothing, alpha=0.5, prior=prior)
        expected = oracle.normalise([score / 2.0 for score in joint])
        got = clf.loo_predict_log_proba([texts[i]], [labels[i]])[0]
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


def test_a_table_survives_json() -> None:
    table = TextClassifier().fit(["win money", "lunch at noon"] * 3, [1, 0] * 3).table_
    again = EvidenceTable.from_json(table.to_json())
    assert again == table
    assert dataclasses.asdict(again) == dataclasses.asdict(table)
