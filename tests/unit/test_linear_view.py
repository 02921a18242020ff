"""coef_ and intercept_: the model as a linear classifier in log-odds."""

from __future__ import annotations

import numpy as np
import pytest
from cases import CASES, Case, each

LINEAR = {"MultinomialNB", "ComplementNB", "BernoulliNB", "PoissonNB"}


@each(linear=True)
def test_two_classes_have_one_row_of_log_odds(case: Case) -> None:
    X, y = case.random(60)
    X, y = X[y < 2], y[y < 2]
    nb = case.make().fit(X, y)
    assert nb.coef_.shape == (1, 4)
    assert nb.intercept_.shape == (1,)
    logs = nb.predict_log_proba(X)
    np.testing.assert_allclose(X @ nb.coef_[0] + nb.intercept_[0], logs[:, 1] - logs[:, 0], rtol=1e-9, atol=1e-9)


@each(linear=True)
def test_more_classes_have_a_row_each(case: Case) -> None:
    """Up to what all classes share, the rows give the joint scores."""
    X, y = case.random(60)
    nb = case.make().fit(X, y)
    assert nb.coef_.shape == (3, 4)
    scores, joint = X @ nb.coef_.T + nb.intercept_, nb.predict_joint_log_proba(X)
    np.testing.assert_allclose(scores - scores[:, :1], joint - joint[:, :1], rtol=1e-9, atol=1e-9)


def test_families_that_are_not_linear_have_no_coefficients() -> None:
    assert {c.name for c in CASES if c.linear} == LINEAR
    for case in CASES:
        if case.name == "GaussianNB":
            assert not hasattr(case.make().fit(*case.random(20)), "coef_")


@each()
@pytest.mark.parametrize("attribute", ["class_count_", "classes_", "n_features_in_", "coef_", "theta_"])
def test_fitted_attributes_need_a_fit(case: Case, attribute: str) -> None:
    assert not hasattr(case.make(), attribute)


@each()
def test_derived_attributes_are_read_only(case: Case) -> None:
    nb = case.make().fit(*case.random(20))
    with pytest.raises(AttributeError):
        nb.class_count_ = np.ones(3)
