"""A mistyped command or option: the last line says which one was meant."""

from pathlib import Path

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


@pytest.mark.parametrize("words", ["fly", "train --lab team", "train rows.csv --zzz", "inspect m --as x"])
def test_nothing_is_guessed_where_nothing_is_near_or_an_option_is_cut_short(words: str) -> None:
    done = bayleaf(*words.split())
    assert done.returncode == 2
    assert "did you mean" not in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("evaluate m.bayleaf rows.csv", 2, "rows.csv (a model is given by --model MODEL);"),
        ("predict m.bayleaf rows.csv out.csv", 2, "out.csv (a file to write is given by -o PATH);"),
        ("mail check my.db", 64, "my.db (a store is given by --store STORE);"),
        ("mail evaluate junk inbox", 64, "junk inbox (mails are given by --spam PATH and --ham PATH);"),
        ("mail correct --spam one.eml", 64, "PATH (there is no option --spam);"),
    ],
)
def test_a_word_too_many_is_told_with_the_option_it_belongs_to(words: str, code: int, told: str) -> None:
    done = bayleaf(*words.split())
    assert (done.returncode, told in done.stderr) == (code, True), done.stderr


def test_a_file_whose_name_begins_as_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-q.csv").write_text("text,label\n")
    done = bayleaf("train", "-q.csv", "-o", "m.bayleaf")
    assert (done.returncode, "begins with - is written ./-q.csv" in done.stderr) == (2, True), done.stderr


ADDRESS = "postgresql://ann:secret@127.0.0.1:1/mail"


@pytest.mark.parametrize(
    "words",
    [
        f"mail backup {ADDRESS}",
        f"mail restore {ADDRESS}",
        f"mail judge {ADDRESS}",
        f"mail correct spam {ADDRESS}",
        f"mail learn --as work {ADDRESS}",
        f"mail evaluate --index={ADDRESS}",
        f"mail evaluate --scores {ADDRESS} --spam x",
        f"train {ADDRESS} --label team -o m.bayleaf",
        f"train rows.csv --label team -o {ADDRESS}",
        f"merge a.bayleaf {ADDRESS} -o m.bayleaf",
        f"serve --token-file {ADDRESS}",
        f"serve --spamd {ADDRESS}",
    ],
)
def test_an_address_where_a_file_is_expected_is_refused_without_its_password(words: str, tmp_path: Path) -> None:
    done = bayleaf(*words.split(), BAYLEAF_STORE=str(tmp_path / "m.db"))
    assert done.returncode == (64 if words.startswith("mail") else 2)
    told = "found the address postgresql://ann:***@127.0.0.1:1/mail, expected a file; a store in a database is named by"
    assert told in done.stderr
    assert "secret" not in done.stdout + done.stderr


def test_an_address_that_is_no_command_is_shown_without_its_password() -> None:
    for words in ([ADDRESS], ["mail", ADDRESS]):
        told = bayleaf(*words).stderr.splitlines()[-1]
        assert "there is no command" in told
        assert "secret" not in told
