"""`sum` of models is the model of all: what Python begins with is 0."""

from __future__ import annotations

from copy import copy

import numpy as np
import pytest
from models import FITTED


@pytest.mark.parametrize("name", FITTED)
def test_sum_adds_models_up(name: str) -> None:
    model, X, y = FITTED[name]
    one = copy(model).fit(X, y)
    many = sum([one, one, one])
    np.testing.assert_array_equal(many.class_count_, 3 * one.class_count_)
    alone = sum([one])
    alone.partial_fit(X, y)
    np.testing.assert_array_equal(2 * one.class_count_, alone.class_count_)  # a model of its own
    for other in (1, 0.0, False):
        with pytest.raises(TypeError, match="unsupported operand"):
            other + one
