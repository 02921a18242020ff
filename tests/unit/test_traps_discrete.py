"""Known faults of other discrete Naive Bayes implementations, each a test (15 to 29)."""

from __future__ import annotations

import subprocess
import sys
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from cases import Case, each, same, state

from bayleaf import (
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    ImpossibleRowsWarning,
    MultinomialNB,
    PoissonNB,
    TruncatedCodesWarning,
)


@each()
@pytest.mark.parametrize("classes", [["ham", "spam"], ["eggs", "ham", "spam"]])
def test_trap_15_unknown_label(case: Case, classes: list[str]) -> None:
    """Refused by default, whatever the number of classes, and nothing is counted."""
    X, y = case.random(12)
    y = np.array(classes)[y % len(classes)]
    nb = case.make().fit(X, y)
    before = state(nb)
    with pytest.raises(ValueError, match="phish"):
        nb.partial_fit(X[:2], ["ham", "phish"])
    assert same(before, state(nb))


WORDS = np.array([[2, 0, 1], [1, 0, 0], [0, 3, 1], [0, 1, 1]], dtype=float)
Y = np.array([0, 0, 1, 1])


@pytest.mark.parametrize("nb", [MultinomialNB(alpha=0.0), ComplementNB(alpha=0.0), PoissonNB(alpha=0.0)])
def test_trap_16_alpha_zero_dense_equals_sparse(nb: MultinomialNB) -> None:
    """Zero counts are skipped, so rows the model has seen are possible and its own class is certain."""
    dense, sparse = nb.fit(WORDS, Y).predict_proba(WORDS), nb.predict_proba(sp.csr_array(WORDS))
    np.testing.assert_allclose(dense, sparse, rtol=1e-12)
    assert dense[0].tolist() == [1.0, 0.0]
    assert dense[2].tolist() == [0.0, 1.0]


@pytest.mark.parametrize("nb", [MultinomialNB(alpha=0.0), BernoulliNB(alpha=0.0), PoissonNB(alpha=0.0)])
def test_trap_16_rows_impossible_everywhere_get_the_prior(nb: MultinomialNB) -> None:
    nb.fit(WORDS[:, :2][[0, 1, 2, 3, 3]], [0, 0, 1, 1, 1])
    with pytest.warns(ImpossibleRowsWarning):
        proba = nb.predict_proba([[1.0, 1.0]])
    np.testing.assert_allclose(proba, [[2 / 5, 3 / 5]], rtol=1e-12)
    with pytest.warns(ImpossibleRowsWarning):
        assert nb.predict([[1.0, 1.0]]).tolist() == [1]


def test_trap_16_bernoulli_alpha_zero() -> None:
    nb = BernoulliNB(alpha=0.0).fit(WORDS, Y)
    assert nb.predict(WORDS).tolist() == [0, 0, 1, 1]
    assert not np.isnan(nb.predict_log_proba(WORDS)).any()


@pytest.mark.parametrize("family", [MultinomialNB, ComplementNB, BernoulliNB])
def test_trap_16_one_zero_in_a_vector_alpha(family: type) -> None:
    nb = family(alpha=np.array([0.0, 1.0, 1.0])).fit(WORDS, Y)
    proba = nb.predict_proba(WORDS)
    assert not np.isnan(proba).any()
    assert nb.predict(WORDS).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("alpha", [1e-10, 1e-17, 1e-100, 1e-300])
def test_trap_17_bernoulli_tiny_alpha(alpha: float) -> None:
    nb = BernoulliNB(alpha=alpha).fit(WORDS, Y)
    joint = nb.predict_joint_log_proba(WORDS)
    assert np.isfinite(joint).all()
    absent = np.log(alpha / (2 + 2 * alpha))  # word 0 is in both mails of class 0: its absence costs log(alpha / 2)
    got = nb.predict_joint_log_proba([[0, 0, 1]])[0, 0] - nb.predict_joint_log_proba([[1, 0, 1]])[0, 0]
    assert got == pytest.approx(absent - np.log((2 + alpha) / (2 + 2 * alpha)), rel=1e-9)


