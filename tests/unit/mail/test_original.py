"""The mail inside the report that SpamAssassin makes of spam is what is learned."""

from __future__ import annotations

from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf.cli.main import main
from bayleaf.errors import NotLearnedError
from bayleaf.mail import Filter
from bayleaf.mail.original import original

BOUNDARY = b"----------=_65A1B2C3.0001"


def wrapped(raw: bytes, kind: bytes = b"message/rfc822", checker: bytes = b"SpamAssassin 4.0.1") -> bytes:
    """As `report_safe 1` files it (`report_safe 2` has text/plain)."""
    return b"\n".join(
        [
            b"Received: from localhost by mx.example",
            b"Subject: pills",
            b"X-Spam-Flag: YES",
            b"X-Spam-Checker-Version: " + checker + b" (2024-03-26) on mx.example",
            b"MIME-Version: 1.0",
            b'Content-Type: multipart/mixed; boundary="' + BOUNDARY + b'"',
            b"",
            b"This is a multi-part message in MIME format.",
            b"",
            b"--" + BOUNDARY,
            b"Content-Type: text/plain; charset=UTF-8",
            b"",
            b"Spam detection software, running on the system, has identified this incoming email as possible spam.",
            b"",
            b"--" + BOUNDARY,
            b"Content-Type: " + kind + b"; x-spam-type=original",
            b"Content-Description: original message before SpamAssassin",
            b"Content-Disposition: attachment",
            b"Content-Transfer-Encoding: 8bit",
            b"",
            raw,
            b"--" + BOUNDARY + b"--",
            b"",
        ]
    )


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("kind", [b"message/rfc822", b"text/plain"])
def test_a_report_is_learned_as_what_it_reports(end: bytes, kind: bytes) -> None:
    raw = letter(1, "spam").replace(b"\n", end)
    report = wrapped(letter(1, "spam"), kind).replace(b"\n", end)
    assert original(report) == raw
    with Filter.open(":memory:") as f:
        f.train(report, "spam")
        assert f.train(raw, "spam") == "known"
        assert f.untrain(report) == "spam"
        with pytest.raises(NotLearnedError):
            f.untrain(raw)


def test_many_reports_teach_what_the_mails_would() -> None:
    some = letters(30)
    with Filter.open(":memory:") as f:
        f.train_many([(wrapped(raw) if label == "spam" else raw, label) for raw, label in some])
        assert f.train_many(some)["known"] == 60
        assert f.judge(letter(100, "spam")).label == "spam"
        assert f.judge(letter(100, "ham")).label == "ham"


def test_what_is_no_report_stays_as_it_is() -> None:
    raw = letter(1, "spam")
    for other in (
        raw,
        wrapped(raw, checker=b"somebody"),
        wrapped(raw).replace(b"multipart/mixed", b"multipart/related", 1),
        wrapped(raw).replace(b"--" + BOUNDARY + b"--", b"", 1),
        wrapped(raw).replace(b"x-spam-type=original", b"x-spam-type=other"),
        b"Subject: about x-spam-type=original\n\nhow does it work?\n",
    ):
        assert original(other) == other


def test_judging_reads_all_that_a_reader_sees() -> None:
    """Or whoever writes spam could hide it from the filter in such a report."""
    with Filter.open(":memory:") as f:
        f.train_many(letters(30))
        hidden = f.judge(wrapped(letter(100, "ham")))
        assert hidden.probability != f.judge(letter(100, "ham")).probability


def test_a_report_is_forgotten_as_what_was_learned_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "report").write_bytes(wrapped(letter(1, "spam")))
    with Filter.open(tmp_path / "mail.db") as f:
        f.train(letter(1, "spam"), "spam")
    assert main(["mail", "forget", "--store", str(tmp_path / "mail.db"), str(tmp_path / "report")]) == 0
    assert "spam forgotten" in capsys.readouterr().out
