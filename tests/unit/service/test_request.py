"""Requests as they come over the wire: whole, in pieces, lying, broken."""

from __future__ import annotations

import zlib
from itertools import pairwise

import pytest
from daemon import request
from hypothesis import given
from hypothesis import strategies as st

from bayleaf.service.limits import Limits
from bayleaf.service.spamd.refusal import Refusal
from bayleaf.service.spamd.request import Request, RequestReader

SMALL = Limits(mail=1000, line=100)


def read(data: bytes, limits: Limits = SMALL) -> Request | None:
    """What is made of these bytes when nothing follows."""
    reader = RequestReader(limits)
    return reader.feed(data) or reader.end()


def refusal(data: bytes, limits: Limits = SMALL) -> tuple[int, str]:
    with pytest.raises(Refusal) as found:
        read(data, limits)
    return found.value.code, found.value.why


@given(st.binary(max_size=300), st.lists(st.integers(0, 400), max_size=6), st.booleans())
def test_pieces_do_not_matter(mail: bytes, cuts: list[int], compress: bool) -> None:
    body = zlib.compress(mail) if compress else mail
    data = request("PROCESS", body, "User: ann", *["Compress: zlib"] * compress)
    reader, found = RequestReader(SMALL), []
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    for start, end in pairwise(edges):
        found.append(reader.feed(data[start:end]) if end > start else None)
    whole = [each for each in found if each is not None]
    assert [(each.verb, each.version, each.user, each.body) for each in whole] == [("PROCESS", (1, 5), "ann", mail)]


@given(st.binary(max_size=400))
def test_garbage_is_refused_or_waited_for_but_never_an_error(data: bytes) -> None:
    for raw in (
        data,
        b"CHECK SPAMC/1.5\r\n" + data,
        b"TELL SPAMC/1.5\r\nContent-length: 5\r\nCompress: zlib\r\n\r\n" + data,
    ):
        try:
            found = read(raw)
            assert found is None or isinstance(found.body, bytes)
        except Refusal as refused:
            line = refused.line()
            assert line.count(b"\n") == 1
            assert line.isascii()


def test_names_of_headers_may_be_written_in_any_case() -> None:
    found = read(b"CHECK SPAMC/1.5\r\nCONTENT-LENGTH: 2\r\nuser:bob\r\nX-Other: x\r\n\r\nhi")
    assert found is not None
    assert (found.user, found.body) == ("bob", b"hi")


def test_values_may_be_written_in_any_case_and_users_in_the_letters_of_old() -> None:
    found = read(request("CHECK", zlib.compress(b"hi"), "Compress: ZLIB", "Connection: Keep-Alive"))
    assert found is not None
    assert (found.body, found.keep) == (b"hi", True)
    assert read(b"CHECK SPAMC/1.5\r\nUser: j\xf6rg\r\n\r\nhi").user == "jörg"  # type: ignore[union-attr]


def test_lines_may_end_without_a_carriage_return() -> None:
    assert read(b"CHECK SPAMC/1.2\nContent-length: 2\n\nhi").body == b"hi"  # type: ignore[union-attr]


def test_without_content_length_the_mail_ends_with_the_stream() -> None:
    reader = RequestReader(SMALL)
    assert reader.feed(b"CHECK SPAMC/1.2\r\n\r\nab") is None
    assert reader.feed(b"c") is None
    assert reader.end().body == b"abc"  # type: ignore[union-attr]


def test_version_one_has_no_headers() -> None:
    assert read(b"CHECK SPAMC/1.0\r\nSubject: a\r\n\r\nb").body == b"Subject: a\r\n\r\nb"  # type: ignore[union-attr]


@pytest.mark.parametrize("data", [b"PING SPAMC/1.2\r\n", b"PING SPAMC/1.5\r\n\r\n", b"PING SPAMC/1.5\r\n"])
def test_ping_with_and_without_headers(data: bytes) -> None:
    assert read(data).verb == "PING"  # type: ignore[union-attr]


@pytest.mark.parametrize("data", [b"PING SPAMC/1.2\r\n", b"PING SPAMC/1.2\r\n\r\n", b"PING SPAMC/1.5\r\n\r\n"])
def test_ping_is_answered_while_the_client_waits(data: bytes) -> None:
    assert RequestReader(SMALL).feed(data).verb == "PING"  # type: ignore[union-attr]


def test_several_on_one_connection() -> None:
    reader = RequestReader(SMALL)
    one = request("CHECK", b"a", "Connection: keep-alive")
    first = reader.feed(one + one + request("PING"))
    assert first is not None
    assert first.keep
    assert reader.feed(b"").body == b"a"  # type: ignore[union-attr]
    assert reader.feed(b"").verb == "PING"  # type: ignore[union-attr]
    assert reader.feed(b"CHECK SPAMC/1.5\r\n\r\nlonger than the others") is None
    assert reader.end().body == b"longer than the others"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", 76, "expected a verb"),
        (b"CHECK SPAMC/x\r\n\r\n", 76, "expected a verb"),
        (b"CHECK SPAMC/1.5\r\nno colon\r\n\r\n", 76, "Name: value"),
        (b"CHECK SPAMC/1.5\r\nContent-length: -1\r\n\r\n", 76, "non-numeric"),
        (b"CHECK SPAMC/1.5\r\nContent-length: \xc2\xb2\r\n\r\n", 76, "non-numeric"),
        (b"CHECK SPAMC/1.5\r\nContent-length: 5\r\n\r\nabc", 76, "Expected 5 bytes, got 3"),
        (b"CHECK SPAMC/1.5\r\nContent-length: 2\r\n\r\nabc", 76, "Expected 2 bytes, got 3"),
        (b"CHECK SPAMC/1.5\r\nContent-length: 2000\r\n\r\n", 65, "2000"),
        (b"CHECK SPAMC/1.5\r\n\r\n" + b"a" * 1001, 65, "1001"),
        (b"CHECK SPAMC/1.5\r\nUser: a\x01b\r\n\r\n", 76, "control"),
        (b"CHECK SPAMC/1.5\r\nCompress: gzip\r\n\r\n", 76, "compression type"),
        (b"CHECK SPAMC/1.5\r\nCompress: zlib\r\n\r\nabc", 76, "requires Content-length"),
        (request("CHECK", b"junk", "Compress: zlib"), 76, "compressed body"),
        (request("CHECK", zlib.compress(b"a" * 900)[:-2], "Compress: zlib"), 76, "whole zlib stream"),
        (request("CHECK", zlib.compress(b"a" * 900) + b"more", "Compress: zlib"), 76, "whole zlib stream"),
        (request("CHECK", zlib.compress(b"a" * 1001), "Compress: zlib"), 65, "1001"),
        (b"CHECK SPAMC/1.5\r\n" + b"A: b\r\n" * 257, 76, "too many"),
        (b"CHECK SPAMC/1.5\r\nA: " + b"b" * 200, 76, "line of more"),
        (b"C" * 200, 76, "line of more"),
        (b"CHECK SPAMC/1.5\r\nA: b\r\n", 76, "EOF"),
        (b"CHECK SP", 76, "EOF"),
    ],
)
def test_what_is_refused(data: bytes, code: int, words: str) -> None:
    found, why = refusal(data)
    assert found == code
    assert words in why


def test_a_length_of_five_thousand_digits_is_refused() -> None:
    data = b"CHECK SPAMC/1.5\r\nContent-length: %b\r\n\r\n" % (b"9" * 5000)
    assert refusal(data, Limits()) == (76, "(Content-Length contains non-numeric bytes)")


def test_an_empty_stream_is_no_request() -> None:
    assert read(b"") is None
