"""A model reads the numbers of further files as those that it learned from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import bayleaf
from bayleaf.cli.main import main

HEADER = "sum;share;label\n"


def row(number: int) -> str:
    """A row as a German program writes it: 1.234,56 or 1.234, and 7 %; b has the large sums."""
    label, whole = "ab"[number % 2], (1500, 4000)[number % 2] + 7 * number % 300
    cents = f",{number:02}" if number % 10 > 1 else ""
    return f"{whole // 1000}.{whole % 1000:03}{cents};{number % 9} %;{label}\n"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("all.csv").write_text(HEADER + "".join(map(row, range(100))))
    assert main(["train", "all.csv", "--label", "label", "-o", "m.bayleaf", "-q"]) == 0
    return tmp_path


def answers(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.split(",")[-2] for line in capsys.readouterr().out.splitlines()[1:]]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("sum;share\n1.500;5 %\n4.000;3 %\n", ["a", "b"]),  # which alone would be 1.5 and 4
        ("sum;share\n1.500,25;5\n4.000;3\n", ["a", "b"]),
        ("sum,share\n1500.25,5\n4000.5,3\n", ["a", "b"]),  # another program: points
        ("sum,share\n1.234,5\n", ["a"]),
        ('sum,share\n"1,500.25",5\n"4,000.50",3\n', ["a", "b"]),  # which can be nothing else
    ],
)
@pytest.mark.usefixtures("desk")
def test_a_small_file_is_read_as_the_large_one_was(
    content: str, expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("new.csv").write_text(content)
    assert main(["predict", "m.bayleaf", "new.csv", "-q"]) == 0
    assert answers(capsys) == expected


@pytest.mark.usefixtures("desk")
def test_the_note_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    Path("new.csv").write_text("sum;share\n1.500;5 %\n")
    main(["predict", "m.bayleaf", "new.csv"])
    assert "decimal comma in sum" in capsys.readouterr().err
    Path("new.csv").write_text("sum,share\n1.234,5\n")
    main(["predict", "m.bayleaf", "new.csv"])
    assert "comma in sum" not in capsys.readouterr().err, "commas part the fields: 1.234 is what it says"


@pytest.mark.usefixtures("desk")
def test_rows_that_say_nothing_of_their_commas_are_forgotten_and_learned_again() -> None:
    before = bayleaf.load("m.bayleaf")
    Path("some.csv").write_text(HEADER + row(10) + row(11))
    assert "," not in Path("some.csv").read_text()
    for command in (["forget", "m.bayleaf", "some.csv"], ["train", "some.csv", "--onto", "m.bayleaf"]):
        assert main([*command, "--label", "label", "-o", "m.bayleaf", "-q"]) == 0
    after, asked = bayleaf.load("m.bayleaf"), {"sum": ["1500", "4000", "2500"], "share": ["5", "3", None]}
    np.testing.assert_allclose(after.predict_proba(asked), before.predict_proba(asked))
    assert after.class_count_.tolist() == [50, 50]


@pytest.mark.usefixtures("desk")
def test_a_row_of_words_is_read_alike(capsys: pytest.CaptureFixture[str]) -> None:
    for words, label in ((["sum=1.500", "share=5 %"], "a"), (["sum=4.000,5", "share=5"], "b")):
        assert main(["explain", "m.bayleaf", *words, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["predicted"] == label


def test_a_remedy_that_would_divide_by_a_thousand_is_not_given(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (desk / "plain.csv").write_text("x,label\n" + "".join(f"{n}.5,{'ab'[n % 2]}\n" for n in range(40)))
    assert main(["train", "plain.csv", "--label", "label", "-o", "p.bayleaf", "-q"]) == 0
    for cell, remedy in (("9,300", "write it without a comma"), ("9,3", "write it with a point")):
        Path("new.csv").write_text(f'x\n"{cell}"\n3\n4.5\n')
        assert main(["predict", "p.bayleaf", "new.csv", "-q"]) != 0
        assert capsys.readouterr().err.endswith(f"{remedy}\n")


@pytest.mark.usefixtures("desk")
def test_a_file_whose_numerals_nobody_knows_is_refused(tmp_path: Path) -> None:
    archive = bayleaf.load("m.bayleaf")._archive()
    archive.about["numerals"] = {"sum": "roman"}
    archive.write(tmp_path / "m.bayleaf")
    Path("new.csv").write_text("sum;share\n1.500;5 %\n")
    assert main(["predict", "m.bayleaf", "new.csv", "-q"]) == 1
