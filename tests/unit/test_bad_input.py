"""Bad input is refused with what was found, what was expected and a remedy; the model stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from cases import Case, each, same, state
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from bayleaf import (
    BayleafError,
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    MixedNB,
    MultinomialNB,
    PoissonNB,
    TruncatedCodesWarning,
)


def spoil(row: int, value: float) -> Callable[[np.ndarray], np.ndarray]:
    def apply(X: np.ndarray) -> np.ndarray:
        X = X.copy()
        X[row, 0] = value
        return X

    return apply


@each()
@pytest.mark.parametrize(
    ("shape", "message"),
    [((5,), "(?i)1D array|2D array"), ((5, 2, 2), "(?i)dim|3D"), ((0, 4), "(?i)0 sample"), ((5, 0), "(?i)0 feature")],
)
def test_wrong_shapes(case: Case, shape: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        case.make().fit(np.ones(shape), np.arange(shape[0]) % 2)


@each()
def test_a_different_number_of_columns(case: Case) -> None:
    """Both numbers are in the message."""
    X, y = case.random(20)
    nb = case.make().fit(X, y)
    before, d = state(nb), X.shape[1]
    wide = np.hstack([X, X])
    for call in (nb.predict, nb.explain, nb.score_samples, lambda Z: nb.partial_fit(Z, y), lambda Z: nb.unlearn(Z, y)):
        with pytest.raises(ValueError, match=f"{2 * d} features.*{d} features"):
            call(wide)
    assert same(before, state(nb))


@pytest.mark.parametrize("kind", [BernoulliNB, ComplementNB, GaussianNB, MultinomialNB, PoissonNB])
@pytest.mark.parametrize("how", ["frame", "category", "object", "text", "list"])
def test_words_where_numbers_are_expected(kind: Any, how: str) -> None:
    """The message names a word that was found and the classifiers that take such a table."""
    frame = pd.DataFrame({"city": ["Aachen", "Bonn"], "age": [30, 40]})
    X = {
        "frame": frame,
        "category": frame.astype({"city": "category"}),
        "object": frame.to_numpy(),
        "text": np.array([["Aachen"], ["Bonn"]]),
        "list": [["Aachen", "1"], ["Bonn", "2"]],
    }[how]
    with pytest.raises(BayleafError, match=r"Found .* expected numbers.* RecordClassifier or MixedNB") as told:
        kind().fit(X, ["a", "b"])
    assert how in ("text", "list") or "'Aachen'" in str(told.value)
    nb = kind().fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(BayleafError, match="RecordClassifier or MixedNB"):
        nb.predict([["Aachen"]])


@pytest.mark.parametrize("kind", [BernoulliNB, ComplementNB, GaussianNB, MultinomialNB, PoissonNB])
@pytest.mark.parametrize("form", [list, np.array, pd.Series])
def test_texts_are_not_to_be_reshaped(kind: Any, form: Any) -> None:
    with pytest.raises(BayleafError, match=r"Found a list of texts in X.* for texts TextClassifier"):
        kind().fit(form(["win money", "lunch at noon"]), ["spam", "ham"])
    with pytest.raises(ValueError, match="Reshape your data"):
        kind().fit([1.0, 2.0], ["a", "b"])


@each()
def test_rows_as_dicts_are_not_to_be_reshaped(case: Case) -> None:
    """River's models take them."""
    for rows, found in (([{"a": 1, "b": 2}, {"a": 0, "b": 1}], "a list of dicts"), ({"a": [1, 0]}, "a dict")):
        with pytest.raises(BayleafError, match=rf"Found {found} as X; expected a table.* or take RecordClassifier"):
            case.make().fit(rows, ["a", "b"])


@each()
def test_rows_and_labels_of_different_length(case: Case) -> None:
    X, y = case.random(20)
    nb = case.make().fit(X, y)
    before = state(nb)
    for call in (nb.partial_fit, nb.unlearn, nb.loo_predict_log_proba):
        with pytest.raises(ValueError, match=r"(?i)inconsistent.*20.*19"):
            call(X, y[:19])
        with pytest.raises(ValueError, match=r"(?i)sample_weight"):
            call(X, y, sample_weight=np.ones(7))
    assert same(before, state(nb))


