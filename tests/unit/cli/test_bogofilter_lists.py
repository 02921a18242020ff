"""bayleaf-bogofilter with lists of mails: -b and -B."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from bogo import run
from letters import letter, letters

from bayleaf.mail import Filter


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Filter.open(tmp_path / "bayleaf.db") as f:
        f.train_many(letters(20))
    return tmp_path


def test_a_missing_file_does_not_keep_the_others_from_being_read(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(letter(91, "spam"))
    done = run(folder, "-T", "-b", raw=f"{tmp_path}/none\n{tmp_path}/one\n".encode())
    assert done.stdout.startswith(f"{tmp_path}/one S ".encode())
    assert b"none: found nothing there" in done.stderr


@pytest.mark.parametrize("way", ["-b", "-B"])
@pytest.mark.parametrize("form", ["-v", "-T"])
def test_names_of_files_may_be_any_bytes(folder: Path, way: str, form: str) -> None:
    names = [os.fsencode(folder) + b"/" + name for name in (b"caf\xe9", "line\u2028sign".encode(), b"form\x0cfeed")]
    for name in names:
        Path(os.fsdecode(name)).write_bytes(letter(90, "spam"))
    given = [os.fsdecode(name) for name in names] if way == "-B" else []
    done = run(folder, way, form, *given, raw=b"\n".join(names) + b"\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert [
        line.partition(b"X-B" if form == "-v" else b" S ")[0].rstrip(b": ") for line in done.stdout.split(b"\n")[:-1]
    ] == names


def test_tersely_there_are_no_names(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(letter(90, "spam"))
    assert run(folder, "-t", "-B", str(tmp_path / "one")).stdout.startswith(b"S 0.9")


def test_an_empty_name_is_not_the_folder_one_is_in(folder: Path) -> None:
    done = run(folder, "-b", "-s", raw=b"\n")
    assert b"found an empty name, expected a path" in done.stderr
    with Filter.open(folder / "bayleaf.db") as f:
        assert f.store.state().totals == (20, 20)


def test_lists_say_what_bogofilter_says(folder: Path) -> None:
    for name in ("cur", "new"):
        (folder / "box" / name).mkdir(parents=True)
    (folder / "box/new/1").write_bytes(letter(90, "spam"))
    (folder / "one").write_bytes(letter(90, "ham"))
    names = [f"{folder}/box", f"{folder}/./one"]
    assert run(folder, "-B", *names).stdout == b"", "nothing without -v"
    lines = run(folder, "-v", "-B", *names).stdout.decode().splitlines()
    assert [line.partition(", ")[0] for line in lines] == [
        f"{folder}/box/new/1 X-Bogosity: Spam",
        f"{folder}/./one X-Bogosity: Ham",
    ], "a file by the name that was given, a mail in a folder by its own"


def test_a_list_of_none_is_no_mail(folder: Path) -> None:
    for way in ("-b", "-B"):
        done = run(folder, way, "-p", "-e")
        assert (done.returncode, done.stdout) == (0, b"")
