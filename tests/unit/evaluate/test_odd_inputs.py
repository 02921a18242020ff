"""Measures refuse what cannot be measured, and say what is wrong."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from bayleaf import BayleafError, MultinomialNB
from bayleaf.evaluate.curve import learning_curve
from bayleaf.evaluate.mistakes import worst
from bayleaf.evaluate.scores import measure

LOGS = np.log([[0.4, 0.6], [0.4, 0.6]])


def test_rows_without_a_label_and_labels_given_twice() -> None:
    with pytest.raises(BayleafError, match="rows without a label"):
        measure([0.0, 1.0], [0.0, np.nan], LOGS)
    with pytest.raises(BayleafError, match="expected each once"):
        measure(["a", "a"], ["a", "a"], LOGS)
    with pytest.raises(BayleafError, match="2 rows of probabilities and 1 labels"):
        worst(["a", "b"], ["a"], LOGS)


def test_a_curve_has_two_points_and_takes_any_sparse_matrix() -> None:
    X, y = sparse.coo_array(np.eye(20)), np.arange(20) % 2
    assert len(learning_curve(MultinomialNB, X, y, points=3)) == 2
    with pytest.raises(BayleafError, match="1 points"):
        learning_curve(MultinomialNB, X, y, points=1)
