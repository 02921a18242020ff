"""Answers, byte for byte."""

from __future__ import annotations

import pytest

from bayleaf.mail import Clue, Verdict
from bayleaf.service.points import points
from bayleaf.service.spamd.answer import judged, told
from bayleaf.service.spamd.request import Request

MAIL = b"Subject: a\n\nbody\n"


def verdict(label: str, odds: float = 4.6, notes: tuple[str, ...] = (), clues: tuple[Clue, ...] = ()) -> Verdict:
    best = "spam" if odds > 0 else "ham"
    shares = {"spam": 0.99, "ham": 0.01} if odds > 0 else {"spam": 0.01, "ham": 0.99}
    return Verdict(label, best, shares, {"spam": odds, "ham": -odds}, list(notes), lambda: clues)


def ask(verb: str, version: tuple[int, int], said: Verdict, mail: bytes = MAIL) -> bytes:
    return judged(Request(verb, version, {}, mail), said)


@pytest.mark.parametrize(
    ("label", "odds", "score"),
    [
        ("spam", 4.6, 10.5),
        ("spam", 2.1, 5.0),
        ("ham", -4.6, -10.5),
        ("ham", -2.0, -5.0),
        ("unsure", 0.0, 0.0),
        ("unsure", 9.0, 4.9),
        ("unsure", -9.0, -4.9),
        ("spam", 900.0, 99.9),
    ],
)
def test_spam_is_exactly_what_reaches_the_threshold(label: str, odds: float, score: float) -> None:
    assert points(verdict(label, odds)) == score
    assert (score >= 5.0) is (label == "spam")


def test_a_store_without_spam_calls_nothing_spam() -> None:
    said = Verdict("work", "work", {"work": 0.9, "home": 0.1}, {"work": 2.2, "home": -2.2}, [], tuple)
    assert ask("CHECK", (1, 5), said) == b"SPAMD/1.1 0 EX_OK\r\nSpam: False ; -5.0 / 5.0\r\n\r\n"
    assert ask("SYMBOLS", (1, 5), said).endswith(b"\r\n\r\nBAYLEAF_WORK")


def test_check() -> None:
    for version in ((1, 0), (1, 2), (1, 5)):
        expected = b"SPAMD/1.1 0 EX_OK\r\nSpam: True ; 10.5 / 5.0\r\n\r\n"
        assert ask("CHECK", version, verdict("spam")) == expected


def test_symbols_by_version() -> None:
    said = verdict("unsure", 0.5, ("only 3 mails of spam have been learned", "only 4 mails of spam have been learned"))
    names = b"BAYLEAF_UNSURE,BAYLEAF_NOTE_ONLY_MAILS_OF_SPAM_HAVE_BEEN_LEARNED"
    head = b"SPAMD/1.1 0 EX_OK\r\n"
    spam = b"Spam: False ; 1.1 / 5.0\r\n\r\n"
    assert ask("SYMBOLS", (1, 5), said) == head + b"Content-length: %d\r\n" % len(names) + spam + names
    assert ask("SYMBOLS", (1, 2), said) == head + spam + names + b"\r\n"


def test_process_by_version() -> None:
    new, old, oldest = (ask("PROCESS", version, verdict("spam")) for version in ((1, 5), (1, 2), (1, 0)))
    head, _, mail = new.partition(b"\r\n\r\n")
    assert head == b"SPAMD/1.1 0 EX_OK\r\nContent-length: %d\r\nSpam: True ; 10.5 / 5.0" % len(mail)
    assert old == b"SPAMD/1.1 0 EX_OK\r\nContent-length: %d\r\n\r\n" % len(mail) + mail
    assert oldest == b"SPAMD/1.0 0 EX_OK\r\n" + mail
    assert mail.endswith(MAIL)


def test_headers_end_with_the_empty_line() -> None:
    assert ask("HEADERS", (1, 5), verdict("ham", -4.6)).endswith(b"\nSubject: a\n\n")
    assert ask("HEADERS", (1, 5), verdict("ham", -4.6), b"Subject: a\r\n\r\nbody").endswith(b"\r\nSubject: a\r\n\r\n")


def test_report_if_spam_is_empty_for_ham() -> None:
    said = ask("REPORT_IFSPAM", (1, 5), verdict("ham", -4.6))
    assert said == b"SPAMD/1.1 0 EX_OK\r\nContent-length: 0\r\nSpam: False ; -10.5 / 5.0\r\n\r\n"


def test_a_report_lets_no_strange_signs_through() -> None:
    clues = (Clue("word:\r\nX-Spam-Flag: NO\x1b[2J\N{GREEK SMALL LETTER ALPHA}", "word", 4.6, (1, 0)),)
    text = ask("REPORT", (1, 5), verdict("spam", clues=clues)).partition(b"\r\n\r\n")[2]
    assert text.isascii()
    assert b" 10.5 word:??X-Spam-Flag: NO?[2J\\u03b1" in text
    assert not any(line.startswith(b"X-") for line in text.splitlines())


def test_told() -> None:
    assert told("DidSet") == b"SPAMD/1.1 0 EX_OK\r\nDidSet: local\r\n\r\n"
    assert told(None) == b"SPAMD/1.1 0 EX_OK\r\n\r\n"
