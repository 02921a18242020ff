"""Worked examples as lectures and textbooks print them, with their numbers."""

from __future__ import annotations

import statistics
from math import exp, pi, sqrt

import numpy as np
import pytest

from bayleaf import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

WORDS = ["password", "review", "send", "us", "your", "account"]
MAILS = [
    ("send us your password", "spam"),
    ("send us your review", "ham"),
    ("review password", "ham"),
    ("review us", "spam"),
    ("send your password", "spam"),
    ("send us your account", "spam"),
]
Y6 = [label for _, label in MAILS]


def bag(text: str, words: list[str]) -> list[int]:
    return [text.split().count(w) for w in words]


X6 = np.array([bag(text, WORDS) for text, _ in MAILS])
REVIEW_US = np.array([bag("review us now", WORDS)])  # "now" is not in the vocabulary


def test_six_mails_likelihoods() -> None:
    nb = BernoulliNB(alpha=0.0).fit(X6, Y6)
    assert nb.classes_.tolist() == ["ham", "spam"]
    np.testing.assert_allclose(np.exp(nb.class_log_prior_), [2 / 6, 4 / 6])
    np.testing.assert_allclose(np.exp(nb.feature_log_prob_[1]), [2 / 4, 1 / 4, 3 / 4, 3 / 4, 3 / 4, 1 / 4])
    np.testing.assert_allclose(np.exp(nb.feature_log_prob_[0]), [1 / 2, 2 / 2, 1 / 2, 1 / 2, 1 / 2, 0 / 2])


def test_six_mails_posterior() -> None:
    """P(ham | review us) = 0.0208 / (0.0208 + 0.0029), without smoothing."""
    nb = BernoulliNB(alpha=0.0).fit(X6, Y6)
    ham, spam = np.exp(nb.predict_joint_log_proba(REVIEW_US)[0])
    assert round(spam / (4 / 6), 4) == 0.0044
    assert round(ham / (2 / 6), 4) == 0.0625
    assert (round(ham, 4), round(spam, 4)) == (0.0208, 0.0029)
    assert nb.predict_proba(REVIEW_US)[0, 0] == pytest.approx(0.0625 / 3 / (0.0625 / 3 + 0.00439453125 * 2 / 3))
    assert round(nb.predict_proba(REVIEW_US)[0, 0], 2) == 0.88
    assert nb.predict(REVIEW_US).tolist() == ["ham"]


CHINA = [
    ("Chinese Beijing Chinese", "yes"),
    ("Chinese Chinese Shanghai", "yes"),
    ("Chinese Macao", "yes"),
    ("Tokyo Japan Chinese", "no"),
]
CITIES = ["Beijing", "Chinese", "Japan", "Macao", "Shanghai", "Tokyo"]
X4, Y4 = np.array([bag(t, CITIES) for t, _ in CHINA]), [label for _, label in CHINA]
TEST_MAIL = np.array([bag("Chinese Chinese Chinese Tokyo Japan", CITIES)])


def test_laplace_multinomial() -> None:
    """Manning, Raghavan, Schuetze: Introduction to Information Retrieval, example 13.1."""
    nb = MultinomialNB().fit(X4, Y4)
    theta = dict(zip(CITIES, np.exp(nb.feature_log_prob_).T, strict=True))
    np.testing.assert_allclose(theta["Chinese"], [2 / 9, 6 / 14])
    np.testing.assert_allclose(theta["Tokyo"], [2 / 9, 1 / 14])
    np.testing.assert_allclose(theta["Japan"], [2 / 9, 1 / 14])
    no, yes = np.exp(nb.predict_joint_log_proba(TEST_MAIL)[0])
    assert yes == pytest.approx(3 / 4 * (3 / 7) ** 3 / 14 / 14)
    assert no == pytest.approx(1 / 4 * (2 / 9) ** 5)
    np.testing.assert_allclose(nb.predict_proba(TEST_MAIL)[0], [0.3102, 0.6898], atol=5e-5)


def test_laplace_bernoulli() -> None:
    """The same book, example 13.2: now the document is not about China."""
    nb = BernoulliNB().fit(X4, Y4)
    no, yes = np.exp(nb.predict_joint_log_proba(TEST_MAIL)[0])
    assert yes == pytest.approx(3 / 4 * 4 / 5 * 1 / 5 * 1 / 5 * (1 - 2 / 5) ** 3)
    assert no == pytest.approx(1 / 4 * (2 / 3) ** 3 * (1 - 1 / 3) ** 3)
    assert (round(yes, 3), round(no, 3)) == (0.005, 0.022)
    assert nb.predict(TEST_MAIL).tolist() == ["no"]


