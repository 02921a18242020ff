"""One small fitted model of every kind that a file can hold, with rows to ask it about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bayleaf

TEXTS = ["win money now", "cheap money offer", "lunch at noon?", "see you at lunch", "naïve café 猫が好き"]
KINDS = ["spam", "spam", "ham", "ham", "other"]
RECORDS: list[list[Any]] = [
    [1.5, "red", True, 2],
    [2.5, "green", 7, 0],
    [np.nan, "red", "x", 1],
    [4.0, None, 0.5, 3],
    [4.5, "blue \ud800", "x", 4],
]


@dataclass(frozen=True)
class Example:
    """A model, and what it was fitted on: rows that it can be asked about and that it can unlearn."""

    name: str
    model: Any
    X: Any
    y: Any

    @property
    def asked(self) -> np.ndarray:
        return self.model.predict_proba(self.X)


Y = np.array(["ham", "spam", "ham", "spam", "eggs"])
COUNTS = np.array([[2.0, 0, 1], [0, 3, 1], [4, 1, 1], [1, 2, 2], [0, 0, 5]])
HOLES = np.where(COUNTS == 3, np.nan, COUNTS)
WORDS = np.array([["red", "S"], ["green", "M"], ["red", "L"], ["blue", "S"], ["red", "S"]], dtype=object)
TABLE = {"size": ["1.5", "", "3", "2", "7"], "colour": ["red", None, "red", "blue", "é"], "note": TEXTS}
TABLE_KINDS = {"size": "number", "colour": "category", "note": "text"}
COLUMNS = {"gaussian": [0], "categorical": [1, 2], "poisson": [3]}
FITTED: dict[str, tuple[Any, Any, Any]] = {  # every kind, and most states that a kind can be in
    "GaussianNB": (bayleaf.GaussianNB(), HOLES, Y),
    "MultinomialNB": (bayleaf.MultinomialNB(alpha="auto"), COUNTS, Y == "ham"),
    "ComplementNB": (bayleaf.ComplementNB(norm=True, alpha=np.array([1.0, 0.5, 2.0])), COUNTS, Y),
    "BernoulliNB": (bayleaf.BernoulliNB(binarize=1.0, class_prior=[0.25, 0.5, 0.25]), HOLES, [4, 2, 4, 2, 9]),
    "CategoricalNB": (bayleaf.CategoricalNB(min_categories=[3, 4, 2]), COUNTS % 2, [5.0, 1, 5, 1, -2]),
    "CategoricalNB-values": (bayleaf.CategoricalNB(unseen="smooth"), WORDS, Y),
    "PoissonNB": (bayleaf.PoissonNB(alpha=0.5), COUNTS, Y.astype(object)),
    "MixedNB": (bayleaf.MixedNB(families=COLUMNS), np.array(RECORDS, dtype=object), Y),
    "records": (bayleaf.RecordClassifier(TABLE_KINDS), TABLE, KINDS),
    "records-text": (bayleaf.RecordClassifier({"note": "text"}), {"note": TEXTS}, KINDS),
    "text": (bayleaf.TextClassifier(), TEXTS, KINDS),
    "text-textbook": (bayleaf.TextClassifier("words", family="multinomial", alpha="auto"), TEXTS, KINDS),
    "text-buckets": (bayleaf.TextClassifier("small", buckets=7, keep_text=False), TEXTS, KINDS),
}


@cache
def example(name: str) -> Example:
    """The example of this name, fitted once."""
    model, X, y = FITTED[name]
    return Example(name, model.fit(X, y), X, y)


def refused(path: Path, words: str | None = None) -> None:
    """A file is refused in a few words that name it."""
    with pytest.raises(bayleaf.BayleafError, match=words) as caught:
        bayleaf.load(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 1000
