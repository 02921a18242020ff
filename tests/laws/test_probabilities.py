"""Probabilities are probabilities, and the parts of a score add up to it."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from cases import CODES, MENU, Case, data, each
from hypothesis import given
from hypothesis import strategies as st

import bayleaf


def assert_sane(nb: object, X: np.ndarray) -> None:
    proba, logs, joint = nb.predict_proba(X), nb.predict_log_proba(X), nb.predict_joint_log_proba(X)
    assert not np.isnan(proba).any()
    assert not np.isnan(logs).any()
    assert not np.isnan(joint).any()
    assert not np.isnan(nb.score_samples(X)).any()
    assert (proba >= 0).all()
    assert (logs <= 1e-15).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(np.exp(logs), proba, rtol=1e-12)
    chosen = np.searchsorted(nb.classes_, nb.predict(X))
    np.testing.assert_array_equal(proba[np.arange(len(X)), chosen], proba.max(axis=1))


@each()
@given(st.data())
def test_probabilities_sum_to_one(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case, missing=True))
    assert_sane(case.make().fit(X, y, w), X)


@each(menu=True)
@pytest.mark.parametrize("smoothing", MENU)
@pytest.mark.parametrize("alpha", [0.0, 1e-300, 0.5, 1.0])
@given(st.data())
def test_nothing_is_ever_nan(case: Case, smoothing: str, alpha: float, draw: st.DataObject) -> None:
    """Not with alpha = 0, not with rows or classes that hold nothing, not with impossible rows."""
    X, y, w = draw.draw(data(case, missing=True))
    X[y == 0] = 0.0
    new = np.vstack([X, draw.draw(data(case)).X[:, :1] * np.ones(X.shape[1])])
    nb = case.make(smoothing=smoothing, alpha=alpha).fit(X, y, w)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bayleaf.ImpossibleRowsWarning)
        assert_sane(nb, new)


@given(st.data())
def test_gaussian_is_never_nan(draw: st.DataObject) -> None:
    """Constant columns, single rows, columns nobody has seen, and new rows up to 1e300."""
    tame = st.one_of(st.sampled_from([0.0, 1.0, np.nan, 1e-300]), st.floats(-1e150, 1e150))  # squares are finite
    wild = st.one_of(tame, st.sampled_from([1e300, -1e300]), st.floats(-1e300, 1e300))
    n, d = draw.draw(st.integers(1, 6)), draw.draw(st.integers(1, 3))
    X = np.array(draw.draw(st.lists(st.lists(tame, min_size=d, max_size=d), min_size=n, max_size=n)))
    y = np.array(draw.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    scope = draw.draw(st.sampled_from(["feature", "max"]))
    nb = bayleaf.GaussianNB(var_scope=scope).fit(X, y)
    new = np.array(draw.draw(st.lists(st.lists(wild, min_size=d, max_size=d), min_size=1, max_size=4)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bayleaf.ImpossibleRowsWarning)
        proba = nb.predict_proba(np.vstack([X, new]))
    assert not np.isnan(proba).any()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-12)


@given(
    st.data(),
    st.integers(-540, -450) | st.integers(-700, 500),
    st.sampled_from(["feature", "max"]),
    st.sampled_from([1e-9, 0.0]),
)
def test_gaussian_scores_are_finite_in_any_unit(draw: st.DataObject, power: int, scope: str, smoothing: float) -> None:
    """And the same up to 2^480 (1e144): beyond that squares have fewer digits, and below 2^-537 none."""
    d = draw.draw(st.integers(1, 3))
    X = np.array(draw.draw(st.lists(st.lists(st.integers(-3, 3), min_size=d, max_size=d), min_size=2, max_size=6)))
    y = np.arange(len(X)) % 2
    plain, other = (
        bayleaf.GaussianNB(var_scope=scope, var_smoothing=smoothing).fit(rows, y) for rows in (X, X * 2.0**power)
    )
    assert np.isfinite(other.predict_joint_log_proba(X * 2.0**power)).all()
    assert np.isfinite(other.loo_predict_log_proba(X * 2.0**power, y)).any()
    if abs(power) <= (480 if smoothing else 430):  # FLOOR takes another 1e-30
        logs = plain.predict_log_proba(X), other.predict_log_proba(X * 2.0**power)
        np.testing.assert_allclose(*logs, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("scale", [1e-140, 1e-152, 1e-156, 1e-160, 1e152])
@pytest.mark.parametrize("smoothing", [1e-9, 0.0])
def test_a_class_that_is_constant_in_a_column_is_told_apart_in_any_unit(scale: float, smoothing: float) -> None:
    X, y = np.array([[0.0], [0.0], [1.0], [1.5], [2.0]]) * scale, np.array([0, 0, 1, 1, 1])
    nb = bayleaf.GaussianNB(var_smoothing=smoothing).fit(X, y)
    assert nb.predict(X).tolist() == y.tolist()
    assert np.isfinite(nb.predict_joint_log_proba(X)).all()


def test_classes_too_far_apart_to_be_squared_are_refused() -> None:
    with pytest.raises(bayleaf.BayleafError, match=r"from -1e\+155 to 1e\+155 in column 1.*Rescale"):
        bayleaf.GaussianNB().fit([[1.0, -1e155], [1.0, -1e155], [2.0, 1e155], [1.0, 1e155]], [0, 0, 1, 1])


@each()
@given(st.data())
def test_explanations_add_up_to_the_joint_score(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case, missing=True))
    nb = case.make().fit(X, y, w)
    explained = nb.explain(X)
    assert len(explained) == len(X)
    joint, proba = nb.predict_joint_log_proba(X), nb.predict_proba(X)
    for i, label in enumerate(nb.predict(X)):
        one = explained[i]
        total = np.array(one.prior) + sum((np.array(c.summands) for c in one.clues), np.zeros(len(nb.classes_)))
        np.testing.assert_allclose(total + one.rest, one.joint, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(one.joint, joint[i], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(one.posterior, proba[i], rtol=1e-9, atol=1e-12)
        assert one.predicted == label
        assert list(one.labels) == list(nb.classes_)


def compositions(total: int, parts: int) -> list[tuple[int, ...]]:
    return [x for x in itertools.product(range(total + 1), repeat=parts) if sum(x) == total]


SPACES = {  # every row there is (for counts: of a given length)
    "MultinomialNB": compositions(5, 3),
    "ComplementNB": compositions(5, 3),
    "BernoulliNB": list(itertools.product((0, 1), repeat=3)),
    "CategoricalNB": list(itertools.product(range(3), repeat=3)),
    "PoissonNB": list(itertools.product(range(40), repeat=3)),
    "GaussianNB": list(itertools.product(np.linspace(-12, 14, 53), repeat=3)),
}


@each()
def test_score_samples_is_a_normalised_probability(case: Case) -> None:
    """The probabilities of all rows there are sum to one (the Gaussian by quadrature)."""
    if case.cell == "mixed":
        nb = case.make(families={"bernoulli": [0], "categorical": [1], "poisson": [2]})
        space = list(itertools.product((0, 1), range(3), range(40)))
        rng = np.random.default_rng(0)
        X = np.column_stack([rng.integers(0, 2, 60), rng.permutation(60) % 3, rng.integers(0, 4, 60)]).astype(float)
        nb.fit(X, np.arange(60) % 2)
    else:
        nb, space = case.make().fit(*case.random(60, width=3)), SPACES[case.name]
    volume = 0.5**3 if case.name == "GaussianNB" else 1.0
    total = np.exp(nb.score_samples(np.array(space, dtype=float))).sum() * volume
    assert total == pytest.approx(1.0, rel=1e-6 if case.name == "GaussianNB" else 1e-9)


@each(menu=True)
@pytest.mark.parametrize("smoothing", MENU)
@given(st.data())
def test_score_samples_is_normalised_whatever_was_never_seen(case: Case, smoothing: str, draw: st.DataObject) -> None:
    """Also with outcomes that no class has seen, a class that has seen nothing, and another denominator."""
    X, y, w = draw.draw(data(case))
    X, width = X[:, :3], min(X.shape[1], 3)
    X[:, draw.draw(st.integers(0, width - 1))] = draw.draw(st.sampled_from([0.0, 1.0]))
    nb = case.make(smoothing=smoothing, alpha=draw.draw(st.sampled_from([0.0, 1e-3, 0.5, 1.0])), fit_prior=False)
    nb.set_params(denominator=draw.draw(st.sampled_from([None, 1.0, 5.0])) if smoothing == "lidstone" else None)
    nb.partial_fit(X, y, classes=range(4), sample_weight=w)
    outcomes = range(CODES if case.cell == "code" else 2)
    space = compositions(3, width) if case.cell == "count" else list(itertools.product(outcomes, repeat=width))
    assert np.exp(nb.score_samples(np.array(space, dtype=float))).sum() == pytest.approx(1.0, rel=1e-9)


@each()
def test_a_column_that_never_changes_changes_nothing(case: Case) -> None:
    """Appended to every row, a constant says nothing about the class (for counts: a word nobody used)."""
    if case.cell == "mixed":
        pytest.skip("its columns have fixed places")
    X, y = case.random(50)
    constant = np.full((50, 1), 7.0 if case.cell == "real" else 0.0)
    if case.cell in ("bit", "code"):
        constant[:] = 1.0
    wide = np.hstack([X, constant])
    params = {"alpha": 0.0} if case.menu else {}  # smoothing would spread mass over one more word
    if case.name == "PoissonNB":
        params = {"alpha": 0.0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bayleaf.ImpossibleRowsWarning)
        a, b = case.make(**params).fit(X, y), case.make(**params).fit(wide, y)
        np.testing.assert_allclose(b.predict_proba(wide), a.predict_proba(X), rtol=1e-9, atol=1e-12)
