"""Known faults of other Gaussian Naive Bayes implementations, each a test (1 to 14)."""

from __future__ import annotations

import numpy as np
import pytest
from cases import Case, each

from bayleaf import GaussianNB

RNG = np.random.default_rng


def test_trap_01_float32_accumulation() -> None:
    """A million float32 rows near 1000.5 have the moments of their doubles, rounded to float32 at the end."""
    X = (1000.5 + RNG(0).normal(size=(1_000_000, 1))).astype(np.float32)
    nb = GaussianNB(var_smoothing=0.0).fit(X, np.zeros(len(X)))
    np.testing.assert_allclose(nb.theta_[0, 0], X.astype(float).mean(), rtol=1e-7)
    np.testing.assert_allclose(nb.var_[0, 0], X.astype(float).var(), rtol=1e-7)
    double = GaussianNB(var_smoothing=0.0).fit(X.astype(float), np.zeros(len(X)))
    np.testing.assert_array_equal(nb.predict_joint_log_proba(X[:9]), double.predict_joint_log_proba(X[:9]))


@each()
def test_trap_02_counts_past_two_to_the_24(case: Case) -> None:
    X, y = case.random(9)
    X = X.astype(np.float32)
    nb = case.make().fit(X, y, np.full(9, 2.0**24))
    before = nb.class_count_.copy()
    nb.partial_fit(X[:3], y[:3])
    np.testing.assert_array_equal(nb.class_count_ - before, [1, 1, 1])
    assert nb.class_count_.dtype == np.float64


def test_trap_02_feature_counts_past_two_to_the_24() -> None:
    from bayleaf import MultinomialNB

    X = np.full((2, 1), 2.0**24, dtype=np.float32)
    nb = MultinomialNB().fit(X, [0, 1]).partial_fit(np.ones((2, 1), dtype=np.float32), [0, 1])
    assert nb.feature_count_.tolist() == [[2.0**24 + 1]] * 2


def test_trap_03_float16_does_not_overflow() -> None:
    X = RNG(0).normal(300, 200, (500, 3)).astype(np.float16)
    y = np.arange(500) % 2
    half, double = GaussianNB().fit(X, y), GaussianNB().fit(X.astype(float), y)
    np.testing.assert_allclose(half.var_, double.var_, rtol=1e-12)
    assert np.isfinite(half.predict_proba(X)).all()


