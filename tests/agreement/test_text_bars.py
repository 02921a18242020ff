"""`TextClassifier()` on real corpora: accuracy, log loss and calibration reach what the prototype promised."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from bayleaf import TextClassifier

DATA = Path(os.environ.get("BAYLEAF_CORPORA", Path(__file__).parents[3] / "shared" / "data"))
pytestmark = pytest.mark.slow


def lines(archive: str, name: str) -> tuple[list[str], list[str]]:
    """Texts and labels of a file of `label<TAB>text`."""
    path = DATA / f"{archive}.tar.xz"
    if not path.exists():
        pytest.skip(f"{path} is not there; set BAYLEAF_CORPORA to the folder that holds it")
    with tarfile.open(path) as members:
        member = next(member for member in members if member.name.endswith(name))
        rows = [row.split("\t", 1) for row in members.extractfile(member).read().decode("utf-8").split("\n") if row]
    return [text for _, text in rows], [label for label, _ in rows]


def figures(proba: np.ndarray, codes: np.ndarray) -> tuple[float, float, float]:
    """Accuracy, log loss and expected calibration error in 15 bins."""
    sure, right = proba.max(axis=1), proba.argmax(axis=1) == codes
    bins = np.minimum((sure * 15).astype(int), 14)
    gaps = [abs(sure[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean() for b in np.unique(bins)]
    return right.mean(), -np.log(proba[np.arange(len(codes)), codes]).mean(), sum(gaps)


def test_r8() -> None:
    texts, labels = lines("reuters_r8", "train.txt")
    asked, answers = lines("reuters_r8", "test.txt")
    clf = TextClassifier().fit(texts, labels)
    accuracy, loss, ece = figures(clf.predict_proba(asked), np.searchsorted(clf.classes_, answers))
    assert accuracy >= 0.971
    assert loss <= 0.09
    assert ece <= 0.015


def test_sms() -> None:
    """Without duplicates, stratified ten-fold with seed 0."""
    texts, labels = lines("sms_spam", "SMSSpamCollection")
    first = dict(zip(reversed(texts), reversed(labels), strict=True))
    texts = list(dict.fromkeys(texts))
    codes = np.array([first[text] == "spam" for text in texts]).astype(int)
    proba = np.zeros((len(texts), 2))
    for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(texts, codes):
        clf = TextClassifier().fit([texts[i] for i in train], codes[train])
        proba[test] = clf.predict_proba([texts[i] for i in test])
    accuracy, loss, ece = figures(proba, codes)
    assert accuracy >= 0.989
    assert loss <= 0.042
    assert ece <= 0.012
