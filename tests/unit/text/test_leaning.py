"""What common words say beyond what their kind is worth."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from bayleaf import RecordClassifier, TextClassifier
from bayleaf.families import leaning

OPENINGS, PRAISE = ("though", "despite", "while"), ("fine", "clever", "warm", "bright", "moving", "rich")


def reviews(n: int, seed: int) -> tuple[list[str], list[str]]:
    """Good and bad films; kind words stand in both, and words that turn them around mostly in bad ones."""
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for _ in range(n):
        good = bool(rng.integers(2))
        words = [f"w{i}" for i in rng.integers(0, 400, 12)] + list(rng.choice(PRAISE, 2 + good))
        words += [str(rng.choice(OPENINGS))] * (rng.random() < (0.15 if good else 0.75))
        texts.append(" ".join(rng.permutation(words)))
        labels.append("good" if good else "bad")
    return texts, labels


def losses(clf: TextClassifier, texts: list[str], labels: list[str]) -> float:
    own = clf.predict_log_proba(texts)[np.arange(len(labels)), np.searchsorted(clf.classes_, labels)]
    return float(-own.mean())


LEARNED, ASKED = reviews(2_000, 0), reviews(2_000, 1)
LEANS, KINDS = TextClassifier().fit(*LEARNED), TextClassifier(table="kinds").fit(*LEARNED)


def test_words_that_say_more_than_their_kind_are_heard() -> None:
    assert KINDS.table_.common == ()
    assert replace(LEANS.table_, common=(), leanings=()) == KINDS.table_
    assert losses(LEANS, *ASKED) < losses(KINDS, *ASKED) - 0.01
    keys, rows = LEANS.table_.rows()
    key = int(LEANS._encoder.encode(["though"]).keys[-1])
    bad, good = rows[keys.tolist().index(key)]
    assert abs(bad) > 0.1
    assert bad == -good


def test_they_are_the_keys_of_most_documents() -> None:
    lists = LEANS._tally.native.listing()
    held = dict(zip(lists["keys"].tolist(), lists["documents"].tolist(), strict=True))
    assert set(LEANS.table_.common) == {key for key, n in held.items() if n >= leaning.HELD}
    some = LEANS._tally.native.common(5, 7).tolist()
    assert sorted(held[key] for key in some) == sorted(held.values())[-7:]
    assert some == sorted(some)
    assert LEANS._tally.native.common(10**9, 7).tolist() == []


def test_explanations_add_up_and_files_keep_them(tmp_path: Path) -> None:
    texts = ASKED[0][:50]
    for told in LEANS.explain(texts):
        total = told.prior + sum((clue.summands for clue in told.clues), np.zeros(2))
        np.testing.assert_allclose(total, told.joint, rtol=1e-9, atol=1e-9)
    LEANS.save(tmp_path / "model")
    again = TextClassifier.load(tmp_path / "model")
    assert again.table_ == LEANS.table_
    np.testing.assert_array_equal(again.predict_proba(texts), LEANS.predict_proba(texts))


def test_tokens_are_listed_with_what_they_lean_to() -> None:
    """In a text of one word a token says what it is listed with, times scale and temperature."""
    table, weight = LEANS.table_, dict(LEANS.top_tokens(5)["bad"])["though"]
    assert weight != pytest.approx(dict(KINDS.top_tokens(5)["bad"])["though"], abs=1e-3)
    nowhere = [0.0 if name.endswith(("first 8", "once")) else worth for name, worth in table.weights().items()]
    clf = TextClassifier(table=replace(table, worth=tuple(nowhere))).fit(*LEARNED)
    (clue,) = clf.explain("though").clues
    assert clue.summands[0] == pytest.approx(weight * table.scale / table.temperature * np.log(2))


def test_a_new_label_and_threads_change_nothing() -> None:
    clf = TextClassifier(n_jobs=1).fit(*LEARNED)
    assert clf.table_ == LEANS.table_
    clf.partial_fit(["a new kind"], ["a new kind"])
    assert clf.table_.common == LEANS.table_.common
    rows = clf.table_.rows()[1]
    np.testing.assert_array_equal(rows[:, 1:], LEANS.table_.rows()[1])
    assert not rows[:, 0].any()


def test_leave_one_out_does_without_them() -> None:
    """They have seen the labels: with them the figures would be too good."""
    np.testing.assert_allclose(LEANS.loo_predict_log_proba(*LEARNED), KINDS.loo_predict_log_proba(*LEARNED), rtol=1e-12)
    assert LEANS.chosen_["loo_log_loss"] >= losses(LEANS, *ASKED)


def test_texts_beside_numbers_have_none() -> None:
    """There texts are worth what they are worth leave-one-out, so they have to say the same afterwards."""
    texts, labels = LEARNED[0][:300], LEARNED[1][:300]
    alone = RecordClassifier({"text": "text"}).fit({"text": texts}, labels)
    beside = RecordClassifier({"text": "text", "size": "number"}).fit({"text": texts, "size": [1.0, 2.0] * 150}, labels)
    assert [clf._parts.text.table_.common != () for clf in (alone, beside)] == [True, False]


@pytest.fixture
def pool() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as threads:
        yield threads


def test_few_texts_have_none() -> None:
    few = slice(leaning.DOCUMENTS - 1)
    assert TextClassifier().fit(LEARNED[0][few], LEARNED[1][few]).table_.common == ()


def test_many_classes_have_fewer_words() -> None:
    assert leaning.most(2) == leaning.MOST
    assert leaning.most(1_000) * 1_000 <= leaning.NUMBERS


def test_what_is_no_answer_stays_as_it_was(pool: Executor) -> None:
    rng = np.random.default_rng(0)
    said = sparse.csr_array(rng.integers(0, 2, (300, 5)).astype(float))
    rows = leaning.leanings(said, np.zeros((300, 4)), rng.integers(0, 3, 300), pool)
    assert np.abs(rows[:, :3]).max() > 1e-2
    assert not rows[:, 3].any()


def test_they_are_of_greatest_posterior(pool: Executor) -> None:
    """No slope is left: what each word says of each class is what its documents have more than they were given."""
    rng = np.random.default_rng(1)
    said = rng.random((400, 6)) * (rng.random((400, 6)) < 0.4)
    scores, codes = rng.normal(size=(400, 3)), rng.integers(0, 3, 400)
    rows = leaning.leanings(sparse.csr_array(said), scores, codes, pool)
    share = np.exp(scores + said @ rows)
    share /= share.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(rows, said.T @ (np.eye(3)[codes] - share), atol=10**-leaning.DIGITS)


def test_threads_change_nothing(pool: Executor) -> None:
    rng = np.random.default_rng(2)
    said = sparse.random_array((333, 41), density=0.3, format="csr", rng=rng)
    scores, codes = rng.normal(size=(333, 3)), rng.integers(0, 3, 333)
    with ThreadPoolExecutor(1) as alone:
        np.testing.assert_array_equal(
            leaning.leanings(said, scores, codes, pool), leaning.leanings(said, scores, codes, alone)
        )
