"""Header lines of ours, read back by Python's parser of mails."""

from __future__ import annotations

import shutil
import subprocess
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bayleaf import BadValueError
from bayleaf.mail import Verdict
from bayleaf.mail.marked import NAMES, marked, told
from bayleaf.store.label import refuse_label


def is_label(word: str) -> bool:
    try:
        refuse_label(word)
    except BadValueError:
        return False
    return True


labels = st.lists(st.text(min_size=1, max_size=64).filter(is_label), min_size=2, max_size=4, unique=True)


@given(labels, st.sampled_from([b"\n", b"\r\n"]))
@example(["¡", "\\", "("], b"\n")
def test_labels_of_any_script_are_read_back_and_taken_away_again(labels: list[str], end: bytes) -> None:
    mail = (b"Subject: a\n\tb\n\nX-Bayleaf-Verdict: in the body\n").replace(b"\n", end)
    shares = {label: 1 / len(labels) for label in labels}
    lines = told(Verdict(labels[0], labels[0], shares, shares, [], tuple))
    whole = b"".join(marked(mail, lines))
    assert whole.isascii()
    found = message_from_bytes(whole, policy=default)
    assert found["X-Bayleaf-Verdict"] == labels[0]
    assert found["X-Bayleaf-Probability"] == " ".join(f"{label}={share:.6f}" for label, share in shares.items())
    assert found["Subject"] == "a\tb"
    assert b"".join(marked(whole, [])) == mail
    assert b"".join(marked(whole, lines)) == whole


def test_rules_find_spam_beside_labels_of_other_scripts() -> None:
    verdict = Verdict("büro", "büro", {"spam": 0.01, "büro": 0.9, "ham": 0.09}, {}, [], tuple)
    assert told(verdict)[1].startswith(f"{NAMES[1]}: spam=0.010000 =?utf-8?")
    assert told(verdict)[1].endswith(" ham=0.090000")


def test_a_line_that_begins_with_a_carriage_return_hides_no_forged_one() -> None:
    head, rest = marked(b"Subject: a\n\rX: y\nX-Bayleaf-Verdict: ham\n\nbody", ["X-Bayleaf-Verdict: spam"])
    assert (head, rest) == (b"X-Bayleaf-Verdict: spam\nSubject: a\n\rX: y\n", b"\nbody")


FORGED = b"X-Bayleaf-Verdict: ham"
HIDDEN = {
    "behind a bare carriage return": (b"Subject: a\r%b\nTo: b\n\nc\n", b"Subject: a\nTo: b\n\nc\n"),
    "the same where lines end with both": (
        b"Subject: a\r%b\r\nTo: b\r\n\r\nc\r\n",
        b"Subject: a\r\nTo: b\r\n\r\nc\r\n",
    ),
    "between two": (b"Subject: a\r%b\rTo: b\n\nc\n", b"Subject: a\rTo: b\n\nc\n"),
    "twice": (b"Subject: a\r%b\r%b\nTo: b\n\nc\n", b"Subject: a\nTo: b\n\nc\n"),
    "behind carriage returns that begin a line": (b"Subject: a\n\r\r%b\n d\nTo: b\n\nc\n", b"Subject: a\nTo: b\n\nc\n"),
    "behind an empty line that is none for procmail": (b"A: b\n\r\n%b\nTo: b\n\nc\n", b"A: b\n\r\nTo: b\n\nc\n"),
    "the same where lines of the head end in two ways": (
        b"A: b\nX: y\r\n\r\n%b\nTo: b\n\nc\n",
        b"A: b\nX: y\r\n\r\nTo: b\n\nc\n",
    ),
    "behind two of them": (
        b"A: b\n\r\nX: y\r\n\r\n%b\nTo: b\n\nc\n",
        b"A: b\n\r\nX: y\r\n\r\nTo: b\n\nc\n",
    ),
    "behind one that is none for Sieve": (b"A: b\r\n\r\r\n%b\r\n\r\nc\r\n", b"A: b\r\n\r\r\n\r\nc\r\n"),
    "in the line of an mbox": (b"From me@a 10:00\r%b\nTo: b\n\nc\n", b"From me@a 10:00\nTo: b\n\nc\n"),
}


@pytest.mark.parametrize(("mail", "expected"), HIDDEN.values(), ids=HIDDEN)
def test_no_forged_line_is_hidden_from_us_and_seen_by_others(mail: bytes, expected: bytes) -> None:
    assert b"".join(marked(mail.replace(b"%b", FORGED), [])) == expected


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_mail_in_a_mail_keeps_its_verdict(end: bytes) -> None:
    for head in (b"Subject: a\nTo: b\n", b""):
        raw = (head + b"\nforwarded:\n\n%b\nTo: b\n\nc\n" % FORGED).replace(b"\n", end)
        assert b"".join(marked(raw, [])) == raw


READERS = {
    "formail": ["formail", "-x", "X-Bayleaf-Verdict:"],
    "maildrop": ["reformail", "-x", "X-Bayleaf-Verdict:"],
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", HIDDEN)
def test_what_delivers_mail_sees_our_verdict_alone(name: str, reader: str) -> None:
    if shutil.which(READERS[reader][0]) is None:
        pytest.skip(f"{reader} is not installed")
    raw = HIDDEN[name][0].replace(b"%b", FORGED)
    out = b"".join(marked(raw, ["X-Bayleaf-Verdict: spam"]))
    told = subprocess.run(READERS[reader], input=out, capture_output=True, check=True).stdout
    assert told.split() == [b"spam"]
    assert message_from_bytes(out).get_all("X-Bayleaf-Verdict") == ["spam"]


RULES = """
:0:
* ^X-Bayleaf-Verdict: ham
{folder}/ham

:0:
{folder}/other
"""


@pytest.mark.parametrize("name", HIDDEN)
def test_procmail_delivers_by_our_verdict_alone(name: str, tmp_path: Path) -> None:
    if shutil.which("procmail") is None:
        pytest.skip("procmail is not installed")
    rules = tmp_path / "rules"
    rules.write_text(RULES.format(folder=tmp_path))
    raw = HIDDEN[name][0].replace(b"%b", FORGED)
    out = b"".join(marked(raw, ["X-Bayleaf-Verdict: spam"]))
    subprocess.run(["procmail", "-m", str(rules)], input=out, capture_output=True, check=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "rules"]
