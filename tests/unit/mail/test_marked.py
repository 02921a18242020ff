"""Header lines of ours, read back by Python's parser of mails."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

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