@each()
@pytest.mark.parametrize("method", ["partial_fit", "unlearn"])
@pytest.mark.parametrize("n", [20, 60_000])
def test_a_failing_call_changes_nothing(case: Case, method: str, n: int) -> None:
    """Even when the fault is in the last row of a large batch."""
    X, y = case.random(n)
    nb = case.make().fit(X, y)
    before, answers = state(nb), nb.predict_joint_log_proba(X[:20])
    faults: list[tuple[np.ndarray, Any, Any]] = [(spoil(-1, np.inf)(X), y, None)]
    if case.cell in ("count", "code"):
        faults.append((spoil(-1, -1.0)(X), y, None))
    faults.append((X, np.r_[y[:-1], 77], None))
    faults.append((X, y, np.r_[np.ones(n - 1), -1.0]))
    for rows, labels, weights in faults:
        with pytest.raises(ValueError, match=r"."):
            getattr(nb, method)(rows, labels, sample_weight=weights)
        assert same(before, state(nb))
    np.testing.assert_array_equal(nb.predict_joint_log_proba(X[:20]), answers)


@each()
def test_a_failing_fit_keeps_the_old_model(case: Case) -> None:
    X, y = case.random(20)
    nb = case.make().fit(X, y)
    before = state(nb)
    with pytest.raises(ValueError, match=r"(?i)inf"):
        nb.fit(spoil(-1, np.inf)(X), y)
    assert same(before, state(nb))


@each()
def test_a_refused_unlearn_of_a_large_batch_changes_nothing(case: Case) -> None:
    """All but the last row can be unlearned; then there is one too many."""
    X, y = case.random(20_000)
    nb = case.make().fit(X, y)
    before = state(nb)
    again = np.r_[np.arange(20_000), np.arange(20_000)]
    with pytest.raises(ValueError, match=r"."):
        nb.unlearn(X[again], y[again])
    assert same(before, state(nb))


def test_negative_counts_say_where_and_what() -> None:
    with pytest.raises(ValueError, match=r"Negative values in data passed to MultinomialNB \(input X\)"):
        MultinomialNB().fit([[1, -2]], [0])
    with pytest.raises(ValueError, match="Negative values"):
        MultinomialNB().fit(sp.csr_array([[1.0, -2.0]]), [0])


@pytest.mark.parametrize("kind", [MultinomialNB, ComplementNB])
def test_rows_below_those_that_were_scaled_say_how_to_scale_them(kind: Any) -> None:
    X, new = np.array([[1.0, 5.0], [2.0, 4.0], [3.0, 9.0]]), np.array([[0.5, 6.0], [2.0, 4.0]])
    with pytest.raises(BayleafError, match=r"found -0\.25 in row 0, column 0;.* MinMaxScaler needs clip=True"):
        make_pipeline(MinMaxScaler(), kind()).fit(X, [0, 1, 1]).predict(new)
    pipeline = make_pipeline(MinMaxScaler(clip=True), kind()).fit(X, [0, 1, 1])
    assert np.isfinite(pipeline.predict_log_proba(new)).all()


def test_fractions_where_codes_are_expected() -> None:
    """scikit-learn cuts them silently, and its checks fit such data; we say so."""
    with pytest.warns(TruncatedCodesWarning, match=r"0\.5.*whole numbers"):
        CategoricalNB().fit([[0.5], [1.0]], [0, 1])


@each()
def test_continuous_targets(case: Case) -> None:
    X, _ = case.random(20)
    with pytest.raises(ValueError, match=r"(?i)continuous|label type"):
        case.make().fit(X, np.linspace(0, 1, 20))


@each()
def test_one_class_is_certain(case: Case) -> None:
    """Not an error: whoever knows one class only predicts it."""
    X, _ = case.random(10)
    nb = case.make().fit(X, np.full(10, "only"))
    np.testing.assert_array_equal(nb.predict_proba(X), np.ones((10, 1)))
    assert set(nb.predict(X)) == {"only"}


@each()
@pytest.mark.parametrize("method", ["predict", "predict_proba", "explain", "score_samples", "sample", "unlearn"])
def test_asking_before_learning(case: Case, method: str) -> None:
    from sklearn.exceptions import NotFittedError

    X, y = case.random(5)
    args = {"sample": (), "unlearn": (X, y)}.get(method, (X,))
    with pytest.raises(NotFittedError):
        getattr(case.make(), method)(*args)


@each()
@pytest.mark.parametrize("n", [-1, 1.5])
def test_senseless_sample_sizes(case: Case, n: float) -> None:
    nb = case.make().fit(*case.random(10))
    with pytest.raises((ValueError, TypeError), match=r"n_samples|integer"):
        nb.sample(n)


@pytest.mark.parametrize("wrong", [{"smoothing": "bogus"}, {"smoothing": "background", "denominator": 2.0}])
def test_a_batch_whose_alpha_cannot_be_chosen_is_not_learned(wrong: dict[str, Any]) -> None:
    X, y = np.arange(12).reshape(4, 3), [0, 1, 0, 1]
    nb = MultinomialNB().fit(X, y)
    before = state(nb)
    nb.set_params(alpha="auto", **wrong)
    with pytest.raises(ValueError, match="smoothing"):
        nb.partial_fit(X, y)
    assert same(before, state(nb))


