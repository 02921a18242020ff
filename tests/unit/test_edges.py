"""Corners that were wrong once."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from bayleaf import (
    BadValueError,
    BayleafError,
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    MismatchError,
    MixedNB,
    MultinomialNB,
    NegativeCountError,
    PoissonNB,
)

RNG = np.random.default_rng(0)
COUNTS, LABELS = RNG.integers(0, 5, (60, 6)), np.arange(60) % 3
BACKGROUNDS = ["background", "jelinek-mercer", "absolute"]


def test_labels_beyond_signed_integers() -> None:
    labels = np.array([0, 1, 1], dtype=np.uint64) + np.uint64(2**63)
    nb = GaussianNB().fit([[1.0], [5.0], [6.0]], labels)
    assert nb.predict([[5.5], [1.0]]).tolist() == [2**63 + 1, 2**63]


@pytest.mark.parametrize("smoothing", BACKGROUNDS)
def test_a_column_nobody_has_seen_says_nothing(smoothing: str) -> None:
    nb = MultinomialNB(smoothing=smoothing, alpha=0.5).fit([[9, 0, 0], [0, 9, 0]], [0, 1])
    np.testing.assert_allclose(nb.predict_proba([[9, 0, 1]]), nb.predict_proba([[9, 0, 0]]), rtol=1e-12)


@pytest.mark.parametrize("smoothing", BACKGROUNDS)
def test_auto_chooses_well_where_every_row_has_a_word_of_its_own(smoothing: str) -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 400)
    words = rng.poisson(np.where(y[:, None] == np.arange(8) % 2, 1.2, 0.8))
    X = sparse.hstack([sparse.csr_matrix(words), sparse.identity(400)]).tocsr()
    nb = MultinomialNB(alpha="auto", smoothing=smoothing).fit(X[:300], y[:300])
    plain = MultinomialNB().fit(X[:300], y[:300])
    assert nb.score(X[300:], y[300:]) >= plain.score(X[300:], y[300:]) - 0.05


def test_auto_forgets_with_fit_and_refuses_before_counting() -> None:
    nb = MultinomialNB(alpha="auto").fit(COUNTS, RNG.permutation(LABELS)).fit(COUNTS, LABELS)
    assert nb.alpha_ == MultinomialNB(alpha="auto").fit(COUNTS, LABELS).alpha_
    nb.class_prior = [0.5, 0.5]
    with pytest.raises(ValueError, match="Number of priors"):
        nb.partial_fit(COUNTS, LABELS)
    assert nb.class_count_.sum() == 60


def test_a_sum_shares_nothing_with_its_parts() -> None:
    gapped = np.where(np.arange(360).reshape(60, 6) == 0, np.nan, COUNTS)
    part = BernoulliNB().fit(gapped, LABELS)
    whole = part + BernoulliNB().fit(COUNTS, LABELS)
    before = part.feature_log_prob_
    whole.partial_fit(np.full((20, 6), np.nan), np.zeros(20, dtype=int))
    np.testing.assert_array_equal(part.feature_log_prob_, before)


def test_leave_one_out_with_room_for_the_unseen() -> None:
    X, y = np.array([[0, 1], [1, 0], [2, 1], [0, 0]]), [0, 1, 0, 1]
    nb = CategoricalNB(unseen="smooth", min_categories=3).fit(X, y)
    rest = CategoricalNB(unseen="smooth", min_categories=3).partial_fit(X[1:], y[1:], classes=[0, 1])
    np.testing.assert_allclose(nb.loo_predict_log_proba(X, y)[0], rest.predict_log_proba(X[:1])[0], rtol=1e-9)


def test_discounting_fractions_gives_probabilities() -> None:
    nb = MultinomialNB(smoothing="absolute", alpha=0.9).fit([[0.1, 0.2, 0.3], [0.3, 0.1, 0]], [0, 1])
    np.testing.assert_allclose(np.exp(nb.feature_log_prob_).sum(axis=1), 1, rtol=1e-12)


def test_unlearning_an_absence_that_was_never_learned_is_refused() -> None:
    with pytest.raises(NegativeCountError):
        BernoulliNB().fit([[1], [1], [0]], [0, 0, 1]).unlearn([[0]], [0])
    with pytest.raises(NegativeCountError):
        CategoricalNB().fit([[1.0], [1.0], [0.0]], [0, 0, 1]).unlearn([[np.nan]], [0])


@pytest.mark.parametrize("estimator", [MultinomialNB, ComplementNB])
def test_counts_that_would_overflow_are_refused(estimator: type) -> None:
    with pytest.raises(ValueError, match="too large"):
        estimator().fit([[1e308, 1], [1e308, 2], [1, 1]], [0, 0, 1])
    with pytest.raises(ValueError, match="too large"):
        estimator().fit([[1, 9], [5, 2]], [0, 1]).predict_proba([[1e308, 1e308]])
    with pytest.raises(ValueError, match="sample weight"):
        estimator().fit(COUNTS, LABELS, sample_weight=np.full(60, 1e308))


def test_unknown_strings_among_spare_categories() -> None:
    nb = CategoricalNB(min_categories=3).fit([["a"], ["b"], ["b"]], [0, 1, 1])
    np.testing.assert_allclose(nb.predict_proba([["z"]]), [[1 / 3, 2 / 3]], rtol=1e-12)
    assert set(nb.sample(50, 0)[0].ravel()) <= {"a", "b", None}
    with pytest.raises(ValueError, match="'z'"):
        nb.set_params(unseen="error").predict([["z"]])


@pytest.mark.parametrize("estimator", [CategoricalNB, GaussianNB, MixedNB])
def test_a_column_that_was_always_missing_is_drawn_as_missing(estimator: Any) -> None:
    drawn = estimator().fit([[0, np.nan], [1, np.nan]], [0, 1]).sample(5, 0)[0]
    assert np.isnan(drawn[:, 1]).all()
    assert not np.isnan(drawn[:, 0]).any()


@pytest.mark.parametrize("strange", [[np.nan, 1.0], [0.5, 1.0]])
def test_labels_that_are_none_do_not_grow(strange: list[float]) -> None:
    nb = GaussianNB(new_labels="grow").fit(COUNTS, LABELS.astype(float))
    with pytest.raises(ValueError, match=r"(?i)y contains|label type|continuous"):
        nb.partial_fit(COUNTS[:2], np.array(strange))
    assert nb.classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("y", [["a", "b", None], ["a", "b", float("nan")], ["a", "b", 1]])
def test_labels_of_no_kind(y: list[object]) -> None:
    with pytest.raises(BayleafError, match="Input y"):
        MultinomialNB().fit(COUNTS[:3], np.array(y, dtype=object))


def test_numbers_in_lists_keep_their_kind_and_dates_are_no_codes() -> None:
    nb = CategoricalNB().fit([["a", 1], ["b", 2]], [0, 1])
    assert nb.predict_proba(np.array([["a", 1]], dtype=object))[0, 0] == pytest.approx(0.8)
    with pytest.raises(BayleafError, match="datetime64"):
        CategoricalNB().fit(np.array([["2020-01-01"], ["2020-01-02"]], dtype="M8[D]"), [0, 1])


@pytest.mark.parametrize(
    ("nb", "wrong"),
    [
        (GaussianNB(), {"var_smoothing": -1}),
        (MultinomialNB(), {"alpha": -1}),
        (MultinomialNB(), {"alpha": "bogus"}),
        (MultinomialNB(), {"alpha": "auto"}),
        (MultinomialNB(), {"binary": True}),
        (BernoulliNB(), {"binarize": 2.0}),
    ],
)
def test_parameters_changed_after_fit_are_checked(nb: GaussianNB, wrong: dict[str, object]) -> None:
    nb.fit(COUNTS, LABELS).set_params(**wrong)
    with pytest.raises(ValueError, match=r"."):
        nb.predict(COUNTS)


@pytest.mark.parametrize(
    ("nb", "other", "told"),
    [
        (MultinomialNB(), {"binary": True}, "binary=False, not binary=True"),
        (ComplementNB(), {"binary": True}, "binary=False, not binary=True"),
        (BernoulliNB(), {"binarize": 2.0}, "binarize=0.0, not binarize=2.0"),
        (BernoulliNB(binarize=1), {"binarize": None}, "binarize=1.0, not binarize=None"),
        (BernoulliNB(), {"binarize": "much"}, "'binarize' parameter"),
    ],
)
def test_rows_are_not_counted_in_two_ways(nb: BernoulliNB, other: dict[str, object], told: str) -> None:
    nb.partial_fit(COUNTS, LABELS, classes=np.unique(LABELS))
    was, before = nb.get_params(), nb.feature_count_
    nb.set_params(**other)
    for learn in (nb.partial_fit, nb.unlearn):
        with pytest.raises(ValueError, match=told):
            learn(COUNTS, LABELS)
    assert (nb.feature_count_ == before).all()
    nb.set_params(**was).partial_fit(COUNTS, LABELS)
    assert (nb.feature_count_ == 2 * before).all()


def test_models_that_counted_differently_do_not_merge() -> None:
    with pytest.raises(MismatchError, match="binary=True"):
        MultinomialNB().fit(COUNTS, LABELS).merge(MultinomialNB(binary=True).fit(COUNTS, LABELS))


def test_threads_may_learn_at_the_same_time() -> None:
    nb = MultinomialNB().fit(COUNTS, LABELS)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: nb.partial_fit(COUNTS, LABELS), range(40)))
    assert nb.class_count_.tolist() == [20 * 41] * 3


def test_what_is_read_while_a_thread_learns_is_not_kept() -> None:
    """Weights of the counts before, put away after they had changed, answered for the model until the next batch."""
    X, y = RNG.poisson(1, (200, 2000)), np.arange(200) % 20
    want = PoissonNB().fit(X, y).predict_proba(X[:5])
    for _ in range(40):
        nb = PoissonNB().partial_fit(X[:100], y[:100], classes=range(20))
        with ThreadPoolExecutor(1) as pool:
            pool.submit(nb.predict_proba, X[:5])
            nb.partial_fit(X[100:], y[100:])
        np.testing.assert_allclose(nb.predict_proba(X[:5]), want, rtol=1e-9)


def test_labels_cannot_be_changed_from_outside_and_a_weightless_row_is_nothing() -> None:
    nb = MultinomialNB().fit(COUNTS, LABELS)
    with pytest.raises(ValueError, match="read-only"):
        nb.classes_[0] = 7
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nb.partial_fit(COUNTS[:1], LABELS[:1], sample_weight=[0.0])
    assert nb.class_count_.sum() == 60


@pytest.mark.parametrize("far", [1e308, -1e200])
@pytest.mark.parametrize("labels", [[0, 1, 0, 1], [0, 0, 1, 0]], ids=["beyond all squares", "labels apart"])
def test_a_value_too_large_to_be_squared_is_named_with_its_place(far: float, labels: list[int]) -> None:
    table = pd.DataFrame({"small": [1.0, 2.0, 3.0, np.nan], "size": [1.0, np.nan, far, 2.0]})
    with pytest.raises(BadValueError, match="column size") as error:
        GaussianNB().fit(table, labels)
    assert (error.value.kind, error.value.row, error.value.column) == ("overflow", 2, "size")


def test_values_too_far_apart_are_refused_before_they_are_learned() -> None:
    """Learned, no prediction could be made any more."""
    nb = GaussianNB(new_labels="grow").partial_fit([[1.0], [2.0]], [0, 0])
    with pytest.raises(ValueError, match=r"from 2 to 1e\+200 in column 0"):
        nb.partial_fit([[1e200]], [1])
    assert nb.predict([[1.0]]).tolist() == [0]
    with pytest.raises(ValueError, match="within 1e"):
        nb + GaussianNB().fit([[1e200], [1e200]], [1, 2])
    with pytest.raises(ValueError, match="from -1e"):
        MixedNB().fit([[-1e308], [1e308]], [0, 1])
    alike = GaussianNB().partial_fit([[1e200], [1e200]], [0, 1], classes=[0, 1, 2])
    np.testing.assert_array_equal(alike.predict_proba([[1e200]]), [[0.5, 0.5, 0]])


@pytest.mark.parametrize("estimator", [BernoulliNB, CategoricalNB, ComplementNB, MixedNB, MultinomialNB, PoissonNB])
def test_an_alpha_whose_sums_are_no_numbers_is_refused(estimator: type) -> None:
    with pytest.raises(ValueError, match=r"Found alpha=1e\+308; expected at most 1e\+120"):
        estimator(alpha=1e308).fit(COUNTS, LABELS)
    nb = estimator(alpha=1e120).fit(COUNTS, LABELS)
    assert np.isfinite(nb.score_samples(COUNTS)).all()
    assert len(nb.sample(5, random_state=0)[0]) == 5


def test_sparse_cells_of_two_entries_are_one_value() -> None:
    twice = sparse.csr_array((np.ones(3), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    with pytest.raises(ValueError, match="expects 0, 1 or missing; found 2"):
        BernoulliNB(binarize=None).fit(twice, [0, 1])
    halves = sparse.csr_array((np.array([0.5, 0.5, 1]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    assert BernoulliNB(binarize=None).fit(halves, [0, 1]).feature_count_.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("far", [1e150, 1e160, 1e300, -1e308])
def test_what_is_far_away_is_explained(far: float) -> None:
    nb = GaussianNB().fit([[0.0, 1], [1.0, 3], [5.0, 0], [9.0, 4]], [0, 0, 1, 1])
    for row in ([far, 1.0], [far, far], [far, np.nan], [2.0, far]):
        told = nb.explain([row])[0]
        total = told.prior + np.sum([clue.summands for clue in told.clues], axis=0) + told.rest
        np.testing.assert_allclose(total, nb.predict_joint_log_proba([row])[0], rtol=1e-12)


def test_counts_too_large_to_draw_are_refused_in_words() -> None:
    for nb in (PoissonNB(), MultinomialNB()):
        nb.fit([[1e30, 1.0], [2.0, 1.0]], [0, 1])
        with pytest.raises(BayleafError, match=r"e\+.*expected.*Rescale"):
            nb.sample(9, random_state=0)