@pytest.mark.parametrize("scope", ["feature", "max"])
def test_trap_04_epsilon_is_not_of_the_batch(scope: str) -> None:
    """Row by row gives the epsilon_ of one fit, with a constant column too."""
    X, y = RNG(0).normal(size=(30, 3)), np.arange(30) % 2
    X[:, 1] = 5.0
    nb = GaussianNB(var_scope=scope, var_smoothing=1e-2)
    for i in range(30):
        nb.partial_fit(X[i : i + 1], y[i : i + 1], classes=[0, 1])
    whole = GaussianNB(var_scope=scope, var_smoothing=1e-2).fit(X, y)
    np.testing.assert_allclose(nb.epsilon_, whole.epsilon_, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(nb.var_, whole.var_, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(nb.predict_proba(X), whole.predict_proba(X), rtol=1e-9)


def test_trap_05_scale_coupling() -> None:
    """Multiplying and shifting a column changes nothing; scikit-learn's rule is there when asked for."""
    X, y = RNG(0).normal(size=(200, 3)), np.arange(200) % 2
    X[:, 0] += 4 * y
    scale, shift = np.array([1.0, 2.0**24, 2.0**-20]), np.array([0.0, 1000.0, 0.0])
    plain, scaled = (GaussianNB(var_scope="feature").fit(x, y) for x in (X, X * scale + shift))
    np.testing.assert_allclose(scaled.predict_proba(X * scale + shift), plain.predict_proba(X), rtol=1e-7)
    assert scaled.score(X * scale + shift, y) > 0.95
    assert np.shape(plain.epsilon_) == (3,)
    coupled = GaussianNB().fit(X * scale, y)
    assert np.shape(coupled.epsilon_) == ()
    assert coupled.epsilon_ == pytest.approx(1e-9 * (X * scale).var(axis=0).max())


def test_trap_06_tiny_weights_are_weights() -> None:
    X, y = RNG(0).normal(3, 1, (40, 2)), np.arange(40) % 2
    a, b = GaussianNB().fit(X, y), GaussianNB().fit(X, y, np.full(40, 1e-12))
    np.testing.assert_allclose(b.theta_, a.theta_, rtol=1e-12)
    np.testing.assert_allclose(b.var_, a.var_, rtol=1e-10)


def test_trap_07_epsilon_heeds_the_weights() -> None:
    X, y, w = np.array([[0.0], [1.0], [2.0], [3.0], [1e6]]), [0, 0, 1, 1, 1], [1, 1, 1, 1, 0]
    for scope in ("feature", "max"):
        ours, clean = GaussianNB(var_scope=scope).fit(X, y, w), GaussianNB(var_scope=scope).fit(X[:4], y[:4])
        np.testing.assert_allclose(ours.var_, clean.var_, rtol=1e-12)
        np.testing.assert_allclose(ours.var_, 0.25 + 1e-9 * 1.25, rtol=1e-12)


@pytest.mark.parametrize("scope", ["feature", "max"])
@pytest.mark.parametrize("n", [1, 3, 6])
def test_trap_08_constant_features_give_the_prior(scope: str, n: int) -> None:
    X, y = np.full((n, 2), 7.0), np.array([0, 1, 1, 0, 1, 1])[:n]
    nb = GaussianNB(var_scope=scope).fit(X, y)
    np.testing.assert_allclose(nb.predict_proba(X), np.tile(nb.class_prior_, (n, 1)), rtol=1e-12)
    assert np.isfinite(nb.predict_proba([[7.0, 8.0], [-1e9, 7.0]])).all()


def test_trap_09_a_class_never_seen_gets_no_mass() -> None:
    X, y = RNG(0).normal(10, 1, (20, 2)), np.zeros(20, dtype=int)
    nb = GaussianNB(priors=[0.5, 0.5]).partial_fit(X, y, classes=[0, 1])
    new = np.array([[0.0, 0.0], [10.0, 10.0], [-5.0, 1e6]])
    np.testing.assert_array_equal(nb.predict_proba(new), [[1.0, 0.0]] * 3)


@pytest.mark.parametrize("x", [1e154, 1e155, 1e200, 1e300, -1e300])
def test_trap_10_far_points(x: float) -> None:
    """Far away the wider class wins, and the probabilities are finite."""
    rng = RNG(0)
    X = np.r_[rng.normal(0, 1, (50, 1)), rng.normal(0, 3, (50, 1))]
    nb = GaussianNB().fit(X, np.r_[np.zeros(50), np.ones(50)])
    proba = nb.predict_proba([[x]])
    assert not np.isnan(proba).any()
    np.testing.assert_allclose(proba, [[0.0, 1.0]])
    assert nb.predict([[x]]).tolist() == [1]
    assert not np.isnan(nb.predict_log_proba([[x]])).any()


@each()
def test_trap_11_negative_weights(case: Case) -> None:
    X, y = case.random(10)
    for call in (case.make().fit, case.make().partial_fit):
        extra = {"classes": [0, 1, 2]} if call.__name__ == "partial_fit" else {}
        with pytest.raises(ValueError, match=r"(?i)negative"):
            call(X, y, sample_weight=np.r_[-1.0, np.ones(9)], **extra)


@pytest.mark.parametrize("offset", [1e6, 1e8, 1e10, 1e12])
def test_trap_12_no_cancellation_far_from_zero(offset: float) -> None:
    X, y = offset + RNG(0).normal(size=(1000, 2)), np.arange(1000) % 2
    nb = GaussianNB(var_smoothing=0.0).fit(X, y)
    exact = [(X[y == c] - offset).var(axis=0) for c in (0, 1)]
    np.testing.assert_allclose(nb.var_, exact, rtol=1e-9)


def test_trap_12_no_cancellation_in_one_odd_first_row() -> None:
    """The first row need not be near the others."""
    X, y = 1e8 + RNG(0).normal(size=(1000, 1)), np.zeros(1000)
    X[0] = 0.0
    nb = GaussianNB(var_smoothing=0.0).fit(X, y)
    np.testing.assert_allclose(nb.var_[0], X.astype(np.longdouble).var(axis=0).astype(float), rtol=1e-12)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_trap_13_density_falls_with_distance(scale: float) -> None:
    X, y = RNG(0).normal(size=(100, 1)) * scale, np.arange(100) % 2
    nb = GaussianNB().fit(X, y)
    far = np.geomspace(5, 1e100, 200)[:, None] * scale
    for row in nb.predict_joint_log_proba(far).T:
        assert (np.diff(row) < 0).all()
    assert (np.diff(nb.score_samples(far)) < 0).all()


@each()
def test_trap_14_a_hundred_thousand_features(case: Case) -> None:
    if case.cell == "mixed":
        pytest.skip("its columns have fixed places")
    X, y = case.random(6, width=100_000)
    nb = case.make().fit(X, y)
    assert np.isfinite(nb.predict_joint_log_proba(X)).all()
    proba = nb.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    np.testing.assert_array_equal(nb.predict(X), y)
