"""Parameters that are set after fitting are checked by the next call, in the words of `fit`."""

from __future__ import annotations

from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bayleaf import (
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    MixedNB,
    MultinomialNB,
    PoissonNB,
    RecordClassifier,
    TextClassifier,
)

X, Y = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]]), list("abab")
TEXTS = ["one two", "two three", "one one", "three"]
RECORDS = {"size": [1.5, 2.5, 1.25, 3.5], "note": TEXTS}
WRONG: list[tuple[Any, dict[str, Any]]] = [
    *((MultinomialNB(), wrong) for wrong in (
        {"alpha": -1}, {"alpha": "best"}, {"alpha": [1.0, 2.0]}, {"force_alpha": "yes"}, {"smoothing": "best"},
        {"denominator": -1}, {"smoothing": "background", "denominator": 2}, {"new_labels": "maybe"},
        {"fit_prior": "yes"}, {"class_prior": [1.0]}, {"class_prior": [0.5, 0.6]},
    )),
    *((CategoricalNB(), {"min_categories": wrong}) for wrong in ("many", 0, [1.5] * 3, [2], 1 << 30)),
    (CategoricalNB(), {"unseen": "best"}),
    *((GaussianNB(), wrong) for wrong in ({"var_smoothing": -1}, {"var_scope": "all"}, {"priors": [0.1]})),
    *((MixedNB(), wrong) for wrong in ({"alpha": -1}, {"unseen": "best"}, {"families": 3})),
    (PoissonNB(), {"alpha": -1}),
    (BernoulliNB(), {"binarize": -1}),
    *((TextClassifier(), wrong) for wrong in (
        {"alpha": -1}, {"fit_prior": "yes"}, {"n_jobs": "all"}, {"family": "best"}, {"keep_text": 3},
        {"encoder": "best"}, {"class_prior": [1.0]}, {"smoothing": "absolute"},
    )),
    *((RecordClassifier(), wrong) for wrong in ({"encoder": "best"}, {"n_jobs": "all"}, {"columns": 3})),
    (RecordClassifier({"note": "ignore"}), {"encoder": "best"}),
]  # fmt: skip


def rows(model: Any) -> Any:
    return {TextClassifier: TEXTS, RecordClassifier: RECORDS}.get(type(model), X)


@pytest.mark.parametrize(("model", "wrong"), WRONG, ids=str)
@pytest.mark.parametrize("by", ["set_params", "setattr"])
def test_a_wrong_parameter_is_refused_as_by_fit(model: Any, wrong: dict[str, Any], by: str, tmp_path: Path) -> None:
    given = rows(model)
    fitted = copy(model).fit(given, Y)
    count, known = fitted.class_count_.tolist(), fitted.predict_proba(given)
    before = {name: getattr(fitted, name) for name in wrong}
    for name, value in wrong.items():
        fitted.set_params(**{name: value}) if by == "set_params" else setattr(fitted, name, value)
    with pytest.raises(ValueError, match=r"\S") as words:
        copy(fitted).fit(given, Y)
    path = tmp_path / "model"
    calls = {"predict": (given,), "partial_fit": (given, Y), "unlearn": (given, Y), "save": (path,)}
    for verb, arguments in calls.items():
        with pytest.raises(ValueError, match=r"\S") as refused:
            getattr(fitted, verb)(*arguments)
        assert str(refused.value) == str(words.value), verb
    assert not path.exists()
    assert fitted.class_count_.tolist() == count
    np.testing.assert_array_equal(fitted.set_params(**before).predict_proba(given), known)


def test_priors_of_labels_that_are_to_come_may_be_given_beforehand() -> None:
    nb = MultinomialNB(new_labels="grow").fit(X, Y).set_params(class_prior=[0.2, 0.3, 0.5])
    assert nb.partial_fit(X[:1], ["c"]).class_log_prior_[2] == np.log(0.5)
