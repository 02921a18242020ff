"""The five classes scikit-learn has give its numbers, to ten digits, on data where it is right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.naive_bayes as peer
from cases import BY_NAME, CASES, Case

PEERS = [c for c in CASES if c.peer]
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "GaussianNB": [{}, {"var_smoothing": 1e-2}, {"priors": [0.2, 0.3, 0.5]}],
    "MultinomialNB": [
        {},
        {"alpha": 0.1},
        {"fit_prior": False},
        {"class_prior": [0.2, 0.3, 0.5]},
        {"alpha": [1, 2, 3, 4.0]},
    ],
    "ComplementNB": [{}, {"alpha": 0.1}, {"norm": True}, {"fit_prior": False}, {"alpha": [1, 2, 3, 4.0]}],
    "BernoulliNB": [{}, {"alpha": 0.1}, {"binarize": None}, {"class_prior": [0.2, 0.3, 0.5]}],
    "CategoricalNB": [
        {},
        {"alpha": 0.1},
        {"min_categories": 5},
        {"min_categories": [3, 4, 5, 6]},
        {"fit_prior": False},
    ],
}
ATTRIBUTES = {
    "GaussianNB": ["theta_", "var_", "epsilon_", "class_prior_", "class_count_"],
    "MultinomialNB": ["feature_count_", "feature_log_prob_", "class_log_prior_", "class_count_"],
    "ComplementNB": ["feature_count_", "feature_log_prob_", "feature_all_", "class_log_prior_", "class_count_"],
    "BernoulliNB": ["feature_count_", "feature_log_prob_", "class_log_prior_", "class_count_"],
    "CategoricalNB": ["category_count_", "feature_log_prob_", "n_categories_", "class_log_prior_", "class_count_"],
}
PAIRS = [pytest.param(c, s, id=f"{c.name}-{s}") for c in PEERS for s in SETTINGS[c.name]]


def close(got: Any, want: Any) -> None:
    if isinstance(want, list):
        assert len(got) == len(want)
        for g, v in zip(got, want, strict=True):
            close(g, v)
    else:
        np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-13)
        assert np.shape(got) == np.shape(want)


def both(case: Case, settings: dict[str, Any]) -> tuple[Any, Any]:
    mode = {"var_scope": "max"} if case.name == "GaussianNB" else {}
    theirs = getattr(peer, case.peer or "")(**settings)
    ours = type(case.make())(**settings, **mode)
    return ours, theirs


@pytest.mark.parametrize(("case", "settings"), PAIRS)
@pytest.mark.parametrize("seed", range(3))
def test_scores_and_attributes(case: Case, settings: dict[str, Any], seed: int) -> None:
    X, y = case.random(80, seed=seed)
    labels = np.array(["ham", "spam", "x"])[y]
    ours, theirs = both(case, settings)
    ours.fit(X, labels)
    theirs.fit(X, labels)
    new, _ = case.random(40, seed=seed + 10)
    close(ours.predict_joint_log_proba(new), theirs.predict_joint_log_proba(new))
    close(ours.predict_log_proba(new), theirs.predict_log_proba(new))
    close(ours.predict_proba(new), theirs.predict_proba(new))
    clear = [len(set(row)) == 3 for row in theirs.predict_joint_log_proba(new)]  # ours breaks ties by class size
    assert ours.predict(new)[clear].tolist() == theirs.predict(new)[clear].tolist()
    for name in ATTRIBUTES[case.name]:
        close(getattr(ours, name), getattr(theirs, name))
    assert ours.classes_.tolist() == theirs.classes_.tolist()


@pytest.mark.parametrize("case", [c for c in PEERS if c.name != "GaussianNB"], ids=lambda c: c.name)
def test_weights(case: Case) -> None:
    X, y = case.random(80)
    w = np.random.default_rng(0).random(80)
    ours, theirs = both(case, {})
    close(ours.fit(X, y, w).predict_joint_log_proba(X), theirs.fit(X, y, w).predict_joint_log_proba(X))


def test_gaussian_weights() -> None:
    """Without smoothing: scikit-learn's epsilon_ ignores the weights."""
    X, y = BY_NAME["GaussianNB"].random(80)
    w = np.random.default_rng(0).random(80)
    ours, theirs = both(BY_NAME["GaussianNB"], {"var_smoothing": 0.0})
    close(ours.fit(X, y, w).predict_joint_log_proba(X), theirs.fit(X, y, w).predict_joint_log_proba(X))


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB", "BernoulliNB"])
def test_sparse(name: str) -> None:
    X, y = BY_NAME[name].random(80)
    S = sp.csr_array(X)
    ours, theirs = both(BY_NAME[name], {})
    close(ours.fit(S, y).predict_joint_log_proba(S), theirs.fit(S, y).predict_joint_log_proba(S))


@pytest.mark.parametrize("case", PEERS, ids=lambda c: c.name)
def test_parameters_of_scikit_learn_exist_with_the_same_defaults(case: Case) -> None:
    theirs = getattr(peer, case.peer or "")().get_params()
    ours = {k: v for k, v in type(case.make())().get_params().items() if k in theirs}
    assert ours == theirs


@pytest.mark.parametrize("case", PEERS, ids=lambda c: c.name)
def test_partial_fit(case: Case) -> None:
    X, y = case.random(90)
    ours, theirs = both(case, {"var_smoothing": 0.0} if case.name == "GaussianNB" else {"alpha": 0.5})
    for part in (slice(0, 30), slice(30, 31), slice(31, 90)):
        ours.partial_fit(X[part], y[part], classes=[0, 1, 2])
        theirs.partial_fit(X[part], y[part], classes=[0, 1, 2])
    close(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X))
