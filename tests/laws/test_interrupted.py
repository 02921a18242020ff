"""Whoever interrupts a call finds all of it done or nothing, and can go on."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interrupted import interrupt, moments
from letters import letter, letters

from bayleaf import BernoulliNB, CategoricalNB, GaussianNB, MixedNB, MultinomialNB, RecordClassifier
from bayleaf.mail import Filter
from bayleaf.text import CountVectorizer, TextClassifier, TfidfVectorizer

MOST = 40  # places in one call that are tried, spread evenly
ROWS, LABELS = np.arange(120).reshape(24, 5) % 7 % 4, np.arange(24) % 3
TEXTS = [f"one {'two' if n % 2 else 'three'} w{n}" for n in range(24)]
RECORDS = [
    {"text": text, "number": float(row[0]), "word": "abcd"[row[1]]} for text, row in zip(TEXTS, ROWS, strict=True)
]
INPUTS: dict[type, Any] = {TextClassifier: TEXTS, RecordClassifier: RECORDS}
PART = slice(4, 11)

MODELS: list[Any] = [
    *(GaussianNB(), MultinomialNB(), MultinomialNB(alpha="auto"), BernoulliNB(), CategoricalNB(), MixedNB()),
    *(RecordClassifier(), TextClassifier(), TextClassifier(family="multinomial")),
]
CALLS: dict[str, Callable[[Any, Any], object]] = {
    "fit": lambda model, X: model.fit(X[PART], LABELS[PART]),
    "partial_fit": lambda model, X: model.partial_fit(X[PART], LABELS[PART]),
    "unlearn": lambda model, X: model.unlearn(X[PART], LABELS[PART]),
    "merge": lambda model, X: model.merge(pickle.loads(pickle.dumps(model))),
}


def places(work: Callable[[], object]) -> range:
    """Numbers of moments to interrupt a call at."""
    every = moments(work)
    return range(1, every + 1, -(-every // MOST))


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_model_has_learned_all_of_a_call_or_nothing(model: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bayleaf.text.batches.HELD", 5)  # so that a few texts are several batches
    X = INPUTS.get(type(model), ROWS)
    learned = pickle.dumps(model.fit(X, LABELS))

    def answers(fitted: Any) -> list[float]:
        if isinstance(fitted, RecordClassifier):  # the sample that a reading is derived from is not exact
            return [*fitted.class_count_, *fitted._parts.text._tally.documents]
        return list(fitted.predict_proba(X).ravel())

    done = pickle.loads(learned)
    for at in places(lambda: CALLS[name](done, X)):
        broken = pickle.loads(learned)
        interrupt(lambda broken=broken: CALLS[name](broken, X), at)
        if answers(broken) != answers(done):
            assert answers(broken) == answers(pickle.loads(learned)), at
            CALLS[name](broken, X)
            assert answers(broken) == answers(done), at


@pytest.mark.parametrize("name", ["fit", "partial_fit"])
@pytest.mark.parametrize("model", [CountVectorizer(), TfidfVectorizer()], ids=str)
def test_a_vectoriser_has_weights_for_the_terms_it_has(model: Any, name: str) -> None:
    learned, more = pickle.dumps(model.fit(TEXTS[PART])), TEXTS[:8]

    def rows(fitted: Any) -> list[list[float]]:
        return [[*fitted.get_feature_names_out()], *fitted.transform(TEXTS).toarray().tolist()]

    done = pickle.loads(learned)
    for at in places(lambda: getattr(done, name)(more)):
        broken = pickle.loads(learned)
        interrupt(lambda broken=broken: getattr(broken, name)(more), at)
        assert rows(broken) in (rows(done), rows(pickle.loads(learned))), at


FILTER_CALLS: dict[str, Callable[[Filter], object]] = {
    "learn": lambda f: f.train(letter(90, "spam"), "work"),
    "correct": lambda f: f.train(letter(1, "spam"), "ham"),
    "unlearn": lambda f: f.untrain(letter(1, "spam")),
    "learn many": lambda f: f.train_many(letters(9)),
    "expire": lambda f: f.expire(days=0, limit=60),
    "compact": Filter.compact,
}


@pytest.fixture(params=["sqlite", "postgres"])
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Places where no store is yet, in either database."""
    numbers = count()
    if request.param == "sqlite":
        return lambda: str(tmp_path / f"{next(numbers)}.db")
    found: Callable[[], str] = request.getfixturevalue("new_store")
    return found


@pytest.mark.parametrize("name", FILTER_CALLS)
def test_a_store_is_whole_and_free_for_others(tmp_path: Path, new_place: Callable[[], str], name: str) -> None:
    call, backup = FILTER_CALLS[name], tmp_path / "backup.db"
    with Filter.open(":memory:") as f:
        f.train_many(letters(3))
        for raw, label in letters(7):
            f.train(raw, label)
        f.backup(backup)
    with Filter.restore(backup, new_place()) as done:
        tried = places(lambda: call(done))
    for at in tried:
        place = new_place()
        with Filter.restore(backup, place) as broken:
            interrupt(lambda broken=broken: call(broken), at)
            with Filter.open(place) as other:
                other.train(letter(99, "ham"), "ham")
                broken.train(letter(98, "ham"), "ham")
                assert broken.check() == other.check(), at
            assert broken.judge(letter(97, "ham")).best == "ham"
