"""Folders of texts, and mailboxes."""

import gzip
import mailbox
import shutil
from pathlib import Path
from typing import Any

import pytest

from bayleaf import BayleafError, DataError
from bayleaf.mail.mailbox import mails
from bayleaf.readers import open_source

HAM = b"From: =?utf-8?q?Ann_M=C3=BCller?= <ann@example.org>\nSubject: lunch\n\nAt noon?\n"
SPAM = (
    b"From: x@example.net\nSubject: pills\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n"
    b"--b\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
    b"<html><style>p {}</style><p>Buy =C3=A9 <b>now</b><br>cheap &amp; fast<!-- <b>hid</b> --></p>\n--b--\n"
)


def read(path: Path, **options: Any) -> tuple[dict[str, list[Any]], list[Any], Any]:
    source = open_source(path, **options)
    batches = list(source.batches())
    assert len(batches) == 1
    return batches[0].columns, list(batches[0].places), source


def mbox(path: Path, mails: list[bytes]) -> None:
    path.write_bytes(b"".join(b"From x Thu Aug 22 12:36:23 2002\n" + mail + b"\n" for mail in mails))


def test_a_folder_for_each_class(tmp_path: Path) -> None:
    for label, name, raw in [
        ("spam", "1.txt", b"win"),
        ("ham", "a", "grüße".encode()),
        ("ham", "b", "é\x81".encode("latin-1")),
    ]:
        (tmp_path / label).mkdir(exist_ok=True)
        (tmp_path / label / name).write_bytes(raw)
    columns, places, source = read(tmp_path)
    assert source.format == "folder"
    assert source.rereadable
    assert columns == {
        "text": ["grüße", "é\x81", "win"],
        "label": ["ham", "ham", "spam"],
        "path": ["ham/a", "ham/b", "spam/1.txt"],
    }
    assert places == columns["path"]


def test_a_folder_without_classes_has_no_labels(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", ".hidden"):
        (tmp_path / name).write_text(f"text {name}")
    columns, places, source = read(tmp_path)
    assert columns == {"text": ["text a.txt", "text b.txt"], "path": ["a.txt", "b.txt"]}
    assert places == ["a.txt", "b.txt"]
    assert source.notes == ["text files without labels"]


def test_a_folder_without_files_and_a_binary_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "ham").mkdir()
    with pytest.raises(DataError, match="found no file in it, expected text files, to learn from in one folder for"):
        open_source(tmp_path)
    (tmp_path / "spam").mkdir()
    (tmp_path / "spam" / "x").write_bytes(b"a\0b")
    with pytest.raises(DataError, match="spam/x: found a NUL byte"):
        list(open_source(tmp_path).batches())
    with pytest.raises(DataError, match="found a folder, expected a csv file"):
        open_source(tmp_path, format="csv")


@pytest.mark.parametrize("packed", [False, True])
def test_an_mbox(tmp_path: Path, packed: bool) -> None:
    mbox(tmp_path / "box", [HAM, SPAM])
    if packed:
        (tmp_path / "box").write_bytes(gzip.compress((tmp_path / "box").read_bytes()))
    columns, places, source = read(tmp_path / "box")
    assert source.format == "mail"
    assert columns == {
        "from": ["Ann Müller <ann@example.org>", "x@example.net"],
        "subject": ["lunch", "pills"],
        "text": ["At noon?", "Buy é now\ncheap & fast"],
    }
    assert [place.rpartition(", ")[2] for place in places] == ["mail 1", "mail 2"]


def test_mails_that_were_deleted_or_moved_are_left_out(tmp_path: Path) -> None:
    mbox(tmp_path / "box", [HAM, b"X-Mozilla-Status: 0009\n" + SPAM, HAM])
    columns, places, _ = read(tmp_path / "box")
    assert columns["subject"] == ["lunch", "lunch"]
    assert [place.rpartition(", ")[2] for place in places] == ["mail 1", "mail 3"]


def test_a_folder_of_mailboxes_has_labels(tmp_path: Path) -> None:
    mbox(tmp_path / "spam.mbox", [SPAM, SPAM])
    maildir = mailbox.Maildir(tmp_path / "ham")
    maildir.add(HAM)
    columns, _, _ = read(tmp_path)
    assert columns["label"] == ["ham", "spam", "spam"]
    assert columns["subject"] == ["lunch", "pills", "pills"]


def test_a_maildir_is_read_without_the_folders_inside(tmp_path: Path) -> None:
    maildir = mailbox.Maildir(tmp_path / "Maildir")
    maildir.add(HAM)
    maildir.add_folder("Junk").add(SPAM)
    columns, _, _ = read(tmp_path / "Maildir")
    assert columns["subject"] == ["lunch"]
    columns, _, _ = read(tmp_path / "Maildir" / ".Junk")
    assert columns["subject"] == ["pills"]


@pytest.mark.parametrize("missing", ["cur", "new"])
def test_a_maildir_may_have_lost_a_folder_that_was_empty(missing: str, tmp_path: Path) -> None:
    maildir = mailbox.Maildir(tmp_path / "Maildir")
    maildir.add(HAM)
    (tmp_path / "Maildir" / "tmp" / "1").write_bytes(SPAM)  # not delivered yet
    if missing == "new":
        (tmp_path / "Maildir" / "cur").rmdir()
        (tmp_path / "Maildir" / "new").rename(tmp_path / "Maildir" / "cur")
    else:
        (tmp_path / "Maildir" / "cur").rmdir()
    columns, _, _ = read(tmp_path / "Maildir")
    assert columns["subject"] == ["lunch"]
    assert "label" not in columns
    assert list(mails(tmp_path)) == [HAM]


def test_a_folder_called_new_makes_no_maildir(tmp_path: Path) -> None:
    for label in ("new", "old"):
        (tmp_path / label).mkdir()
        (tmp_path / label / "1.eml").write_bytes(HAM)
    assert read(tmp_path)[0]["label"] == ["new", "old"]
    assert len(list(mails(tmp_path))) == 2


def test_folders_of_mails_have_labels_and_a_folder_of_mails_has_none(tmp_path: Path) -> None:
    for label, mail in [("spam", SPAM), ("ham", HAM)]:
        (tmp_path / label).mkdir()
        mbox(tmp_path / label / "0001", [mail])
    columns, _, _ = read(tmp_path)
    assert columns["label"] == ["ham", "spam"]
    columns, _, _ = read(tmp_path / "ham")
    assert list(columns) == ["from", "subject", "text"]


def test_one_mail(tmp_path: Path) -> None:
    (tmp_path / "x.eml").write_bytes(HAM)
    columns, places, _ = read(tmp_path / "x.eml")
    assert columns["text"] == ["At noon?"]
    assert places == [str(tmp_path / "x.eml")]


@pytest.mark.parametrize("name", ["spam", "ham"])
def test_what_is_gone_before_it_is_read_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "box" / name).mkdir(parents=True)
    (tmp_path / "box" / name / "x").write_bytes(HAM if name == "ham" else b"text")
    source = open_source(tmp_path / "box", format="mail" if name == "ham" else None)
    shutil.rmtree(tmp_path / "box")
    with pytest.raises(BayleafError, match="box"):
        list(source.batches())
