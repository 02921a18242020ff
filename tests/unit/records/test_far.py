"""Numbers so far from a constant column that their scores overflow when they are multiplied."""

import numpy as np

from bayleaf import RecordClassifier


def test_a_lone_number_beside_a_constant_column() -> None:
    X = {"size": [0.0, 61.0, 1.0], "colour": [None, None, None]}
    clf = RecordClassifier(columns={"size": "number", "colour": "category"}).fit(X, ["ham", "spam", "spam"])
    assert np.isfinite(clf.predict_proba(X)).all()
