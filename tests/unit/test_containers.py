"""What tables, labels and weights come in: read as they are meant, or refused in words."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from cases import Case, each

from bayleaf import BayleafError, CategoricalNB, GaussianNB, MixedNB, TextClassifier

Y = [0, 0, 1, 1]
TEXTS = ["win money now", "cheap money", "lunch at noon", "see you at lunch"]


@each()
def test_what_is_masked_is_missing(case: Case) -> None:
    X, y = case.random(30, missing=0.2)
    holes = np.isnan(X)
    nb = case.make().fit(np.ma.array(np.where(holes, 1.0, X), mask=holes), y)
    np.testing.assert_allclose(nb.score_samples(X), case.make().fit(X, y).score_samples(X), rtol=1e-9)
    np.testing.assert_array_equal(nb.predict(np.ma.array(np.where(holes, 1.0, X), mask=holes)), nb.predict(X))


def test_masked_truths_are_missing_categories() -> None:
    cells = np.ma.array([[True], [False], [True]], mask=[[False], [False], [True]])
    assert CategoricalNB().fit(cells, [0, 1, 1]).category_count_[0].sum() == 2
    assert MixedNB().fit(cells, [0, 1, 1]).families_ == {"categorical": ["x0"]}


@each()
def test_masked_labels_and_weights_are_refused(case: Case) -> None:
    X, y = case.random(20)
    hidden = np.arange(20) == 3
    with pytest.raises(BayleafError, match="masked value"):
        case.make().fit(X, np.ma.array(y, mask=hidden))
    with pytest.raises(BayleafError, match="masked sample weights"):
        case.make().fit(X, y, sample_weight=np.ma.array(np.ones(20), mask=hidden))


@each()
def test_frames_of_objects_may_have_na(case: Case) -> None:
    X, y = case.random(30, missing=0.2)
    frame = pd.DataFrame(X.astype(object)).where(~np.isnan(X), pd.NA)
    if case.name == "CategoricalNB":  # encodes objects, so that codes without rows are not counted
        frame = frame.astype("Float64")
    np.testing.assert_allclose(
        case.make().fit(frame, y).score_samples(frame), case.make().fit(X, y).score_samples(X), rtol=1e-9
    )
    assert frame.isna().to_numpy().sum() == np.isnan(X).sum()


def test_sparse_columns_and_decimals_are_numbers() -> None:
    frame = pd.DataFrame(
        {
            "sparse": pd.arrays.SparseArray([1.0, 0.0, 2.0, 0.0]),
            "decimal": [Decimal("1.5"), Decimal(2), None, Decimal(7)],
            "kind": ["a", "b", "a", None],
        }
    )
    nb = MixedNB().fit(frame, Y)
    assert nb.families_ == {"gaussian": ["sparse", "decimal"], "categorical": ["kind"]}
    plain = frame.assign(sparse=[1.0, 0.0, 2.0, 0.0], decimal=[1.5, 2.0, np.nan, 7.0])
    np.testing.assert_array_equal(nb.predict_proba(frame), MixedNB().fit(plain, Y).predict_proba(plain))


def test_a_column_of_nulls_is_the_same_in_every_table() -> None:
    cells = {"x0": [None] * 4, "x1": ["a", "b", "a", "b"]}
    tables = (pl.DataFrame(cells), pa.table(cells), np.array(list(cells.values()), dtype=object).T)
    for table in tables:
        assert MixedNB().fit(table, Y).families_ == {"gaussian": ["x0"], "categorical": ["x1"]}


@pytest.mark.parametrize("kind", [GaussianNB, CategoricalNB, MixedNB])
@pytest.mark.parametrize("beside", [{}, {"n": [1.0, 2.0, 3.0, 4.0]}, {"n": ["a", "b", "a", "b"]}])
def test_dates_are_no_numbers(kind: Any, beside: dict[str, Any]) -> None:
    """NumPy would make -9e18 of a date that is missing."""
    frame = pd.DataFrame({"day": pd.to_datetime(["2020-01-01", None, "2020-01-02", "2020-01-03"]), **beside})
    zoned = frame.assign(day=frame["day"].dt.tz_localize("UTC"))
    spans = frame.assign(day=frame["day"] - frame["day"][0])
    of_arrow = frame.convert_dtypes(dtype_backend="pyarrow")
    tables = (pl.from_pandas(frame), pl.from_pandas(spans), pa.Table.from_pandas(frame))
    for X in (frame, frame[["day"]].to_numpy(), zoned, spans, of_arrow, *tables):
        with pytest.raises(BayleafError, match=r"dates|[Dd]atetime|Duration"):
            kind().fit(X, Y)


@pytest.mark.parametrize("truth", ["bool", "boolean", "bool[pyarrow]"])
@pytest.mark.parametrize("words", ["category", "str", "string", pd.ArrowDtype(pa.string()), "object"], ids=str)
def test_truth_values_beside_words(truth: str, words: Any) -> None:
    frame = pd.DataFrame({"w": ["a", "b", "b", "b"], "t": [True, False, True, True]})
    X = frame.astype({"w": words, "t": truth})
    nb = CategoricalNB().fit(X, Y)
    assert [known.tolist() for known in nb.categories_ or []] == [["a", "b"], [False, True]]
    want = CategoricalNB().fit(frame.to_numpy().tolist(), Y).predict_proba(frame.to_numpy().tolist())
    np.testing.assert_array_equal(nb.predict_proba(X), want)
    assert nb.feature_names_in_.tolist() == ["w", "t"]
    whole = CategoricalNB().fit(X.assign(t=pd.array([3, 4, 3, None], dtype="Int64")), Y)
    assert [known.tolist() for known in whole.categories_ or []] == [["a", "b"], [3, 4]]
    with pytest.raises(BayleafError, match=r"expected numbers for GaussianNB. For such a table take RecordClassifier"):
        GaussianNB().fit(X, Y)


@pytest.mark.parametrize("kind", [GaussianNB, CategoricalNB, MixedNB])
def test_two_columns_of_one_name_are_refused(kind: Any) -> None:
    with pytest.raises(BayleafError, match="several columns called a"):
        kind().fit(pd.DataFrame([[1, 2]] * 4, columns=["a", "a"]), Y)


@pytest.mark.parametrize("dtype", ["Int64", "int64[pyarrow]", "boolean", "bool[pyarrow]"])
def test_labels_of_pandas_own_types_keep_their_kind(dtype: str) -> None:
    y = pd.Series([0, 0, 1, 1]).astype(dtype)
    kind = bool if dtype.startswith("bool") else int
    for classifier in (GaussianNB().fit([[0.0], [1.0], [7.0], [9.0]], y), TextClassifier().fit(TEXTS, y)):
        assert [type(label) for label in classifier.classes_.tolist()] == [kind, kind]
    with pytest.raises(BayleafError, match="Input y contains"):
        GaussianNB().fit([[0.0], [1.0]], pd.Series([1, None], dtype="Int64"))


@pytest.mark.parametrize(
    "y",
    [
        np.array([0, 2**64 - 1, 0, 1], dtype=np.uint64),
        np.array(["a", "b", "a", "b"], dtype=np.dtypes.StringDType()),
        np.array(["2020-01-01", "2020-01-02"] * 2, dtype="M8[D]"),
    ],
    ids=["uint64", "StringDType", "dates"],
)
def test_rare_labels(y: Any) -> None:
    """Whatever an estimator takes for labels, the text classifier takes as well."""
    assert (GaussianNB().fit([[0.0], [1.0], [7.0], [9.0]], y).classes_ == np.unique(y)).all()
    assert (TextClassifier().fit(TEXTS, y).partial_fit(TEXTS, y).unlearn(TEXTS, y).classes_ == np.unique(y)).all()


def test_labels_that_are_objects_are_refused_with_their_type() -> None:
    for y, found in (([1, 2, 1, 2], "int"), ([(1, 2), (3, 4), (1, 2), (3, 4)], "tuple")):
        objects = np.empty(4, dtype=object)
        objects[:] = y
        with pytest.raises(BayleafError, match=rf"objects of {found} in y; expected text or an array of numbers"):
            GaussianNB().fit([[0.0], [1.0], [7.0], [9.0]], objects)


@each()
@pytest.mark.parametrize("priors", [["a", "b", "c"], [[0.2, 0.3, 0.5]]])
def test_priors_that_are_no_numbers(case: Case, priors: Any) -> None:
    name = "priors" if case.name == "GaussianNB" else "class_prior"
    with pytest.raises(BayleafError, match="expected one number per class, in the order of classes_"):
        case.make(**{name: priors}).fit(*case.random(20))


@each()
def test_a_model_that_joblib_mapped_into_memory_learns_on(case: Case, tmp_path: Path) -> None:
    """joblib maps large arrays read-only, also those that it hands to its own workers."""
    X, y = case.random(30)
    nb = case.make().fit(X, y)
    joblib.dump(nb, tmp_path / "model")
    mapped = joblib.load(tmp_path / "model", mmap_mode="r")
    mapped.partial_fit(X, y)
    np.testing.assert_array_equal(mapped.predict_proba(X), nb.partial_fit(X, y).predict_proba(X))


@pytest.mark.parametrize("kind", [str, np.dtypes.StringDType(), object], ids=["characters", "StringDType", "objects"])
def test_an_array_of_words_is_no_array_of_numbers(kind: Any) -> None:
    with pytest.raises(BayleafError, match=r"expected numbers for GaussianNB\. For such a table take RecordClassifier"):
        GaussianNB().fit(np.array([["red"], ["blue"]], dtype=kind), [0, 1])
