"""Rows drawn from a model have the model's own statistics."""

from __future__ import annotations

import numpy as np
import pytest
from cases import BY_NAME, CODES, Case, each

N = 40_000
NEAR = 0.03  # about 3.5 standard errors of the rarest case here


def by_class(nb: object, seed: int = 0) -> list[np.ndarray]:
    X, y = nb.sample(N, random_state=seed)
    assert X.shape == (N, nb.n_features_in_)
    return [np.asarray(X, dtype=float)[np.asarray(y) == c] for c in nb.classes_]


@each()
def test_classes_come_in_the_proportions_of_the_prior(case: Case) -> None:
    X, y = case.random(90)
    nb = case.make().fit(X, np.array(["a", "b", "c"])[y])
    _, labels = nb.sample(N, random_state=1)
    shares = [np.mean(labels == c) for c in nb.classes_]
    np.testing.assert_allclose(shares, nb.class_count_ / nb.class_count_.sum(), atol=NEAR)


@each()
def test_a_seed_gives_the_same_rows_again(case: Case) -> None:
    nb = case.make().fit(*case.random(50))
    (X, y), (X2, y2), (X3, _) = (nb.sample(50, random_state=s) for s in (7, 7, 8))
    np.testing.assert_array_equal(np.asarray(X, dtype=float), np.asarray(X2, dtype=float))
    np.testing.assert_array_equal(y, y2)
    assert not np.array_equal(np.asarray(X, dtype=float), np.asarray(X3, dtype=float))
    from_generator = nb.sample(50, random_state=np.random.RandomState(7))
    assert from_generator[0].shape == (50, nb.n_features_in_)


@each()
def test_one_row_is_the_default(case: Case) -> None:
    X, y = case.make().fit(*case.random(50)).sample()
    assert X.shape[0] == len(y) == 1


@each()
def test_samples_can_be_learned_again(case: Case) -> None:
    """A model fitted on its own samples predicts like the original."""
    X, y = case.random(200)
    nb = case.make().fit(X, y)
    again = case.make().fit(*nb.sample(N, random_state=2))
    np.testing.assert_allclose(again.predict_proba(X), nb.predict_proba(X), atol=0.25)
    assert np.mean(again.predict(X) == nb.predict(X)) > 0.9


def test_gaussian_moments() -> None:
    nb = BY_NAME["GaussianNB"].make().fit(*BY_NAME["GaussianNB"].random(90))
    for rows, mean, var in zip(by_class(nb), nb.theta_, nb.var_, strict=True):
        np.testing.assert_allclose(rows.mean(axis=0), mean, atol=2 * NEAR)
        np.testing.assert_allclose(rows.var(axis=0), var, rtol=2 * NEAR)


def test_poisson_rates() -> None:
    nb = BY_NAME["PoissonNB"].make().fit(*BY_NAME["PoissonNB"].random(90))
    for rows, rate in zip(by_class(nb), nb.theta_, strict=True):
        np.testing.assert_allclose(rows.mean(axis=0), rate, rtol=2 * NEAR)
        np.testing.assert_allclose(rows.var(axis=0), rate, rtol=3 * NEAR)


def test_bernoulli_frequencies() -> None:
    nb = BY_NAME["BernoulliNB"].make().fit(*BY_NAME["BernoulliNB"].random(90))
    for rows, logs in zip(by_class(nb), nb.feature_log_prob_, strict=True):
        assert set(np.unique(rows)) == {0.0, 1.0}
        np.testing.assert_allclose(rows.mean(axis=0), np.exp(logs), atol=NEAR)


def test_categorical_frequencies() -> None:
    nb = BY_NAME["CategoricalNB"].make().fit(*BY_NAME["CategoricalNB"].random(90))
    for c, rows in enumerate(by_class(nb)):
        for f, table in enumerate(nb.feature_log_prob_):
            shares = [np.mean(rows[:, f] == v) for v in range(table.shape[1])]
            np.testing.assert_allclose(shares, np.exp(table[c]), atol=NEAR)


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB"])
def test_word_shares(name: str) -> None:
    """The complement draws from the multinomial view of its tally."""
    X, y = BY_NAME[name].random(90)
    nb, plain = BY_NAME[name].make().fit(X, y), BY_NAME["MultinomialNB"].make().fit(X, y)
    for rows, logs in zip(by_class(nb), plain.feature_log_prob_, strict=True):
        assert (rows >= 0).all()
        assert (rows == np.round(rows)).all()
        np.testing.assert_allclose(rows.sum(axis=0) / rows.sum(), np.exp(logs), atol=NEAR)


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB", "BernoulliNB", "CategoricalNB"])
def test_another_denominator_draws_the_same_rows(name: str) -> None:
    """It only says by how much the smoothed shares miss 1."""
    plain, other = (BY_NAME[name].make(denominator=m).fit(*BY_NAME[name].random(90)) for m in (None, 1.0))
    (X, y), (Z, z) = (nb.sample(200, random_state=0) for nb in (plain, other))
    np.testing.assert_array_equal(X, Z)
    np.testing.assert_array_equal(y, z)


@pytest.mark.parametrize("smoothing", ["background", "jelinek-mercer", "absolute"])
@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB", "BernoulliNB", "CategoricalNB"])
def test_what_no_class_has_seen_is_not_drawn(name: str, smoothing: str) -> None:
    """With a background such an outcome says nothing in a posterior; the others are drawn by their shares."""
    X, y = BY_NAME[name].random(90)
    room = {"min_categories": 7} if name == "CategoricalNB" else {}
    nb = BY_NAME[name].make(smoothing=smoothing, alpha=0.5, **room).fit(np.hstack([X, np.zeros((90, 1))]), y)
    assert nb.score_samples([[0, 0, 0, 0, 1]])[0] == -np.inf
    for c, rows in enumerate(by_class(nb)):
        assert not rows[:, -1].any()
        if name == "CategoricalNB":
            assert rows.max() < CODES
            shares, logs = [np.mean(rows[:, 0] == v) for v in range(CODES)], nb.feature_log_prob_[0][c, :CODES]
        elif name == "BernoulliNB":
            shares, logs = rows[:, :-1].mean(axis=0), nb.feature_log_prob_[c, :-1]
        else:
            plain = BY_NAME["MultinomialNB"].make(smoothing=smoothing, alpha=0.5).fit(X, y)
            shares, logs = rows[:, :-1].sum(axis=0) / rows.sum(), plain.feature_log_prob_[c]
        np.testing.assert_allclose(shares, np.exp(logs), atol=NEAR)
