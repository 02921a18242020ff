"""What evidence for one class says about the others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bayleaf import TextClassifier
from bayleaf.families import calibrating, mixing, tuning
from bayleaf.text.evidence import EvidenceReader

TOPICS, KINDS = ("sound", "video", "chess"), {"program": ["tool", "runs"], "manual": ["pages", "reads"]}


def packages(n: int, seed: int) -> tuple[list[str], list[str]]:
    """Programs and their manuals: ten words of the topic, by now and then one that tells the two apart."""
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for _ in range(n):
        topic, kind = str(rng.choice(TOPICS)), str(rng.choice(list(KINDS)))
        words = [f"{topic}{i}" for i in rng.integers(0, 40, 10)] + [f"w{i}" for i in rng.integers(0, 300, 5)]
        words += [str(rng.choice(KINDS[kind if rng.random() < 0.8 else "program"]))]
        texts.append(" ".join(rng.permutation(words)))
        labels.append(f"{topic} {kind}")
    return texts, labels


def losses(clf: TextClassifier, texts: list[str], labels: list[str]) -> float:
    own = clf.predict_log_proba(texts)[np.arange(len(labels)), np.searchsorted(clf.classes_, labels)]
    return float(-own.mean())


def test_classes_that_share_their_words_are_told_apart_better(monkeypatch: pytest.MonkeyPatch) -> None:
    learned, asked = packages(1_500, 0), packages(1_000, 1)
    clf = TextClassifier().fit(*learned)
    assert len(clf.table_.mix) == 36
    with monkeypatch.context() as patched:
        patched.setattr(calibrating, "is_fitted", lambda halves, k: False)
        before = TextClassifier().fit(*learned)
    assert before.table_.mix == ()
    assert losses(clf, *asked) < losses(before, *asked)
    assert clf.chosen_["loo_log_loss"] == pytest.approx(losses(clf, *asked), rel=0.1)


def test_explanations_add_up_and_tokens_weigh_what_they_add(tmp_path: Path) -> None:
    texts, labels = packages(400, 2)
    clf = TextClassifier().fit(texts, labels)
    assert any(clf.table_.mix)
    for told in clf.explain(texts[:20]):
        total = told.prior + sum((clue.summands for clue in told.clues), np.zeros(6))
        np.testing.assert_allclose(total, told.joint, rtol=1e-9, atol=1e-9)
    plain = TextClassifier(table=replace(clf.table_, mix=())).fit(texts, labels)
    label = labels[0]
    assert clf.top_tokens(5)[label] != plain.top_tokens(5)[label]
    clf.save(tmp_path / "model")
    again = TextClassifier.load(tmp_path / "model")
    assert again.table_ == clf.table_
    np.testing.assert_array_equal(again.predict_proba(texts), clf.predict_proba(texts))


def test_a_new_label_is_not_mixed_with_the_others() -> None:
    texts, labels = packages(400, 3)
    clf = TextClassifier().fit(texts, labels)
    square = clf.table_.square()
    clf.partial_fit(["a new kind"], ["a new kind"])
    places = np.searchsorted(clf.classes_, sorted(set(labels)))
    assert clf.classes_[0] == "a new kind"
    wider = clf.table_.square()
    np.testing.assert_array_equal(wider[np.ix_(places, places)], square)
    assert not wider[0].any()
    assert not wider[:, 0].any()


def test_what_is_no_answer_stays_as_it_was() -> None:
    rng = np.random.default_rng(0)
    evidence, codes = rng.normal(size=(300, 4)), rng.integers(0, 3, 300)
    map_ = mixing.mixing(evidence, evidence, codes, np.ones(300))
    assert np.abs(map_[:, :3]).max() > 1e-2
    assert np.abs(map_[:, 3]).max() < 1e-3


def test_documents_need_not_all_be_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first part says what each kind of evidence is worth; all of them say how classes mix and how sure it is."""
    texts, labels = packages(900, 4)
    monkeypatch.setattr(EvidenceReader, "at_once", lambda self: 500)
    table = TextClassifier().fit(texts, labels).table_
    assert table.documents == 900
    assert any(table.mix)


def test_documents_beyond_those_that_mixing_is_fitted_on_still_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work on mixing grows with the square of the classes; how sure to be, and leanings, ask for all documents."""
    learned, asked = packages(900, 4), packages(1_000, 1)
    monkeypatch.setattr(EvidenceReader, "at_once", lambda self: 300)
    whole = TextClassifier().fit(*learned)
    monkeypatch.setattr(tuning, "most", lambda k: 500)
    part = TextClassifier().fit(*learned)
    assert part.table_.documents == 900
    assert part.table_.worth == whole.table_.worth
    assert any(part.table_.mix)
    assert part.table_.mix != whole.table_.mix
    assert losses(part, *asked) == pytest.approx(losses(whole, *asked), rel=0.05)


@pytest.mark.parametrize(
    ("n", "k", "fitted"), [(1_000, 2, False), (100, 20, False), (200, 20, True), (9_999, 999, False)]
)
def test_only_where_documents_can_say_something(n: int, k: int, fitted: bool) -> None:
    assert mixing.is_fitted(np.arange(n) % 2, k) == fitted


def test_one_group_tells_nothing_about_others() -> None:
    """What it was fitted on is all there is: how much of it counts cannot be told."""
    texts, labels = packages(400, 5)
    assert TextClassifier().fit(texts, labels, groups=["all"] * 400).table_.mix == ()