def test_trap_18_bernoulli_without_binarize_wants_bits() -> None:
    nb = BernoulliNB(binarize=None)
    with pytest.raises(ValueError, match=r"(?i)binarize"):
        nb.fit(WORDS, Y)
    nb.fit(WORDS > 0, Y)
    with pytest.raises(ValueError, match=r"(?i)binarize"):
        nb.predict(WORDS)
    holes = np.where(WORDS > 1, np.nan, WORDS)
    assert np.isfinite(nb.fit(holes, Y).predict_proba(holes)).all()


@pytest.mark.parametrize("family", [MultinomialNB, ComplementNB, CategoricalNB, PoissonNB])
@pytest.mark.parametrize("method", ["predict", "predict_proba", "score_samples", "partial_fit", "unlearn"])
def test_trap_19_negative_values(family: type, method: str) -> None:
    nb = family().fit(WORDS, Y)
    args = ([[1, -2, 0]], [0]) if method in ("partial_fit", "unlearn") else ([[1, -2, 0]],)
    with pytest.raises(ValueError, match=r"(?i)negative values"):
        getattr(nb, method)(*args)


@each()
@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ([0.9, 0.9, 0.9], "The sum of the priors should be 1"),
        ([-1.0, 1.0, 1.0], "Priors must be non-negative"),
        ([0.5, 0.5], "Number of priors must match number of classes"),
    ],
)
def test_trap_20_priors_are_checked(case: Case, prior: list[float], message: str) -> None:
    X, y = case.random(10)
    name = "priors" if case.name == "GaussianNB" else "class_prior"
    with pytest.raises(ValueError, match=message):
        case.make(**{name: prior}).fit(X, y)


def test_trap_21_complement_keeps_alpha_beside_large_counts() -> None:
    X = np.array([[1e17, 1.0], [0.0, 1.0]])
    nb = ComplementNB().fit(X, [0, 1])
    assert np.isfinite(nb.feature_log_prob_).all()
    np.testing.assert_allclose(nb.feature_log_prob_[0], -np.log([1 / 3, 2 / 3]), rtol=1e-12)


def test_trap_21_complement_norm_of_one_feature() -> None:
    nb = ComplementNB(norm=True).fit([[1.0], [2.0]], [0, 1])
    np.testing.assert_allclose(nb.predict_proba([[3.0]]).sum(), 1.0)


def test_trap_21_complement_empty_document_goes_to_the_frequent_class() -> None:
    nb = ComplementNB().fit(WORDS[[0, 2, 3]], [0, 1, 1])
    assert nb.predict(np.zeros((1, 3))).tolist() == [1]
    assert nb.predict(sp.csr_array((1, 3))).tolist() == [1]


def test_trap_21_complement_of_two_classes_is_a_multinomial_with_uniform_prior() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (40, 6)), np.arange(40) % 2
    ours, oracle = ComplementNB().fit(X, y), MultinomialNB(fit_prior=False).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), oracle.predict_proba(X), rtol=1e-12)


def test_trap_21_complement_uses_a_given_prior() -> None:
    nb = ComplementNB(class_prior=[0.1, 0.9]).fit(WORDS, Y)
    np.testing.assert_allclose(nb.predict_proba(np.zeros((1, 3))), [[0.1, 0.9]], rtol=1e-12)


def test_trap_22_categorical_codes() -> None:
    X, y = np.array([[0], [1], [4], [1]]), [0, 0, 1, 1]
    nb = CategoricalNB().fit(X, y)
    np.testing.assert_allclose(nb.predict_proba([[9]]), [[0.5, 0.5]])  # unseen: left out, not an IndexError
    with pytest.raises(ValueError, match=r"(?i)negative"):
        nb.predict([[-1]])
    for call in (nb.predict, lambda X: nb.partial_fit(X, [0])):
        with pytest.warns(TruncatedCodesWarning, match=r"1\.99"):  # cut as scikit-learn does, but not silently
            call([[1.99]])
    nb.partial_fit([[1]], [0])
    assert list(nb.n_categories_) == [5], "a small batch does not forget the categories of earlier ones"


