"""Hostile mails, built when asked for. A name says what there is too much of; `size` is how often."""

import base64
from collections.abc import Callable

HEAD = b"From: a@example.org\nSubject: hello\n"
HTML = HEAD + b"Content-Type: text/html\n\n"
MIXED = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n"


def nested_multiparts(size: int) -> bytes:
    levels = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(size))
    return HEAD + b"".join(levels) + b"\ndeep words\n"


def nested_same_boundary(size: int) -> bytes:
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" * size + b"\ndeep words\n"


def nested_missing_boundaries(size: int) -> bytes:
    return MIXED + b"--b\nContent-Type: multipart/mixed; boundary=never\n\nwords\n" * size


def nested_messages(size: int) -> bytes:
    return HEAD + b"Content-Type: message/rfc822\n\n" * size + b"deep words\n"


def nested_messages_in_multiparts(size: int) -> bytes:
    level = b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\nContent-Type: message/rfc822\n\n"
    return HEAD + b"".join(level % (i, i) for i in range(size)) + b"\ndeep words\n"


def nested_tags(size: int) -> bytes:
    return HTML + b"<div>" * size + b"deep" + b"</div>" * size


def nested_hidden_tags(size: int) -> bytes:
    return HTML + b"<p style=display:none>" * size + b"deep"


def nested_html_comments(size: int) -> bytes:
    return HTML + b"<!--" * size + b"deep" + b"-->" * size


def nested_address_comments(size: int) -> bytes:
    return b"From: " + b"(" * size + b"a@example.org" + b")" * size + b"\n\nwords\n"


def nested_received_comments(size: int) -> bytes:
    return b"Received: from a.b " + b"(x " * size + b")" * size + b"\n" + HEAD + b"\nwords\n"


def parts(size: int) -> bytes:
    return MIXED + b"--b\n\nx\n" * size


def empty_parts(size: int) -> bytes:
    return MIXED + b"--b\n" * size


def closed_parts(size: int) -> bytes:
    return MIXED + b"--b--\n" * size


def dashes(size: int) -> bytes:
    """Every multipart is open, and every line might belong to any of them."""
    opened = (b"Content-Type: multipart/mixed; boundary=%c\n\n--%c\n" % (c, c) for c in range(60, 120))
    return HEAD + b"".join(opened) + b"\n" + b"--!\n" * size


def headers(size: int) -> bytes:
    return b"".join(b"X-%d: value %d\n" % (i, i) for i in range(size)) + HEAD + b"\nwords\n"


def filter_headers(size: int) -> bytes:
    return b"X-Spam-Status: No\n" * size + HEAD + b"\nwords\n"


def received(size: int) -> bytes:
    return b"Received: from h.example.org (1.2.3.4)\n" * size + HEAD + b"\nwords\n"


def folded_header(size: int) -> bytes:
    return b"X-Long: a\n" + b" b\n" * size + HEAD + b"\nwords\n"


def addresses(size: int) -> bytes:
    return b"To: " + b"a@b.c, " * size + b"\n" + HEAD + b"\nwords\n"


def labels(size: int) -> bytes:
    return b"From: a@" + b"b." * size + b"org\nReceived: from " + b"c." * size + b"org\n\nwords\n"


def encoded_words(size: int) -> bytes:
    return b"Subject: " + b"=?utf-8?Q?a?= " * size + b"\n\nwords\n"


def encoded_word_openings(size: int) -> bytes:
    return b"Subject: " + b"=?" * size + b"\n\nwords\n"


def scraps_between_encoded_words(size: int) -> bytes:
    return b"Subject: " + b"=?a?Q??=\xff=?b?Q?=FF?=" * size + b"\n\nwords\n"


def parameters(size: int) -> bytes:
    return HEAD + b"Content-Type: text/plain" + b"; a=b" * size + b"\n\nwords\n"


def folded_parameters(size: int) -> bytes:
    return HEAD + b"Content-Type: text/plain" + b";\n a=b" * size + b"\n\nwords\n"


def quotes_in_parameters(size: int) -> bytes:
    return HEAD + b'Content-Type: text/plain; a="' + b'\\"' * size + b"\n\nwords\n"


def pieces_of_parameters(size: int) -> bytes:
    pieces = b"".join(b"; boundary*%d*=%%62" % i for i in range(size))
    return HEAD + b"Content-Type: multipart/mixed" + pieces + b"\n\nwords\n"


def comments_in_parameters(size: int) -> bytes:
    return HEAD + b"Content-Type: text/plain " + b"(" * size + b"; a=b\n\nwords\n"