ADULTS = [(180, 80), (165, 60), (172, 75), (190, 95)]
CHILDREN = [(100, 16), (110, 19), (120, 23), (95, 14), (130, 28), (140, 35)]
CHILDREN += [(105, 18), (115, 21), (125, 25), (135, 30), (150, 42), (90, 13)]


def bell(x: float, mean: float, var: float) -> float:
    return exp(-((x - mean) ** 2) / (2 * var)) / sqrt(2 * pi * var)


def test_height_and_weight_of_adults_and_children() -> None:
    """Priors 4/16 = 0.25 and 12/16 = 0.75; each likelihood is a product of two bells."""
    X, y = np.array(ADULTS + CHILDREN, dtype=float), ["adult"] * 4 + ["child"] * 12
    nb = GaussianNB(var_smoothing=0.0).fit(X, y)
    np.testing.assert_array_equal(nb.class_prior_, [0.25, 0.75])
    somebody = (158.0, 48.0)
    scores = []
    for prior, group in ((0.25, ADULTS), (0.75, CHILDREN)):
        columns = list(zip(*group, strict=True))
        bells = [bell(x, statistics.fmean(c), statistics.pvariance(c)) for x, c in zip(somebody, columns, strict=True)]
        scores.append(prior * bells[0] * bells[1])
    np.testing.assert_allclose(np.exp(nb.predict_joint_log_proba([somebody])[0]), scores, rtol=1e-12)
    np.testing.assert_allclose(nb.predict_proba([somebody])[0], [s / sum(scores) for s in scores], rtol=1e-12)
    np.testing.assert_allclose(nb.theta_[0], [statistics.fmean(c) for c in zip(*ADULTS, strict=True)])
    np.testing.assert_allclose(nb.var_[1], [statistics.pvariance(c) for c in zip(*CHILDREN, strict=True)])


def test_three_coins_one_missing() -> None:
    """The third coin was not looked at: both of its sides are possible, and their probabilities sum to one."""
    X = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0], [1, 0, 1]], dtype=float)
    y = ["bent", "bent", "bent", "fair", "fair", "fair", "fair"]
    seen = np.array([[1, 0, np.nan]])
    bent, fair = 3 / 7 * (3 + 1) / (3 + 2) * (1 + 1) / (3 + 2), 4 / 7 * (1 + 1) / (4 + 2) * (3 + 1) / (4 + 2)
    for nb in (BernoulliNB(), CategoricalNB()):
        nb.fit(X, y)
        np.testing.assert_allclose(np.exp(nb.predict_joint_log_proba(seen)[0]), [bent, fair], rtol=1e-12)
        both = np.exp(nb.predict_joint_log_proba([[1, 0, 0], [1, 0, 1]])).sum(axis=0)
        np.testing.assert_allclose(both, [bent, fair], rtol=1e-12)
        np.testing.assert_allclose(nb.predict_proba(seen)[0], [bent / (bent + fair), fair / (bent + fair)])


def test_matrix_form() -> None:
    """Theta = normalise(Y^T X) and pi = normalise(Y^T 1), Y being the one-hot labels."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (30, 6)), rng.permutation(30) % 3
    Y = np.eye(3)[y]
    nb = MultinomialNB(alpha=0.0).fit(X, y)
    theta, pi_ = Y.T @ X, Y.sum(axis=0)
    np.testing.assert_array_equal(nb.feature_count_, theta)
    np.testing.assert_allclose(np.exp(nb.feature_log_prob_), theta / theta.sum(axis=1, keepdims=True), rtol=1e-12)
    np.testing.assert_allclose(np.exp(nb.class_log_prior_), pi_ / pi_.sum(), rtol=1e-12)
    np.testing.assert_allclose(
        nb.predict_joint_log_proba(X), X @ np.log(theta / theta.sum(axis=1, keepdims=True)).T + np.log(pi_ / 30)
    )


def test_log_odds_line() -> None:
    """f(x) = (log pi1 - log pi0) + x^T (log theta1 - log theta0); its sign decides."""
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 5, (40, 6)), rng.permutation(40) % 2
    nb = MultinomialNB().fit(X, y)
    intercept = nb.class_log_prior_[1] - nb.class_log_prior_[0]
    slope = nb.feature_log_prob_[1] - nb.feature_log_prob_[0]
    assert nb.coef_.shape == (1, 6)
    np.testing.assert_allclose(nb.intercept_, [intercept], atol=1e-12)
    np.testing.assert_allclose(nb.coef_[0], slope, rtol=1e-12, atol=1e-12)
    logs, line = nb.predict_log_proba(X), X @ slope + intercept
    np.testing.assert_allclose(logs[:, 1] - logs[:, 0], line, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(nb.predict(X), (line > 0).astype(int))
