"""Errors call a column what its owner calls it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bayleaf import BayleafError, CategoricalNB, GaussianNB, MixedNB, MultinomialNB, RecordClassifier

TABLE = pd.DataFrame({"zoo": ["a", "b"] * 3, "age": [1.0, 2, 3] * 2, "kind": ["p", "q"] * 3, "count": [1, 2] * 3})
LABELS = [0, 1] * 3
FAMILIES = {"categorical": ["zoo", "kind"], "gaussian": ["age"], "multinomial": ["count"]}
KINDS = {"zoo": "category", "age": "number", "kind": "category", "count": "number"}


def mixed() -> MixedNB:
    return MixedNB(families=FAMILIES).fit(TABLE, LABELS)


def records() -> RecordClassifier:
    return RecordClassifier(KINDS).fit(TABLE, LABELS)


WRONG: list[tuple[str, Any, Callable[[pd.DataFrame], Any]]] = [
    ("count", -1, lambda bad: mixed().predict(bad)),
    ("age", np.inf, lambda bad: mixed().predict(bad)),
    ("kind", "new", lambda bad: mixed().unlearn(bad, LABELS)),
    ("kind", "q", lambda bad: mixed().unlearn(bad, LABELS)),
    ("count", 9, lambda bad: mixed().unlearn(bad, LABELS)),
    ("count", -1, lambda bad: MultinomialNB().fit(bad[["age", "count"]], LABELS)),
    ("count", np.inf, lambda bad: GaussianNB().fit(bad[["age", "count"]], LABELS)),
    (
        "kind",
        "q",
        lambda bad: CategoricalNB().fit(TABLE[["zoo", "kind"]], LABELS).unlearn(bad[["zoo", "kind"]], LABELS),
    ),
    ("count", 1 << 21, lambda bad: CategoricalNB().fit(bad[["age", "count"]], LABELS)),
    ("kind", "new", lambda bad: records().unlearn(bad, LABELS)),
    ("kind", "new", lambda bad: records().loo_predict_log_proba(bad, LABELS)),
    ("kind", "q", lambda bad: records().unlearn(bad, LABELS)),
    ("count", 1e160, lambda bad: records().partial_fit(bad, LABELS)),
]


@pytest.mark.parametrize(("column", "value", "call"), WRONG, ids=[f"{i}-{one[0]}" for i, one in enumerate(WRONG)])
def test_an_error_names_the_column(column: str, value: Any, call: Callable[[pd.DataFrame], Any]) -> None:
    with pytest.raises(BayleafError, match=rf"(?i)column {column}\b"):
        call(TABLE.assign(**{column: value}))


def test_numbers_far_from_those_learned_are_refused_also_when_they_would_leave_none() -> None:
    nb = GaussianNB().fit([[1.0], [2.0], [7.0]], [0, 0, 1])
    with pytest.raises(BayleafError, match="squared deviations"):
        nb.unlearn([[1e6], [2e6]], [0, 0])
    assert nb.unlearn([[2.0], [1.0]], [0, 0]).class_count_.tolist() == [0, 1]
