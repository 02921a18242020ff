"""A stream of mails as TREC's toolkit runs it, and the index that names them."""

from __future__ import annotations

from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf.errors import BayleafError
from bayleaf.evaluate.index import Index
from bayleaf.evaluate.rates import rates
from bayleaf.evaluate.stream import Protocol
from bayleaf.mail import Filter
from bayleaf.store.ledger import RECALL


def test_feedback_may_come_late_in_part_or_wrong() -> None:
    stream = letters(40)
    results = {}
    for name, protocol in (
        ("exact", Protocol()),
        ("late", Protocol(delay=70)),
        ("none", Protocol(share=0.0)),
        ("wrong", Protocol(noise=1.0)),
    ):
        with Filter.open(":memory:", names=False) as f:
            results[name] = rates(list(protocol.run(f, stream)), 0)
            assert sum(f.store.state().totals) == {"late": 10, "none": 0}.get(name, 80)
    assert results["exact"]["1-ROCA%"] < 5 < results["late"]["1-ROCA%"]
    assert results["none"]["unsure%"] == 100
    assert results["wrong"]["1-ROCA%"] > 90


def test_a_copy_under_the_other_label_does_not_end_the_run() -> None:
    """A mail that came twice, by two ways and with two labels, is common in TREC's corpora."""
    first, second = (b"Received: from %s\n" % host + letter(0, "spam") for host in (b"one.example", b"two.example"))
    others = letters(RECALL + 100)  # until the keys of the first are no longer kept
    with Filter.open(":memory:", names=False) as f:
        judged = list(Protocol().run(f, [(first, "spam"), *others, (second, "ham"), (second, "ham")]))
        assert len(judged) == len(others) + 3
        assert f.knows(f.read(second)) == "spam"


def test_capitals_say_what_is_judged_and_what_is_taught() -> None:
    mails = letters(20)
    delayed = [(raw, label.title()) for raw, label in mails] + [(raw, label.upper()) for raw, label in mails]
    for stream, taught in ((delayed, 40), (delayed[:40], 0)):
        with Filter.open(":memory:", names=False) as f:
            judged = list(Protocol().run(f, stream))
            assert [mail.spam for mail in judged] == [label == "spam" for _, label in mails]
            assert {mail.verdict for mail in judged} == {"unsure"}  # each is judged before anything is taught
            assert sum(f.store.state().totals) == taught


def index(folder: Path, content: bytes) -> Index:
    for name in ("1", "2", "a b"):
        (folder / name).write_bytes(name.encode())
    (folder / "full").mkdir(exist_ok=True)
    (folder / "full" / "index").write_bytes(content)
    return Index.read(folder / "full" / "index")


@pytest.mark.parametrize(
    "content",
    [
        b"spam ../1\nham ../2\n",
        b"\xef\xbb\xbfspam ../1\r\n\r\nham ../2\r\n",
        b"spam\t../1\nham   ../2",
        b"spam ../1 alice genre\nunknown ../3\nham ../2 bob list\n",
        b"SPAM ../1\nHAM ../2\n",
        b"Spam ../1\nHam ../2\n",
        b"SPAM ../1\nHam ../2\n",
    ],
    ids=["LF", "CRLF", "tabs", "columns", "upper", "title", "mixed"],
)
def test_an_index_is_read_however_it_is_written(tmp_path: Path, content: bytes) -> None:
    found = index(tmp_path, content)
    assert list(found) == [(b"1", "spam"), (b"2", "ham")]
    assert len(found[1:]) == 1
    assert list(found[1:]) == [(b"2", "ham")]


def test_an_index_knows_names_with_blanks_and_whole_paths(tmp_path: Path) -> None:
    found = index(tmp_path, b"spam ../a b\nham " + str(tmp_path / "2").encode() + b"\n")
    assert list(found) == [(b"a b", "spam"), (b"2", "ham")]


def test_capitals_of_an_index_count_where_they_differ(tmp_path: Path) -> None:
    found = index(tmp_path, b"spam ../1\nHam ../2\nHAM ../2\n")
    assert [label for _, label in found] == ["spam", "Ham", "HAM"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"spam ../1\n\nham ../3\n", "index, line 3: found nothing at .*3, expected a mail; paths are relative"),
        (b"spam\n", "index, line 1: found nothing at"),
        (b"spam ..\n", "index, line 1: found nothing at"),
        (b"1 ../1\n", "index, line 1: found the label '1', expected spam or ham"),
    ],
)
def test_an_index_that_cannot_be_followed_is_refused_with_its_line(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(BayleafError, match=said):
        index(tmp_path, content)
