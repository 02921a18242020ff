"""The text classifier among scikit-learn's tools."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from bayleaf import TextClassifier
from bayleaf.encoders.text import TextEncoder
from bayleaf.families.evidence import EvidenceTable

RNG = np.random.default_rng(0)
CODES = RNG.integers(0, 2, 200)
TEXTS = [" ".join(f"w{n + 20 * code * (n < 10)}" for n in RNG.integers(0, 20, 12)) for code in CODES]
LABELS = np.array(["ham", "spam"])[CODES].tolist()


def test_parameters() -> None:
    table = EvidenceTable.start((1, 2), 2)
    clf = TextClassifier(TextEncoder(seed=3), family="boolean", alpha="auto", table=table, buckets=5)
    other = clone(clf)
    assert other is not clf
    assert other.get_params() == clf.get_params()
    assert clone(other.set_params(alpha=2.0)).alpha == 2.0
    assert "family='boolean'" in repr(clf)
    with pytest.raises(ValueError, match="Invalid parameter"):
        clf.set_params(unknown=1)


def test_cross_validation_and_search() -> None:
    scores = cross_val_score(TextClassifier(), TEXTS, LABELS, cv=3)
    assert scores.mean() > 0.75
    assert cross_val_predict(TextClassifier("small"), TEXTS, LABELS, cv=3, method="predict_proba").shape == (200, 2)
    search = GridSearchCV(TextClassifier(), {"encoder": ["small", "default"], "family": ["evidence", "boolean"]}, cv=3)
    search.fit(np.array(TEXTS, dtype=object), LABELS)
    assert search.best_score_ > 0.75
    assert search.best_estimator_.predict(TEXTS[:2]).shape == (2,)
    grouped = cross_val_score(TextClassifier(), TEXTS, LABELS, groups=[i // 5 for i in range(200)], cv=GroupKFold(3))
    assert grouped.shape == (3,)


def test_in_a_pipeline_and_calibrated() -> None:
    lower = FunctionTransformer(lambda texts: [text.lower() for text in texts])
    pipeline = make_pipeline(lower, TextClassifier("small")).fit(TEXTS, LABELS)
    assert pipeline.score(TEXTS, LABELS) > 0.9
    calibrated = CalibratedClassifierCV(TextClassifier("small"), cv=2).fit(TEXTS, LABELS)
    assert calibrated.predict_proba(TEXTS).shape == (200, 2)


def test_a_score_and_its_names() -> None:
    clf = TextClassifier().fit(TEXTS, LABELS)
    assert clf.score(TEXTS, LABELS) > 0.9
    assert clf.__sklearn_tags__().input_tags.string
    np.testing.assert_allclose(clf.predict_log_proba(TEXTS), np.log(clf.predict_proba(TEXTS)))


@pytest.mark.parametrize("family", ["evidence", "multinomial"])
def test_another_n_jobs_is_heeded_after_the_first_answer(family: str) -> None:
    clf = TextClassifier(family=family, n_jobs=1).fit(["win money", "lunch at noon"], ["spam", "ham"])
    before = clf.predict_proba(["money at noon"])
    assert clf._reader().jobs == 1
    np.testing.assert_array_equal(clf.set_params(n_jobs=3).predict_proba(["money at noon"]), before)
    assert clf._reader().jobs == 3


def test_it_tells_how_many_texts_it_knows_as_other_estimators_do() -> None:
    clf = TextClassifier()
    assert not hasattr(clf, "class_count_")
    clf.fit(["a b", "c d", "c e"], ["x", "y", "y"])
    assert (clf + clf).unlearn(["c d"], ["y"]).class_count_.tolist() == [2.0, 3.0]
