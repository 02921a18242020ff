"""What a record classifier refuses, and that it changes nothing by it."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from mail_table import mails

from bayleaf import BadValueError, BayleafError, MismatchError, RecordClassifier

X, Y = mails(600)
CLF = RecordClassifier().fit(X, Y)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"size": ["1", "big"], "links": ["few"] * 2, "text": [""] * 2}, r"'big' in row 1 of column 'size'"),
        ({"size": ["1", "1_2"], "links": ["few"] * 2, "text": [""] * 2}, r"'1_2' in row 1 of column 'size'"),
        ({"size": ["1", "inf"], "links": ["few"] * 2, "text": [""] * 2}, r"'inf' in row 1 of column 'size'"),
        ({"size": ["1", "2"], "text": ["", ""]}, r"\['size', 'text'\], expected \['links', 'size', 'text'\]"),
        ({"size": ["1"], "links": ["few", "few"]}, "different lengths"),
        ({"size": "1"}, "put it in a list"),
        ({"size": {"1", "2"}, "links": ["few"] * 2, "text": [""] * 2}, "column 'size', expected a list"),
        ({"size": np.ones((2, 3)), "links": ["few"] * 2, "text": [""] * 2}, r"shape \(2, 3\) as column 'size'"),
        ({"size": ["1", "2"], "links": np.array([["few"]] * 2), "text": [""] * 2}, r"'links', expected one value per"),
        ({"size": pl.DataFrame({"size": [1, 2]}), "links": ["few"] * 2, "text": [""] * 2}, r"X\[:, 0\]"),
        ([["1", "few"]], "a dict of columns"),
        (pl.LazyFrame({"size": ["1"], "links": ["few"], "text": [""]}), r"LazyFrame as X; .* X\.collect\(\) first"),
        ({}, "without columns"),
    ],
)
def test_bad_tables_are_refused_and_change_nothing(table: Any, words: str) -> None:
    before = CLF._archive().hash
    for call in (CLF.predict, lambda bad: CLF.partial_fit(bad, ["ham", "spam"])):
        with pytest.raises(BayleafError, match=words):
            call(table)
    assert CLF._archive().hash == before


def test_the_place_of_a_bad_number_can_be_asked() -> None:
    with pytest.raises(BadValueError) as caught:
        CLF.predict({**X, "size": ["1"] * 5 + ["much"] + ["1"] * 594})
    assert (caught.value.row, caught.value.column) == (5, "size")


@pytest.mark.parametrize("kind", ["ignore", "text"])
def test_a_kind_for_a_column_that_is_not_there_is_refused(kind: str) -> None:
    """With "ignore" a slip would otherwise teach the column that was to be left out."""
    with pytest.raises(BayleafError, match=r"no column 'sise'.* there are size, links, text, row"):
        RecordClassifier({"sise": kind}).fit(X, Y)


def test_nothing_to_learn_from_is_refused() -> None:
    with pytest.raises(BayleafError, match=r"x \(always the same\)"):
        RecordClassifier().fit({"x": ["1", "1"]}, [0, 1])
    with pytest.raises(BayleafError, match="no column 'y'"):
        RecordClassifier({"y": "number"}).fit({"x": ["1", "2"]}, [0, 1])
    with pytest.raises(BayleafError, match="'nominal' for column 'x'"):
        RecordClassifier({"x": "nominal"}).fit({"x": ["1", "2"]}, [0, 1])
    with pytest.raises(BayleafError, match="no records"):
        RecordClassifier({"x": "number"}).fit({"x": []}, [])


def test_merging_needs_the_same_columns() -> None:
    with pytest.raises(MismatchError, match="expected the same names and kinds"):
        CLF.merge(RecordClassifier({"size": "number"}).fit({"size": X["size"]}, Y))


def test_a_refused_batch_leaves_no_label_behind() -> None:
    table = {"size": [1.0, 2.0, 3.0, 4.0], "note": ["good day", "bad night", "good sir", "bad lady"]}
    clf = RecordClassifier({"size": "number", "note": "text"}).fit(table, ["a", "b", "a", "b"])
    before, written = clf.predict_proba(table), clf._archive().hash
    with pytest.raises(BadValueError, match="expected them within"):
        clf.partial_fit({"size": [1e200], "note": ["what is this"]}, ["c"])
    assert clf.classes_.tolist() == ["a", "b"]
    assert (clf.predict_proba(table) == before).all()
    assert clf._archive().hash == written
    assert clf.partial_fit(table, ["a", "b", "c", "d"]).class_count_.tolist() == [3, 3, 1, 1]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"columns": {"size": "category"}}, "not counted with size=category"),
        ({"columns": {"sizes": "number"}}, "not counted with sizes=number"),
        ({"columns": "size"}, "'columns' parameter"),
        ({"encoder": "words"}, "not counted with encoder='words'"),
        ({"encoder": "much"}, "'encoder' parameter"),
    ],
)
def test_records_are_not_counted_in_two_ways(changed: dict[str, Any], told: str) -> None:
    clf = RecordClassifier({"size": "number"}).fit(X, Y)
    was, before = clf.get_params(), clf.class_count_
    clf.set_params(**changed)
    for ask in (clf.partial_fit, clf.unlearn):
        with pytest.raises(ValueError, match=told):
            ask(X, Y)
    for ask in (clf.predict, clf.explain, lambda _: clf._archive()):
        with pytest.raises(ValueError, match=told):
            ask(X)
    clf.set_params(**was).partial_fit(X, Y)
    assert (clf.class_count_ == 2 * before).all()


@pytest.mark.parametrize(
    "table", [{1: [1.0, 2.0], "1": ["x", "y"]}, [{1: 1.0, "1": "x"}, {1: 2.0, "1": "y"}]], ids=["columns", "rows"]
)
def test_columns_of_one_name_are_refused(table: Any) -> None:
    with pytest.raises(BayleafError, match="several columns called 1"):
        RecordClassifier().fit(table, ["a", "b"])


@pytest.mark.parametrize("labels", [np.array([0, 1], dtype="M8[ns]"), np.array([0, 2**64 - 1], dtype=np.uint64)])
def test_labels_that_would_become_others_are_refused(labels: Any) -> None:
    with pytest.raises(BayleafError, match="Convert them to str"):
        RecordClassifier().fit({"size": [1.0, 2.0]}, labels)


def test_no_records_are_told_as_such() -> None:
    with pytest.raises(BayleafError, match="Found no records"):
        RecordClassifier().fit({"size": []}, [])


@pytest.mark.parametrize("count", [-1, 2.5, "3"])
def test_how_many_features(count: Any) -> None:
    with pytest.raises(BayleafError, match=r"Found count=.*, expected how many"):
        CLF.strongest(count)