def long_encoded_words(size: int) -> bytes:
    return b"Subject: =?utf-8?Q?" + b"a=?b" * size + b"\n\nwords\n"


def uuencoded(size: int) -> bytes:
    return HEAD + b"Content-Transfer-Encoding: x-uuencode\n\n" + b"begin 644 x\n`\nend\n" * size


def shifts(size: int) -> bytes:
    return HEAD + b"Content-Type: text/plain; charset=utf-7\n\n" + b"+A+-" * size


def tags(size: int) -> bytes:
    return HTML + b"<b>x</b> " * size


def links(size: int) -> bytes:
    return HTML + b"".join(b"<a href=http://x%d.com>x</a>" % i for i in range(size))


def open_tags(size: int) -> bytes:
    return HTML + b"<a " * size


def open_quotes_in_tags(size: int) -> bytes:
    return HTML + b"<a b='><a c=\">" * size


def running_quotes_in_tags(size: int) -> bytes:
    """Each quoted value ends where the next one should begin, and the last never does."""
    return HTML + b'<a b=">"' * size


def sizes_in_styles(size: int) -> bytes:
    return HTML + b'<p style="' + b"font-size:opacity:" * size + b"px" * size + b'">x</p>'


def attributes(size: int) -> bytes:
    return HTML + b"<a" + b" b=c" * size + b">x</a>"


def open_styles(size: int) -> bytes:
    return HTML + b"<style></" * size


def rules_in_sheets(size: int) -> bytes:
    return HTML + b"<style>" + b"@media all{@x{.a,b#c{display:none;" * size + b"</style>" + b"<p class=a>x" * size


def classes_with_rules(size: int) -> bytes:
    says = b"{display:block;visibility:visible;font-size:9pt;opacity:1;background:url(%s)}" % (b"x" * 99)
    sheet = b"".join(b".c%d%s" % (i, says) for i in range(16))
    tag = b"<p class='%s'>" % b" ".join(b"c%d" % i for i in range(16))
    return HTML + b"<style>" + sheet + b"</style>" + tag * (size // 16 + 1)


def open_frames(size: int) -> bytes:
    return HTML + b"<iframe></" * size


def open_titles(size: int) -> bytes:
    return HTML + b"<title></" * size


def open_pictures(size: int) -> bytes:
    return HTML + b"<svg><![CDATA[" * size


def open_blocks(size: int) -> bytes:
    """Each looks for a paragraph among all that are open."""
    return HTML + b"<x>" * size + b"<li><hr></y>" * size


def ends_of_comments(size: int) -> bytes:
    return HTML + b"<!--" + b"->" * size + b"<!---->" * size


def references(size: int) -> bytes:
    return HTML + b"&#x41;&amp;&" * size


def base64_bomb(size: int) -> bytes:
    return (
        HEAD + b"Content-Transfer-Encoding: base64\n\n" + (base64.b64encode(b"spam " * 15) + b"\n") * (size // 100 + 1)
    )


def base64_noise(size: int) -> bytes:
    return HEAD + b"Content-Transfer-Encoding: base64\n\n" + b"*=" * size


def quoted_printable_bomb(size: int) -> bytes:
    return HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=\n" * size + b"= " * size + b"=41" * size


def charset_bomb(size: int) -> bytes:
    """Each of these characters becomes 18 under NFKC."""
    return HEAD + b"Content-Type: text/plain; charset=utf-8\n\n" + "\ufdfa".encode() * size


def stacked_accents(size: int) -> bytes:
    return HEAD + b"Content-Type: text/plain; charset=utf-8\n\na" + "\u0301\u0316".encode() * size


def escapes(size: int) -> bytes:
    return HEAD + b"Content-Type: text/plain; charset=iso-2022-jp\n\n" + b"\x1b$B\x1b(B" * size


def undeclared(size: int) -> bytes:
    return HEAD + b"\n" + bytes(range(128, 256)) * (size // 128 + 1)


def nuls(size: int) -> bytes:
    return b"\0" * size


def nuls_in_body(size: int) -> bytes:
    return HEAD + b"\n" + b"a\0" * size


def quoted_from_lines(size: int) -> bytes:
    return HEAD + b"\n" + b">" * size + b"From x\n" + b">>From y\n" * size


def carriage_returns(size: int) -> bytes:
    return HEAD + b"\n" + b"\r" * size + b"\n" + b"\r\n" * size


def one_line(size: int) -> bytes:
    return b"x" * size


def one_body_line(size: int) -> bytes:
    return HEAD + b"\n" + b"word " * size


ALL: list[Callable[[int], bytes]] = [
    value for value in list(globals().values()) if callable(value) and getattr(value, "__module__", "") == __name__
]
