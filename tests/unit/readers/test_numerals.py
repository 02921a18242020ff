"""Numbers with commas: read where there is no doubt, left alone where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayleaf.readers import open_source
from bayleaf.readers.numerals import COMMA, POINT, numerals

MONEY = st.decimals(-9_999_999, 9_999_999, places=2)


@given(MONEY, st.booleans())
def test_a_number_is_the_same_in_every_notation(number: object, grouped: bool) -> None:
    english = f"{number:,.2f}" if grouped else f"{number:.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert COMMA.plain(german) == POINT.plain(english) == f"{number:.2f}"
    assert numerals({"sum": [german, ""]}, ";") == {"sum": COMMA}


@pytest.mark.parametrize(
    ("cells", "delimiter", "words"),
    [
        (["4694,66", "1200"], ";", "decimal comma"),
        (["1.234,56", "NA", "-7"], "\t", "decimal comma"),
        (["0,125", "1,234"], ";", "decimal comma"),
        (["1,000.50", "12.25"], ",", "commas between thousands"),
        (["1,000,000", "5"], ";", "commas between thousands"),
        (["1,234", "5,678"], ";", None),  # either
        (["1,234", "5,678"], ",", None),
        (["4694,66"], ",", None),  # a comma file does not write decimals so
        (["4694,66", "1,000.50"], ";", None),
        (["4694,66", "unknown"], ";", None),
        (["4694,66"] * 9 + ["unknown"], ";", "decimal comma"),  # reading the word as a number is refused, with its line
        (["1,2,3", "4,5"], ";", None),
        (["2,5 %", "3,5 %"], ";", "numbers with %"),
        (["5%", "12%", ""], ",", "numbers with %"),
        (["$1,234.50", "-$12.00", "$ 7"], ",", "numbers with $"),
        (["$1,234", "$12"], ",", "numbers with $"),
        (["1.234,50 €", "-12,00 €"], ";", "numbers with €"),
        (["12.50 €", "7.00 €"], ";", "numbers with €"),
        (["1,234 €", "5,678 €"], ";", None),  # either
        (["12.50 €", "$ 7.00"], ";", None),  # amounts that cannot be compared
        (["50%50", "7%8"], ";", None),
        (["1'234.50", "12"], ";", "apostrophes between thousands"),
        (["1\u202f234,50", "12"], ";", "decimal comma"),
        (["1 234,50", "12"], ";", "decimal comma"),
        (["5' 11", "6' 2"], ",", None),
        (["3.5", "4"], ";", None),
        ([], ";", None),
    ],
)
def test_what_leaves_no_doubt(cells: list[str], delimiter: str, words: str | None) -> None:
    found = numerals({"column": cells}, delimiter)
    assert [how.words for how in found.values()] == ([words] if words else [])


def test_a_file_tells_and_keeps_its_cells(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("sum;rate;name\n4694,66;1,234;a, b\n1.000,5;;c\nnone;2,5;d\n")
    with open_source(path) as source:
        assert source.notes == ["delimiter semicolon", "decimal comma in rate"]  # sum holds a word
        (batch,) = source.batches()
    assert batch.columns["rate"] == ["1,234", None, "2,5"]
    assert batch.plain()["rate"] == ["1.234", None, "2.5"]
    assert batch.plain()["sum"] == ["4694,66", "1.000,5", "none"]
    assert batch.plain()["name"] == ["a, b", "c", "d"]


def test_thousands_in_quotes(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text('sum,name\n"1,000.50",a\n12,b\n')
    with open_source(path) as source:
        (batch,) = source.batches()
    assert batch.plain() == {"sum": ["1000.50", "12"], "name": ["a", "b"]}


def test_one_sign_for_all_is_read_and_told(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text('sum,rate,name\n"$1,000.50",5%,a\n-$12,,b\n$ 7,12 %,$\n')
    with open_source(path) as source:
        assert source.notes == ["delimiter comma", "numbers with $ in sum", "numbers with % in rate"]
        (batch,) = source.batches()
    assert batch.plain() == {"sum": ["1000.50", "-12", "7"], "rate": ["5", None, "12"], "name": ["a", "b", "$"]}


def test_a_sign_settles_its_own_column_only() -> None:
    columns = {"rate": ["5 %", "7 %"], "sum": ["$3000.5", "$12.25"], "odd": ["1,234", "5,678"]}
    assert list(numerals(columns, ";")) == ["rate", "sum"]
    found = numerals({**columns, "size": ["4694,66", "0,5"]}, ";")
    assert [found[name].plain(cells[0]) for name, cells in columns.items()] == ["5", "3000.5", "1.234"]
