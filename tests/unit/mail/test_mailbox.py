"""Mailboxes: every dialect gives the same mails."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from bayleaf import BayleafError
from bayleaf.mail import mbox
from bayleaf.mail.deleted import deleted
from bayleaf.mail.mailbox import mails
from bayleaf.mail.mbox import PART, Mbox
from bayleaf.mail.pieces import split
from bayleaf.mail.renamed import _flagged

ONE = b"Subject: one\n\nhello\n"
TWO = b"Subject: two\n\nFrom here on it goes\n>From quoted twice\nbye\n"
LINE = b"From me@example.org Mon Jan  1 10:00:00 2024\n"


def quoted(raw: bytes) -> bytes:
    return raw.replace(b"\n>From", b"\n>>From").replace(b"\nFrom", b"\n>From")


def test_mboxrd() -> None:
    assert list(split(LINE + quoted(ONE) + b"\n" + LINE + quoted(TWO) + b"\n")) == [ONE, TWO + b"\n"]


def test_mboxrd_with_crlf() -> None:
    box = (LINE + quoted(ONE) + b"\n" + LINE + quoted(TWO)).replace(b"\n", b"\r\n")
    assert list(split(box)) == [ONE.replace(b"\n", b"\r\n"), TWO.replace(b"\n", b"\r\n")]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_an_mbox_without_empty_lines_between_its_mails(end: bytes) -> None:
    box = (LINE + quoted(ONE) + LINE + quoted(TWO) + LINE + ONE).replace(b"\n", end)
    assert list(split(box)) == [raw.replace(b"\n", end) for raw in (ONE, TWO, ONE)]
    for text in (ONE + LINE, ONE + LINE + b"wrote he\n", ONE + b"From 10:00 on:\nLunch: at noon\n"):
        assert list(split(LINE + text)) == [text], "no header follows, or no date"


@pytest.mark.parametrize("name", [b"Content-Length", b"content-length"])
def test_mboxcl2_has_lengths_and_no_quotes(name: bytes) -> None:
    body = b"hello\n\n" + LINE + b"\nis no new mail\n"
    one = b"Subject: one\n%b: %d\n\n" % (name, len(body)) + body
    assert list(split(LINE + one + b"\n" + LINE + ONE)) == [one, ONE]


@pytest.mark.parametrize("length", [b"1", b"99999999", b"9" * 5000, b"-3", b"x"])
def test_a_wrong_length_is_not_believed(length: bytes) -> None:
    one = b"Subject: one\nContent-Length: " + length + b"\n\nhello\n"
    assert list(split(LINE + one + b"\n" + LINE + ONE)) == [one, ONE]


def test_a_length_in_the_text_of_a_mail_without_header_is_no_length() -> None:
    raw = b"\nContent-Length: 6\n\nhello\nbye\n"
    assert list(split(LINE + raw + b"\n" + LINE + ONE)) == [raw, ONE]
    short = b"\nContent-Length: 6\n\nhello\n"
    assert list(split(LINE + b"\n" + LINE + short[1:] + b"\n" + LINE + ONE)) == [b"", short[1:], ONE]


def test_a_sentence_that_begins_with_from_is_no_new_mail() -> None:
    raw = b"Subject: one\n\nhello\n\nFrom what I hear, it is late\n"
    assert list(split(LINE + raw)) == [raw]


@pytest.mark.parametrize("line", [b"From \n", b"From -\n", b"From - \n"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_thunderbird_writes_lines_without_sender_and_time(line: bytes, end: bytes) -> None:
    box = (line + quoted(ONE) + b"\n" + line + quoted(TWO)).replace(b"\n", end)
    assert list(split(box)) == [ONE.replace(b"\n", end), TWO.replace(b"\n", end)]
    text = ONE + b"\n" + line + b"is no new mail\n"
    assert list(split(LINE + text)) == [text], "no header follows"


def test_a_single_mail_is_left_alone() -> None:
    raw = b"Subject: x\n\n" + LINE + b">From me\n"
    assert list(split(raw)) == [raw]
    assert list(split(b"")) == [b""]


def test_folders_are_read_with_all_in_them(tmp_path: Path) -> None:
    for place in (
        "inbox/cur/1",
        "inbox/new/2",
        "inbox/tmp/3",
        "inbox/.Sent/cur/4",
        "plain/#1 offer.eml",
        "plain/deep/er/5",
        "plain/.Trash/6",
    ):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_bytes(b"Subject: " + place.encode())
    (tmp_path / "inbox/dovecot-uidlist").write_bytes(b"3 V1")
    (tmp_path / "plain/.mh_sequences").write_bytes(b"unseen: 1")
    for other in (",7", "#8", "cyrus.cache", "box.ibex.index"):  # deleted by nmh, and indexes
        (tmp_path / "plain" / other).write_bytes(ONE)
    (tmp_path / "box").write_bytes(LINE + ONE + b"\n" + LINE + ONE)
    (tmp_path / "plain/deep/above").symlink_to(tmp_path)  # a circle
    assert len(list(mails(tmp_path))) == 6


@pytest.mark.parametrize("layout", [".Junk", "Junk"])  # Maildir++ and Dovecot's "fs"
def test_a_maildir_is_its_own_mail_and_the_folders_inside_are_named(tmp_path: Path, layout: str) -> None:
    for place in ("cur/1", "new/2", "tmp/3", f"{layout}/cur/4", f"{layout}/new/5"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_bytes(b"Subject: " + place.encode())
    for index in ("dovecot-uidlist", "subscriptions", "cur/.nfs01"):
        (tmp_path / index).write_bytes(b"3 V1")
    assert [raw[-1:] for raw in mails(tmp_path)] == [b"1", b"2"]
    assert [raw[-1:] for raw in mails(tmp_path / layout)] == [b"4", b"5"]


def test_a_mail_that_is_seen_for_the_first_time_meanwhile(tmp_path: Path) -> None:
    for place in ("cur/1:2,S", "cur/4", "new/2", "new/3", "new/33"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_bytes(b"Subject: " + place.encode())
    found = mails(tmp_path)
    assert next(found)[9:] == b"cur/1:2,S"
    (tmp_path / "cur" / "4").rename(tmp_path / "cur" / "4:2,S")  # delivered without flags
    assert [next(found)[9:], next(found)[9:]] == [b"cur/4", b"new/2"]
    for name in ("33", "3"):
        (tmp_path / "new" / name).rename(tmp_path / "cur" / f"{name}:2,S")
    assert [raw[9:] for raw in found] == [b"new/3", b"new/33"]


def test_a_maildir_that_is_all_marked_as_read_meanwhile_is_listed_once_more_not_once_per_mail(tmp_path: Path) -> None:
    cur = tmp_path / "cur"
    cur.mkdir()
    for number in range(10, 60):
        (cur / f"{number}:2,").write_bytes(b"Subject: %d" % number)
    found = mails(tmp_path)
    assert next(found) == b"Subject: 10"
    for mail in sorted(cur.iterdir()):
        mail.rename(f"{mail}S")
    os.utime(cur, (1e9, 1e9))  # long ago
    before = _flagged.cache_info().misses
    assert list(found) == [b"Subject: %d" % number for number in range(11, 60)]
    assert _flagged.cache_info().misses == before + 1


def test_a_mail_that_is_renamed_in_the_same_tick_of_the_clock_as_another_is_found(tmp_path: Path) -> None:
    cur, now = tmp_path / "cur", time.time_ns()
    cur.mkdir()
    for number in range(3):
        (cur / f"{number}:2,").write_bytes(b"Subject: %d" % number)
    found = mails(tmp_path)
    assert next(found) == b"Subject: 0"
    for number in (1, 2):
        (cur / f"{number}:2,").rename(cur / f"{number}:2,S")
        os.utime(cur, ns=(now, now))
        assert next(found) == b"Subject: %d" % number


@pytest.mark.parametrize("behind", range(10))  # bytes behind the first mail that come with it
def test_a_length_is_believed_wherever_the_file_is_cut_into_parts(behind: int) -> None:
    head = b"Subject: one\nContent-Length: %d\n\n"
    size = PART - behind - len(LINE + head % PART)
    one = head % size + (b"hello\n\n" + LINE).ljust(size - 1, b"x") + b"\n"
    box = LINE + one + b"\n" + LINE + ONE
    assert [mail for _, _, mail in Mbox(iter((box[:PART], box[PART:])))] == [one, ONE]


def test_a_large_mail_is_read_whole(tmp_path: Path) -> None:
    large = b"Subject: large\n\n" + b"words " * 200_000
    (tmp_path / "1.eml").write_bytes(large)
    assert list(mails(tmp_path)) == [large]


@pytest.mark.parametrize("before", [1, 20, 5000])  # bytes of the next mail at the end of what was read so far
def test_the_mail_behind_one_that_was_cut_off_is_found(before: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mbox, "LONGEST", 1000)
    long = (LINE + b"Subject: long\n\n").ljust(2 * PART - before - 2, b"x") + b"\n\n"
    box = long + LINE + ONE
    found = Mbox(box[at : at + PART] for at in range(0, len(box), PART))
    assert [(begin, number, len(mail)) for begin, number, mail in found] == [(0, 1, 1000), (len(long), 2, len(ONE))]


def test_nothing_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(BayleafError, match="found nothing there"):
        list(mails(tmp_path / "nowhere"))


def test_what_its_reader_has_deleted_is_not_in_a_mailbox(tmp_path: Path) -> None:
    """Thunderbird and Maildir keep a mail that was moved, marked, until somebody tidies up."""
    flags = b"X-Account-Key: account1\nX-UIDL: 12\nX-Mozilla-Status: %s\nX-Mozilla-Status2: 00000000\n"
    forged = b"Received: from x\nX-Mozilla-Status: 0008\n" + TWO
    box = LINE + flags % b"0009" + ONE + b"\n" + LINE + flags % b"0001" + TWO + b"\n" + LINE + forged
    (tmp_path / "Inbox").write_bytes(box)
    assert list(mails(tmp_path / "Inbox")) == [
        flags % b"0001" + TWO.replace(b"\n>From", b"\nFrom"),
        forged.replace(b"\n>From", b"\nFrom"),
    ]
    folder = tmp_path / "Maildir" / "cur"
    folder.mkdir(parents=True)
    for name in ("1.host:2,ST", "2.host:2,S", "3.host:2,", "4.T.host"):
        (folder / name).write_bytes(name.encode())
    assert sorted(mails(tmp_path / "Maildir")) == [b"2.host:2,S", b"3.host:2,", b"4.T.host"]
    assert list(mails(folder / "1.host:2,ST")) == [b"1.host:2,ST"], "who names it wants it"


def test_what_servers_note_in_a_mailbox_is_no_mail() -> None:
    note = b"From: Mail System Internal Data <x>\nSubject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\n\nkeep\n"
    assert deleted(note, 1)
    assert not deleted(note, 2)
    assert not deleted(b"Subject: hello\n\n" + note, 1 + 1)


@pytest.mark.parametrize("lead", [b"\xef\xbb\xbf", b"\n", b"\r\n\r\n", b"\xef\xbb\xbf\n"])
def test_what_an_editor_puts_before_an_mbox(lead: bytes) -> None:
    box = lead + LINE + ONE + b"\n" + LINE + ONE
    found = list(Mbox(iter([box])))
    assert [(number, raw) for _, number, raw in found] == [(1, ONE), (2, ONE)]
    assert [box[begin : begin + 5] for begin, _, _ in found] == [b"From "] * 2
    assert [raw for _, _, raw in Mbox(iter([lead + ONE]))] == [lead + ONE], "a mail without a header stays as it is"
