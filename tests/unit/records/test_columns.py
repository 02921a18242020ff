"""What columns are taken for."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pytest

from bayleaf import BayleafError, MixedNB, RecordClassifier
from bayleaf.records import guess

RNG = np.random.default_rng(0)
SENTENCES = [f"the {a} sat on the {b}" for a in ("cat", "dog", "cow") for b in ("mat", "mill", "moon", "map")]


@pytest.mark.parametrize(
    ("column", "kind", "why"),
    [
        (["0.1", "3", "7.9", ""], "number", "0.1 to 7.9"),
        ([0.5, None, float("nan"), 2], "number", "0.5 to 2"),
        (np.array([1.5, 2.5]), "number", "1.5 to 2.5"),
        ([str(i * i) for i in range(100)], "number", "0 to 9801"),
        (["red", "green", "red", "blue"] * 5, "category", "3 values"),
        (["0", "1", "1", "0"], "category", "2 values"),
        ([True, False, None], "category", "2 values"),
        ([str(i % 4) for i in range(200)], "category", "4 values"),
        ([str(i % 4) for i in range(40)], "number", "0 to 3"),
        (["01234", "98765", "01234", "00001"] * 3, "category", "3 values"),
        (["1", "2", "3", "A"] * 10, "category", "4 values"),
        (["some college", "no degree yet"] * 30, "category", "2 values"),
        ([f"1_{i % 3}" for i in range(30)], "category", "3 values"),
        (SENTENCES, "text", "about 6 words each"),
        (["猫が好きです", "犬が嫌いです", "今日は雨です"], "text", "about 6 letters each"),
        ([f"ﾃﾞﾝｷﾀﾞｲ{i}" for i in range(30)], "text", "about 9 letters each"),
        ([f"https://example.org/a/long/path/{i}" for i in range(30)], "text", "about 34 letters each"),
        ([f"A-{i}" for i in range(30)], "ignore", "another value in every row"),
        ([f"A-{min(i, 28)}" for i in range(30)], "ignore", "another value in nearly every row"),
        ([str(i) for i in range(1, 31)], "ignore", "another value in every row"),
        ([str(i) for i in range(1, 201) if i % 9], "ignore", "another value in every row"),
        ([str(i) for i in RNG.permutation([i for i in range(200) if i % 9])], "ignore", "another value in every row"),
        ([str(i) for i in RNG.permutation(90)[:30]], "number", None),
        ([str(i) for i in RNG.integers(10_000_000, 99_999_999, 30)], "ignore", "another value in every row"),
        (["x", "x", None], "ignore", "always the same"),
        ([None, "", "NA", "?"], "ignore", "nothing in it"),
        (["2024-01-31", "2024-02-01T10:00:00Z"], "ignore", "dates: turn them into numbers to use them"),
        ([dt.date(2024, 1, 31), None, dt.date(2024, 2, 1)], "ignore", "dates: turn them into numbers to use them"),
        ([dt.timedelta(hours=i) for i in range(30)], "ignore", "dates: turn them into numbers to use them"),
        (np.array([0.5, np.inf, -np.inf, 2.0, 2.5]), "number", "-inf to inf"),
        (["0.5", "inf", "inf", "2.0"], "category", "3 values"),
        ([*(f"{i / 7:.3f}" for i in range(60)), "unknown"], "number", "0 to 8.429"),
    ],
)
def test_kind_and_reason(column: Any, kind: str, why: str | None) -> None:
    found = guess({"column": column})["column"]
    assert found == (kind, found.why if why is None else why)


@pytest.mark.parametrize(("cell", "kind"), [("3.5", "number"), ("red", "category"), ("good morning to all", "text")])
def test_one_row_is_enough_to_go_on(cell: str, kind: str) -> None:
    assert guess({"column": [cell]})["column"].kind == kind


@pytest.mark.parametrize(
    ("learned", "asked"),
    [(["1", "2"], ["1.0", "2.00"]), (["TRUE", "FALSE"], [True, "false"]), ([[1], [2]], ["[1]", "[2]"])],
)
def test_a_category_is_one_however_it_is_written(learned: list[Any], asked: list[Any]) -> None:
    clf = RecordClassifier({"x": "category"}).fit({"x": learned * 10}, ["a", "b"] * 10)
    found = clf.predict_proba({"x": asked})
    assert found.tolist() == clf.predict_proba({"x": learned}).tolist()
    assert found[0, 0] > 0.9


def test_infinity_is_refused_and_what_is_masked_is_missing() -> None:
    size, labels = np.array([1.0, 2.0, 8.0, 9.0, np.inf]), ["a", "a", "b", "b", "b"]
    with pytest.raises(BayleafError, match="Found inf in row 4 of column 'size'"):
        RecordClassifier().fit({"size": size}, labels)
    masked = RecordClassifier().fit({"size": np.ma.masked_invalid(size)}, labels)
    missing = RecordClassifier().fit({"size": [*size[:4], None]}, labels)
    assert masked.predict_proba({"size": [4.0]}).tolist() == missing.predict_proba({"size": [4.0]}).tolist()


@pytest.mark.parametrize("model", [RecordClassifier, MixedNB])
def test_two_columns_of_one_name_are_refused(model: Any) -> None:
    frame = pytest.importorskip("pandas").DataFrame([[1.0, "x"], [2.0, "y"]], columns=["a", "a"])
    with pytest.raises(BayleafError, match="several columns called a; expected one"):
        model().fit(frame, [0, 1])


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ([10**18 + i for i in range(40)], ("ignore", "another value in every row")),
        (np.array([2**64 - 1 - i for i in range(40)], dtype=np.uint64), ("ignore", "another value in every row")),
        ([str(10**18), str(10**18 + 1)] * 20, ("category", "2 values")),
        ([1e16 * 7**i for i in range(12)], ("number", "1e+16 to 1.977327e+25")),
        (["1", "1.0", "1.00"], ("ignore", "always the same")),
    ],
)
def test_numbers_that_float64_cannot_tell_apart_are_names(cells: Any, found: tuple[str, str]) -> None:
    assert guess({"column": cells})["column"] == found


@pytest.mark.parametrize("nothing", ["None", "n/a", "-", ".", "#N/A"])
def test_what_stands_for_no_number_makes_no_category(nothing: str) -> None:
    size = [nothing if n % 4 == 0 else str(n * 1.5) for n in range(80)]
    assert guess({"size": size})["size"] == ("number", "1.5 to 118.5")
    labels = ["a" if n < 40 else "b" for n in range(80)]
    found = RecordClassifier().fit({"size": size}, labels)
    blank = RecordClassifier().fit({"size": [None if cell == nothing else cell for cell in size]}, labels)
    assert found.predict_proba({"size": ["9", nothing]}).tolist() == blank.predict_proba({"size": ["9", ""]}).tolist()
    assert guess({"code": ["1", "2", "3", nothing] * 30})["code"].kind == "category"
    assert guess({"code": [nothing] * 30})["code"] == ("ignore", "always the same")


@pytest.mark.parametrize("form", ["{}-11-{:02}", "{}/11/{}", "{1}.11.{0}", "{1:02}/11/{0}", "{1}-11-{0} 9:30"])
def test_dates_are_dates_however_they_are_written(form: str) -> None:
    dates = [form.format(2020 + n % 3, 1 + n % 9) for n in range(60)]
    assert guess({"day": dates})["day"] == ("ignore", "dates: turn them into numbers to use them")
    assert guess({"version": ["1.2.3", "1.12.7"] * 30})["version"].kind == "category"
