"""A mistyped command or option: the last line says which one was meant."""

import pytest
from desk import bayleaf


@pytest.mark.parametrize(
    ("words", "code", "meant"),
    [
        ("tran rows.csv", 2, "did you mean train?"),
        ("lern --spam x", 2, "did you mean mail learn?"),
        ("learn --spam x", 2, "did you mean mail learn?"),
        ("mail lern --spam x", 64, "did you mean mail learn?"),
        ("train rows.csv --lable team", 2, "did you mean --label instead of --lable?"),  # and -o is missing
        ("train rows.csv --colums=a=text -o m.bayleaf", 2, "did you mean --columns instead of --colums?"),
        ("mail judge --sotre x.db one.eml", 64, "did you mean --store instead of --sotre?"),
    ],
)
def test_a_mistyped_word_is_guessed_in_the_last_line(words: str, code: int, meant: str) -> None:
    done = bayleaf(*words.split())
    assert done.returncode == code
    assert meant in done.stderr.splitlines()[-1]
    assert done.stdout == ""


@pytest.mark.parametrize("words", ["fly", "train --lab team", "train rows.csv --zzz"])
def test_nothing_is_guessed_where_nothing_is_near_or_an_option_is_cut_short(words: str) -> None:
    done = bayleaf(*words.split())
    assert done.returncode == 2
    assert "did you mean" not in done.stderr
