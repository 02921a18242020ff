"""Hostile mails: each is read, within the limits, and says what was cut."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from attacks import mails

from bayleaf._core import MailFeatures
from bayleaf.mail.parts import parted

SECRET = b"0123456789abcdef"
# 3,000 bytes; 3,000 words, as many hidden ones, 1,000 links; four pairs for each of 1,500 words; header tokens, notes.
MOST = [3_000, 7_000, 6_000, 10_030]


def read(raw: bytes) -> MailFeatures:
    return MailFeatures.read(raw, SECRET, False)


@pytest.mark.parametrize("attack", mails.ALL, ids=lambda attack: attack.__name__)
@pytest.mark.parametrize("size", [500, 100_000])
def test_is_read_within_the_limits(attack: Callable[[int], bytes], size: int) -> None:
    mail = read(attack(size))
    assert all(found <= most for found, most in zip(mail.sizes, MOST, strict=True))
    assert len(mail.keys) == 8 * sum(mail.sizes)
    assert max(len(mail.subject), len(mail.sender)) <= 200


@pytest.mark.parametrize("name", ["parts", "headers", "parameters", "folded_parameters", "tags", "empty_parts"])
def test_a_million(name: str) -> None:
    mail = read(getattr(mails, name)(1_000_000))
    assert all(found <= most for found, most in zip(mail.sizes, MOST, strict=True))
    assert mail.notes


@pytest.mark.parametrize(
    ("name", "size", "note"),
    [
        ("parts", 1_012, "13 parts beyond the limit of 1000 left out"),
        ("nested_multiparts", 100, "parts nested deeper than 64 left out"),
        ("nested_messages", 100, "parts nested deeper than 64 left out"),
        ("nested_missing_boundaries", 2, "a multipart whose boundary never comes was read as text"),
        ("headers", 10_010, "12 header fields beyond the limit of 10000 left out"),
        ("folded_header", 30_000, "a header field was cut at 65536 bytes"),
        ("received", 65, "1 Received field beyond the limit of 64 left out"),
        ("parameters", 1_025, "Content-Type parameters beyond the limit of 1024 left out"),
        ("links", 1_001, "links beyond the limit of 1000 left out"),
        ("base64_bomb", 1_000_000, "text parts were cut at 262144 decoded bytes"),
        ("base64_noise", 10, "base64 with other characters inside"),
        ("one_body_line", 10_000, "the text was cut at 40000 bytes"),
        ("one_body_line", 4_000, "words beyond the limit of 3000 left out"),
        ("nuls_in_body", 10, "zero bytes"),
    ],
)
def test_says_what_was_cut(name: str, size: int, note: str) -> None:
    assert note in read(getattr(mails, name)(size)).notes


def test_what_was_cut_is_a_feature() -> None:
    mail = MailFeatures.read(mails.nested_messages(100), SECRET, True)
    assert "note:depth" in {mail.name(i) for i in range(len(mail.groups))}


def test_a_line_of_fifty_megabytes() -> None:
    mail = read(mails.one_line(50_000_000))
    assert "23785600 bytes beyond the limit of 26214400 left out" in mail.notes
    assert mail.identity != read(mails.one_line(50_000_001)).identity


def test_filter_headers_are_not_even_counted() -> None:
    plain, forged = read(mails.HEAD + b"\nwords\n"), read(mails.filter_headers(100_000))
    assert (plain.keys, plain.identity, plain.notes) == (forged.keys, forged.identity, forged.notes)


def test_parameters_of_the_disposition_hide_nothing() -> None:
    false = b"Content-Disposition: inline; boundary=zz; charset=utf-16\n"
    for mail in (mails.MIXED + b"--b\n\nwords\n--b--\n", mails.HTML + b"<p>words</p>"):
        plain, hidden = (MailFeatures.read(raw, SECRET, True) for raw in (mail, false + mail))
        found = [{m.name(i) for i, group in enumerate(m.groups) if group == 1} for m in (plain, hidden)]
        assert found[0] == found[1]
        assert (plain.notes, "word:words" in found[1]) == (hidden.notes, True)


def test_truncated_at_every_byte() -> None:
    golden = Path(__file__).parents[1] / "golden" / "mails"
    for name in ["plain", "multipart", "nested", "encoded-words", "hidden-text", "chinese", "base64"]:
        raw = (golden / f"{name}.eml").read_bytes()
        for end in range(len(raw)):
            assert read(raw[:end]).sizes[0] <= max(0, end - 4)


@pytest.mark.parametrize("secret", [b"", b"x" * 15, b"x" * 17])
def test_a_secret_has_sixteen_bytes(secret: bytes) -> None:
    with pytest.raises(ValueError, match=f"secret has {len(secret)} bytes, expected 16"):
        MailFeatures.read(b"", secret, False)


@pytest.mark.parametrize("threads", [1, 3])
def test_many_mails_are_read_as_one_by_one(threads: int) -> None:
    raws = [attack(50) for attack in mails.ALL] * 4
    many = MailFeatures.read_many(raws, SECRET, True, threads)
    assert [mail.keys for mail in many] == [read(raw).keys for raw in raws]


def test_a_key_that_is_not_there() -> None:
    with pytest.raises(IndexError, match="key 0 of 0"):
        MailFeatures.read_text("", SECRET, True).name(0)


def test_lone_surrogates_are_text() -> None:
    assert MailFeatures.read_text("a \ud800 b", SECRET, False).sizes[3] == 0


def test_the_head_of_a_mail_is_found_in_the_memory_of_the_mail() -> None:
    """A pattern for all its fields would remember each: 838 MB for ten."""
    raw = b"Subject: x\n" + b"a:\n" * 1_000_000 + b"\nbody\n"
    tracemalloc.start()
    _, fields, rest, _ = parted(raw)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (len(fields), rest) == (len(raw) - 6, b"\nbody\n")
    assert peak < 3 * len(raw)