MEMORY = """
import resource, numpy as np
from bayleaf import GaussianNB, MultinomialNB
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
X, y = np.ones((20_000, 5)), np.arange(20_000) % 2000
MultinomialNB().fit(X[:10], y[:10]).predict(X[:10])
before = peak(); MultinomialNB().fit(X, y); print(peak() - before)
X = np.random.default_rng(0).normal(size=(400_000, 20)); nb = GaussianNB().fit(X[:100], np.arange(100) % 2)
nb.predict(X[:10]); before = peak(); nb.predict(X); print(peak() - before)
"""


def test_trap_23_memory() -> None:
    """No dense rows x classes label matrix (320 MB here), no copies of X (64 MB) when predicting. Megabytes."""
    ran = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    fit, predict = map(int, ran.stdout.split())
    assert fit < 40
    assert predict < 40


@pytest.mark.parametrize("family", [MultinomialNB, ComplementNB, BernoulliNB, PoissonNB])
def test_trap_24_unusual_csr(family: type) -> None:
    """Duplicate entries are summed, unsorted and 64-bit indices are read, and the input is left alone."""
    want = family().fit(WORDS, Y).predict_joint_log_proba(WORDS)
    values, cols, ptr = [1.0, 1, 1, 1, 1, 2, 1, 1, 1], [2, 0, 0, 0, 2, 1, 1, 2, 1], [0, 3, 4, 7, 9]
    odd = sp.csr_array((np.array(values), np.array(cols), np.array(ptr)), shape=(4, 3))
    assert not odd.has_canonical_format
    wide = sp.csr_array(WORDS)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for form in (odd, wide):
        data = form.data.copy()
        np.testing.assert_allclose(family().fit(form, Y).predict_joint_log_proba(form), want, rtol=1e-12)
        np.testing.assert_array_equal(form.data, data)


def test_trap_25_fractions_are_counted_and_denominators_stay_consistent() -> None:
    X = np.array([[0.25, 0.75], [0.5, 0.5]])
    nb = MultinomialNB().fit(X, [0, 1])
    np.testing.assert_array_equal(nb.feature_count_, X)
    np.testing.assert_allclose(np.exp(nb.feature_log_prob_).sum(axis=1), 1.0, rtol=1e-12)
    nb.partial_fit([[0.0, 2.5]], [0]).unlearn([[0.0, 2.0]], [0])
    np.testing.assert_allclose(np.exp(nb.feature_log_prob_).sum(axis=1), 1.0, rtol=1e-12)


def test_trap_26_labels_keep_their_type() -> None:
    nb = MultinomialNB().fit(WORDS, Y).partial_fit(WORDS[:1], Y[:1])
    assert nb.classes_.dtype.kind == "i"
    assert nb.class_count_.tolist() == [3, 2]
    with pytest.raises(ValueError, match="0"):
        nb.partial_fit(WORDS[:1], ["0"])
    assert nb.class_count_.tolist() == [3, 2]


def test_trap_27_an_empty_document_is_at_the_empirical_prior() -> None:
    nb = MultinomialNB().fit(WORDS[:3], [0, 1, 1])
    np.testing.assert_allclose(nb.predict_proba(np.zeros((1, 3))), [[1 / 3, 2 / 3]], rtol=1e-12)


def test_trap_28_priors_are_used_and_the_variance_has_a_floor() -> None:
    X = np.array([[0.0], [0.0], [1.0], [1.0]])
    nb = GaussianNB(priors=[0.1, 0.9]).fit(X, Y)
    np.testing.assert_allclose(nb.class_prior_, [0.1, 0.9], rtol=1e-15)
    assert (nb.var_ > 0).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(nb.predict_proba([[0.5]]), [[0.1, 0.9]])


def test_trap_29_chinese_beijing() -> None:
    X, y = [[1, 2, 0, 0, 0, 0], [0, 2, 0, 0, 1, 0], [0, 1, 0, 1, 0, 0], [0, 1, 1, 0, 0, 1]], ["c", "c", "c", "j"]
    proba = MultinomialNB().fit(X, y).predict_proba([[0, 3, 1, 0, 0, 1]])
    np.testing.assert_allclose(proba, [[0.6898, 0.3102]], atol=5e-5)