@pytest.mark.parametrize(
    ("classes", "message"),
    [([], "no labels in `classes`"), ({0, 1}, "a set as `classes`.*a list"), ([[0, 1]], "1, 2.*as `classes`.*a list")],
)
def test_senseless_classes_are_refused_by_that_name(classes: Any, message: str) -> None:
    with pytest.raises(BayleafError, match=message):
        GaussianNB().partial_fit([[1.0], [2.0]], [0, 1], classes=classes)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, -2.0], "`sample_weight`.*found -2 in row 1; expected zero or more"),
        ([1.0, "a"], "`sample_weight`.*'a'.*expected a number for each row"),
        ([1.0, None], "sample_weight contains NaN.*row 1; expected a number"),
        ([np.inf, 1.0], "sample_weight contains infinity.*row 0; expected a number"),
    ],
)
def test_senseless_weights_are_refused_with_their_place(weights: Any, message: str) -> None:
    with pytest.raises(BayleafError, match=message):
        GaussianNB().fit([[1.0], [2.0]], [0, 1], sample_weight=weights)


def test_an_alpha_of_words_is_refused_by_its_name() -> None:
    with pytest.raises(BayleafError, match=r"alpha.*\['a', 'b'\]; expected a number for each"):
        MultinomialNB(alpha=["a", "b"]).fit([[1, 2], [3, 4]], [0, 1])


@pytest.mark.parametrize("kind", [GaussianNB, CategoricalNB, MixedNB])
def test_rows_of_unequal_length_and_frames_not_collected(kind: Any) -> None:
    with pytest.raises(BayleafError, match=r"row 1 has 2.*row 0 has 1.*as many in each"):
        kind().fit([[1], [1, 2]], [0, 1])
    with pytest.raises(BayleafError, match=r"LazyFrame.*collect\(\)"):
        kind().fit(pl.LazyFrame({"a": [1, 2]}), [0, 1])
    with pytest.raises(BayleafError, match=r"dict.*DataFrame"):
        kind().fit({"a": [1, 2]}, [0, 1])


@pytest.mark.parametrize("kind", [MultinomialNB, ComplementNB])
@pytest.mark.parametrize("form", [np.array, sp.csr_array])
def test_negative_counts_are_refused_also_where_only_presence_counts(kind: Any, form: Any) -> None:
    with pytest.raises(BayleafError, match=r"Negative values.*found -3 in row 1, column 0; expected zero or more"):
        kind(binary=True).fit(form([[5.0, 1.0], [-3.0, 1.0]]), [0, 1])
    nb = kind(binary=True).fit(form([[5.0, 0.0], [0.0, 1.0]]), [0, 1])
    with pytest.raises(BayleafError, match="found -1 in row 0, column 1"):
        nb.predict(form([[1.0, -1.0]]))


def test_text_that_looks_like_numbers_is_no_number() -> None:
    with pytest.raises(BayleafError, match="text"):
        GaussianNB().fit([["1", "2"], ["3", "4"]], [0, 1])


@pytest.mark.parametrize("kind", [list, lambda X: np.array(X, dtype=object), lambda X: pd.DataFrame(X, dtype=object)])
@pytest.mark.parametrize(
    "cell", [date(2024, 1, 1), datetime(2024, 1, 1), timedelta(1), pd.Timestamp(0), pd.Period("2024-01")], ids=str
)
def test_dates_among_objects_are_refused_as_dates(kind: Any, cell: Any) -> None:
    with pytest.raises(BayleafError, match="Found dates or durations in X, expected numbers for GaussianNB"):
        GaussianNB().fit(kind([[cell], [cell]]), [0, 1])


def test_intervals_are_categories() -> None:
    with pytest.raises(BayleafError, match="Found intervals in X, expected numbers for GaussianNB"):
        GaussianNB().fit(pd.DataFrame({"a": pd.cut([1.0, 2.0, 3.0], 2)}).astype(object), [0, 1, 0])


@pytest.mark.parametrize("kind", [GaussianNB, MultinomialNB, CategoricalNB])
def test_integers_of_128_bits_are_numbers(kind: Any) -> None:
    X = pl.DataFrame({"a": [1, None, 3], "b": [0, 1, 2]})
    wide = X.with_columns(pl.col("a").cast(pl.Int128))
    assert same(state(kind().fit(wide, [0, 1, 0])), state(kind().fit(X, [0, 1, 0])))
