"""scikit-learn's common checks: all seven classes, no expected failures, and none skipped on the quiet."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import sklearn.naive_bayes as peer
from cases import CASES, Case, each
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import bayleaf

# The checks fit categories that are not whole numbers; we cut them as scikit-learn does, and warn.
pytestmark = pytest.mark.filterwarnings("ignore::bayleaf.TruncatedCodesWarning")
ESTIMATORS = [getattr(bayleaf, case.name)() for case in CASES]
COUNTERPART = {"PoissonNB": "MultinomialNB", "MixedNB": "GaussianNB"}
# An estimator that accepts missing values is not asked to refuse them.
NOT_ASKED = {"check_estimators_nan_inf"}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda _: {}, xfail_strict=True)
def test_check(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


def passed(estimator: Any) -> Counter[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(estimator, on_skip=None, on_fail=None)
    return Counter(r["check_name"] for r in results if r["status"] == "passed")


@each()
def test_as_many_checks_ran_as_for_scikit_learn(case: Case) -> None:
    """By name and number: every check scikit-learn's class passes is one that ours passed too."""
    ours = passed(getattr(bayleaf, case.name)())
    theirs = passed(getattr(peer, COUNTERPART.get(case.name, case.name))())
    missing = {name: n - ours[name] for name, n in theirs.items() if ours[name] < n and name not in NOT_ASKED}
    assert missing == {}
    assert ours.total() >= theirs.total() - len(NOT_ASKED)


@each()
def test_missing_values_are_declared(case: Case) -> None:
    tags = getattr(bayleaf, case.name)().__sklearn_tags__()
    assert tags.input_tags.allow_nan
    assert tags.input_tags.sparse or not case.sparse
    assert tags.input_tags.positive_only == (case.cell in ("count", "code"))
    assert tags.classifier_tags.multi_class


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_parameters_survive_a_clone(estimator: Any) -> None:
    from sklearn.base import clone

    assert clone(estimator).get_params() == estimator.get_params()
