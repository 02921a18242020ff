"""Answers, byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayleaf.mail import Clue, Verdict
from bayleaf.mail.marked import marked
from bayleaf.service.marks import OURS, lines
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


mailish = st.lists(
    st.sampled_from(
        [b"Subject: a", b"\tfolded", b"From x", b"", b"\r", b"body", b":", b"\x00\xff", b"\n", b"\r\n", b"\n"]
    )
).map(b"".join)


@given(st.one_of(st.binary(max_size=200), mailish))
def test_not_a_byte_is_changed_but_for_our_lines(mail: bytes) -> None:
    head, rest = marked(mail, lines(verdict("spam")), OURS)
    added = b"".join(line for line in head.splitlines(keepends=True) if line.startswith((b"X-Spam-", b"X-Bayleaf-")))
    assert added.count(b"\n") == 6
    assert (head + rest).replace(added, b"", 1) == mail
    whole, block = (ask(verb, (1, 0), verdict("spam"), mail).partition(b"\r\n")[2] for verb in ("PROCESS", "HEADERS"))
    assert whole == head + rest
    assert whole.startswith(block), "spamc appends the body to that"


@given(
    st.lists(st.sampled_from([b"X-Spam-Flag: NO", b"x-spam-status: No\n\tmore", b"X-BAYLEAF-Verdict: ham", b"A: b"]))
)
def test_forged_lines_are_gone_and_others_stay(forged: list[bytes]) -> None:
    mail = b"".join(line + b"\n" for line in forged) + b"\nX-Spam-Flag: in the body\n"
    head, rest = marked(mail, lines(verdict("ham", -4.6)), OURS)
    assert rest == b"\nX-Spam-Flag: in the body\n"
    assert head.count(b"A: b\n") == forged.count(b"A: b")
    assert head.lower().count(b"x-spam-status:") == 1
    assert head.lower().count(b"x-bayleaf-verdict:") == 1
    assert b"X-Spam-Flag" not in head
    assert b"more" not in head


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


def test_a_report_of_labels_in_any_script() -> None:
    said = Verdict("мусор", "мусор", {"мусор": 0.9, "да": 0.1}, {"мусор": 2.2, "да": -2.2}, ["note α"], tuple)
    assert ask("REPORT", (1, 5), said).isascii()


def test_told() -> None:
    assert told("DidSet") == b"SPAMD/1.1 0 EX_OK\r\nDidSet: local\r\n\r\n"
    assert told(None) == b"SPAMD/1.1 0 EX_OK\r\n\r\n"


def test_what_is_only_likely_spam_is_not_marked_as_such() -> None:
    said = verdict("unsure", 9.0)
    assert b"X-Spam-Flag" not in ask("PROCESS", (1, 5), said)
    assert ask("REPORT_IFSPAM", (1, 5), said).endswith(b"\r\n\r\n"), "no report"


def test_header_lines_are_as_long_as_mail_allows_at_most() -> None:
    said = verdict("spam", 900.0, tuple(chr(65 + n) * 500 for n in range(26)))
    assert all(len(line) <= 998 for line in ask("HEADERS", (1, 5), said).splitlines())


def test_clues_of_a_report_add_to_the_score_for_spam() -> None:
    clues = (Clue("word:lunch", "word", 4.6, (0, 3)),)
    assert b"\r\n-10.5 word:lunch\r\n" in ask("REPORT", (1, 5), verdict("ham", -4.6, clues=clues))
    shares, scores = {"spam": 0.01, "ham": 0.9, "work": 0.09}, {"spam": -4.0, "ham": 3.0, "work": 1.0}
    several = Verdict("ham", "ham", shares, scores, [], lambda: clues)
    assert b"word:lunch" not in ask("REPORT", (1, 5), several), "which speaks for ham, not against spam"
