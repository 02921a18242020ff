"""The same numbers in another form, order, dtype or number of threads are the same numbers."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from cases import CASES, Case, data, each, same, state
from hypothesis import given
from hypothesis import strategies as st


def assert_identical(case: Case, X: object, other: object, y: np.ndarray, w: np.ndarray | None = None) -> None:
    a, b = case.make().fit(X, y, w), case.make().fit(other, y, w)
    assert same(state(a), state(b))
    want = a.predict_joint_log_proba(X)
    np.testing.assert_array_equal(want, b.predict_joint_log_proba(other))
    np.testing.assert_array_equal(want, a.predict_joint_log_proba(other))


@each(sparse=True)
@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csr_array, sp.csc_matrix, sp.coo_array])
@given(st.data())
def test_dense_equals_sparse(case: Case, form: type, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case))
    a, b = case.make().fit(X, y, w), case.make().fit(form(X), y, w)
    assert same(state(a), state(b))
    np.testing.assert_allclose(a.predict_joint_log_proba(X), b.predict_joint_log_proba(form(X)), rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(a.predict_joint_log_proba(form(X)), b.predict_joint_log_proba(form(X)))


@each()
@given(st.data())
def test_memory_layout_does_not_matter(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case))
    wide = np.zeros((2 * X.shape[0], 3 * X.shape[1]))
    wide[::2, ::3] = X
    for other in (np.asfortranarray(X), wide[::2, ::3], X[::-1].copy()[::-1]):
        assert_identical(case, X, other, y, w)


@each()
@given(st.data())
def test_float32_equals_float64(case: Case, draw: st.DataObject) -> None:
    """The values are exact in both."""
    X, y, w = draw.draw(data(case))
    assert_identical(case, X, X.astype(np.float32), y, w)


@each()
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint16])
def test_int_equals_float(case: Case, dtype: type) -> None:
    X, y = case.random(40)
    X = np.abs(np.round(X))
    assert_identical(case, X, X.astype(dtype), y)


@each()
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_narrow_floats_are_summed_in_double(case: Case, dtype: type) -> None:
    X, y = case.random(60)
    assert_identical(case, X.astype(dtype), X.astype(dtype).astype(float), y)


@each()
def test_booleans_are_zeros_and_ones(case: Case) -> None:
    if case.cell == "mixed":
        pytest.skip("a boolean column is a category there")
    X, y = case.random(40)
    assert_identical(case, X > 0.5, (X > 0.5).astype(float), y)


@each(sparse=True)
@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csr_array, sp.coo_array])
@pytest.mark.parametrize("dtype", [bool, np.uint8, float])
def test_entries_of_one_cell_add_up_as_in_scipy(case: Case, form: type, dtype: type) -> None:
    """True and true is true; numbers are summed."""
    row, column = np.array([0, 0, 0, 1, 1, 2, 3]), np.array([1, 1, 0, 2, 2, 0, 1])
    X = sp.coo_array((np.ones(7, dtype=dtype), (row, column)), shape=(4, 3))
    if form is not sp.coo_array:
        X = form((X.data, column, np.array([0, 3, 5, 6, 7])), shape=X.shape)
    assert X.nnz == 7
    y = np.array([0, 1, 0, 1])
    a, b = case.make().fit(X.toarray(), y), case.make().fit(X, y)
    assert same(state(a), state(b))
    assert same(state(a.partial_fit(X.toarray(), y)), state(b.partial_fit(X, y)))
    for method in ("predict_joint_log_proba", "score_samples"):
        np.testing.assert_allclose(getattr(a, method)(X.toarray()), getattr(b, method)(X), rtol=1e-12)
    loo = a.loo_predict_log_proba(X.toarray(), y), b.loo_predict_log_proba(X, y)
    np.testing.assert_allclose(*loo, rtol=1e-12)
    assert X.nnz == 7, "the caller's matrix is as it was"


@each()
@given(st.data())
def test_labels_are_only_names(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case))
    names = np.array(draw.draw(st.permutations(["ant", "bee", "cat"])))
    a, b = case.make().fit(X, y, w), case.make().fit(X, names[y], w)
    columns = [list(b.classes_).index(name) for name in names[a.classes_]]
    got = b.predict_joint_log_proba(X)[:, columns]
    np.testing.assert_allclose(got, a.predict_joint_log_proba(X), rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(got[:, 0] == got[:, 1], a.predict_joint_log_proba(X)[:, 0] == got[:, 1])


@each()
def test_one_row_equals_its_batch(case: Case) -> None:
    """Bit for bit, for every method that answers row by row."""
    X, y = case.random(100)
    nb = case.make().fit(X, y)
    for method in ("predict_joint_log_proba", "predict_log_proba", "predict_proba", "predict", "score_samples"):
        whole = getattr(nb, method)(X)
        for i in range(0, 100, 9):
            np.testing.assert_array_equal(getattr(nb, method)(X[i : i + 1])[0], whole[i])


@each()
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "csr"])
def test_the_number_of_threads_does_not_matter(case: Case, sparse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit-identical with 1, 2 and 3 threads on data large enough to be split."""
    if sparse and not case.sparse:
        pytest.skip("dense only")
    X, y = case.random(200_000, width=8)
    w = np.random.default_rng(5).random(len(y)) + 0.5
    if sparse:
        X = sp.csr_array(np.where(np.arange(X.size).reshape(X.shape) % 3, 0.0, X))
    answers = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("BAYLEAF_NUM_THREADS", threads)
        nb = case.make().fit(X, y, w)
        answers.append([*state(nb), nb.predict_joint_log_proba(X), nb.predict_proba(X)])
    assert same(answers[0], answers[1])
    assert same(answers[0], answers[2])


@each()
def test_a_pickled_model_is_bit_identical(case: Case) -> None:
    X, y = case.random(50)
    nb = case.make().fit(X, y)
    back = pickle.loads(pickle.dumps(nb))
    assert same(state(nb), state(back))
    np.testing.assert_array_equal(nb.predict_joint_log_proba(X), back.predict_joint_log_proba(X))
    assert same(state(nb.partial_fit(X, y)), state(back.partial_fit(X, y))), "a copy learns on like the original"


@each()
@given(st.data())
def test_a_copy_learns_for_itself(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case))
    nb = case.make().fit(X, y, w)
    before, twin = state(nb), copy.copy(nb)
    assert same(state(twin), before)
    np.testing.assert_array_equal(twin.predict_joint_log_proba(X), nb.predict_joint_log_proba(X))
    twin.partial_fit(X, y, sample_weight=w)
    assert same(state(nb), before), "the original has not learned what the copy learned"
    learned = state(twin)
    nb.partial_fit(X, y, sample_weight=w)
    assert same(state(nb), learned), "the original learns like the copy"
    nb.partial_fit(X, y, sample_weight=w)
    assert same(state(twin), learned), "the copy has not learned what the original learned"


def test_a_copy_of_what_was_never_fitted_is_not_fitted_either() -> None:
    twin = copy.copy(CASES[0].make())
    assert not twin.__sklearn_is_fitted__()
    twin.fit(*CASES[0].random(10))


def test_every_public_estimator_has_a_case() -> None:
    import bayleaf

    assert {c.name for c in CASES} == {n for n in bayleaf.__all__ if n.endswith("NB")}
