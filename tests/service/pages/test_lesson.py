"""Lesson: files of strangers, read within limits."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable

import pytest

from bayleaf.errors import DataError
from bayleaf.service.pages import lesson
from bayleaf.service.pages.lesson import NAMED, Lesson

LABELS = ("spam", "ham")


def read(content: bytes, name: str, label: str = NAMED) -> tuple[list[lesson.Mail], list[str]]:
    held = Lesson(io.BytesIO(content), name, label, LABELS, [])
    return list(held.mails()), held.notes


class Failing(io.BytesIO):
    """A disk that fails behind the first megabytes."""

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() > 2 << 20:
            raise OSError(errno.EIO, "Input/output error")
        return super().read(size)


def test_a_disk_that_fails_behind_some_mails_ends_the_lesson_with_its_fault() -> None:
    mail = b"From a@b 10:00\nSubject: a\n\nlunch?\n\n"
    with pytest.raises(OSError, match="Input/output error"):
        list(Lesson(Failing(mail * 100_000), "a.mbox", "ham", LABELS, []).mails())


def zipped(files: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()


def test_a_bomb_is_refused_before_it_is_inflated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson, "ENTRY", 1000)
    with pytest.raises(DataError, match="inflates to 1,000,000 bytes, expected at most 1,000"):
        read(zipped({"spam/a.eml": bytes(1_000_000)}), "bomb.zip")


def test_many_small_bombs_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson, "INFLATED", 2500)
    with pytest.raises(DataError, match="for all"):
        read(zipped({f"spam/{n}.eml": b"x" * 1000 for n in range(3)}), "bombs.zip")


def test_a_size_that_lies_is_found_out() -> None:
    content = zipped({"spam/a.eml": b"Subject: a\n\n" + b"y" * 5000})
    size = (5012).to_bytes(4, "little")
    assert content.count(size) == 2
    mails, notes = read(content.replace(size, (12).to_bytes(4, "little")), "lie.zip")
    assert mails == [], "what is read is what was declared, and that is not what was packed"
    assert notes[0].startswith("spam/a.eml: left out")


def test_too_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson, "ENTRIES", 2)
    with pytest.raises(DataError, match="3 files"):
        read(zipped({f"spam/{n}": b"x" for n in range(3)}), "many.zip")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_mailboxes_are_refused_and_not_learned_as_they_are(pack: Callable[[bytes], bytes]) -> None:
    packed = pack(b"Subject: offer\n\nfree\n")
    with pytest.raises(DataError, match=r"box\.gz: found a file packed .* `bayleaf mail learn`"):
        read(packed, "box.gz", "spam")
    mails, notes = read(zipped({"spam/old.gz": packed}), "a.zip")
    assert not mails
    assert "left out" in notes[0]


def test_archives_in_archives_and_large_mails_are_left_out_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson, "LONGEST", 100)
    inner = zipped({"a": b"b"})
    mails, notes = read(zipped({"spam/in.zip": inner, "spam/big": b"x" * 101, "ham/ok": b"Subject: ok\n\n"}), "a.zip")
    assert mails == [(b"Subject: ok\n\n", "ham")]
    assert ["archive in an archive" in notes[0], "101 bytes" in notes[1]] == [True, True]


def test_paths_in_archives_name_labels_and_nothing_else() -> None:
    mails, _ = read(zipped({"../../etc/spam/1": b"Subject: a\n\n", "C:\\mail\\Inbox\\2": b"Subject: b\n\n"}), "a.zip")
    assert [label for _, label in mails] == ["spam", "ham"]


def test_a_table_with_holes() -> None:
    mails, notes = read(b"\xef\xbb\xbfText,Label\nbuy\x00 now,1\n,spam\nhello,0\n\xff\xfe,other\n", "t.csv")
    assert mails == [("buy now", "spam"), ("hello", "ham")]
    assert len(notes) == 1


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_tables_as_programs_write_them(delimiter: str, encoding: str) -> None:
    """Spreadsheets put semicolons where the comma is decimal; letters were learned as signs for unreadable ones."""
    rows = [["label", "text"], ["spam", '"Grüße; kauf, \t kauf | jetzt"'], ["ham", "schöne Grüße"]]
    content = "\r\n".join(map(delimiter.join, rows)).encode(encoding)
    mails, notes = read(content, "t.csv")
    assert mails == [("Grüße; kauf, \t kauf | jetzt", "spam"), ("schöne Grüße", "ham")]
    assert bool(notes) == (encoding == "cp1252"), notes


def test_an_empty_file_has_no_mails(tmp_path: object) -> None:
    assert read(b"", "empty.mbox", "spam") == ([], [])


def test_what_does_not_begin_as_a_mail_is_noted() -> None:
    mails, notes = read(zipped({"spam/a.png": b"\x89PNG\r\n a picture", "ham/b": b"Subject: b\n\n"}), "a.zip")
    assert len(mails) == 2
    assert notes == ["spam/a.png: found no header, expected a mail; learned as it is"]


def test_what_its_reader_has_deleted_is_not_learned() -> None:
    flags = b"From - \nX-Mozilla-Status: %s\nSubject: %s\n\nhello\n\n"
    box = flags % (b"0009", b"moved to Junk") + flags % (b"0001", b"here")
    here = b"X-Mozilla-Status: 0001\nSubject: here\n\nhello\n\n"
    assert read(box, "Inbox", "ham") == ([(here, "ham")], [])
    packed = zipped({"ham/Inbox": box, "ham/1.host:2,ST": b"Subject: b\n\n", "ham/2.host:2,S": b"Subject: c\n\n"})
    assert read(packed, "a.zip") == ([(here, "ham"), (b"Subject: c\n\n", "ham")], [])


def test_a_label_may_be_written_in_capitals() -> None:
    held = Lesson(
        io.BytesIO(zipped({"Work/1": b"Subject: a\n\n", "WORK/2": b"Subject: b\n\n"})), "z", NAMED, ("Work",), []
    )
    assert [label for _, label in held.mails()] == ["Work", "Work"]
    table = Lesson(io.BytesIO(b"label,text\nwork,a\nWork,b\nWORK,c\n"), "t.csv", NAMED, ("Work", "work"), [])
    assert [*table.mails()] == [("a", "work"), ("b", "Work"), ("c", "Work")]


def test_an_archive_of_another_kind_is_left_out_and_named() -> None:
    packed = b"\x28\xb5\x2f\xfd\x04\x00"
    told = "left out, data packed with zstd, to be unpacked first (zstd -dc)"
    assert read(packed, "mails.zst", "spam") == ([], [f"mails.zst: {told}"])
    mails, notes = read(zipped({"spam/a": packed, "spam/b": b"Subject: a\n\nb\n"}), "mails.zip")
    assert (len(mails), notes) == (1, [f"spam/a: {told}"])
