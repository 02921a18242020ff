"""Marked: shading changes no letter, and hides none. Jobs: bounded."""

from __future__ import annotations

import re
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayleaf.errors import BadValueError
from bayleaf.mail import Clue, Filter
from bayleaf.plain import HIDDEN
from bayleaf.service.pages import jobs
from bayleaf.service.pages.jobs import Job, Jobs
from bayleaf.service.pages.marked import MOST, Marked, prose
from bayleaf.service.pages.sums import Sums

WORDS = st.sampled_from(
    ["cheap", "Pills", "確認して", "7-4", "$9", "'tis", "a\r\n", "\u202e", "\x00", "<b>", " ", "\n", "İ", "ß"]
)
TEXTS = st.lists(WORDS | st.text(max_size=6), max_size=40).map("".join)
NAMES = ["word:cheap", "word:pills", "word:確認", "word:7-4", "pair:cheap +1 Pills", "subject:as Pills", "subject:ß"]
CLUES = st.lists(st.builds(Clue, st.sampled_from(NAMES), st.just("word"), st.floats(-3, 3), st.just((1, 0))))


@given(TEXTS, CLUES, st.sampled_from([1.0, -1.0]))
def test_shading_changes_no_letter_and_hides_none(text: str, clues: list[Clue], sign: float) -> None:
    for marked in (Marked.body(text, clues, sign), Marked.field("subject", text, clues, sign)):
        shown = "".join(piece.text for piece in marked.pieces)
        assert shown.replace("␍\n", "\n") == prose(text).replace("␍\n", "\n"), "a mark may end inside a line break"
        assert not re.search(HIDDEN, shown.replace("\n", "").replace("\t", ""))
        assert all((piece.level > 0) == (piece.side != "") == (piece.worth != 0) for piece in marked.pieces)
        assert marked.left_out == 0


def test_the_side_is_that_of_spam_whichever_label_is_best() -> None:
    clue = [Clue("word:pills", "word", 1.0, (1, 0))]
    assert [Marked.body("pills", clue, sign).pieces[0].side for sign in (1.0, -1.0)] == ["for", "against"]


@pytest.mark.parametrize(
    "word",
    ["हिन्दी", "مُحَمَّد", "cafe\u0301", "İSTANBUL", "ΦΙΛΟΣ", "می\u200cخواهم", "Ver\xadtrag"]
    + [f"v{sign}iagra" for sign in "\u034f\u061c\u2066\u206a\u3164\ufe0f\uffa0\U000e0020"],
)
def test_words_of_any_script_are_shaded_where_the_filter_read_them(word: str) -> None:
    with Filter.open(":memory:") as own:
        own.train_many([(f"{word} {n}", "spam") for n in range(9)] + [(f"lunch {n}", "ham") for n in range(9)])
        clues = own.judge(f"a {word} b").clues
    shaded = [piece.text for piece in Marked.body(f"a {word} b", clues, 1.0).pieces if piece.level]
    assert shaded == [prose(word)]


def test_a_mark_between_two_words_is_no_word() -> None:
    with Filter.open(":memory:") as own:
        own.train_many([(f"cheap - pills {n}", "spam") for n in range(9)] + [(f"lunch {n}", "ham") for n in range(9)])
        clues = [clue for clue in own.judge("cheap - pills").clues if clue.name.startswith("pair:")]
    assert [piece.text for piece in Marked.body("cheap - pills", clues, 1.0).pieces if piece.level] == [
        "cheap",
        "pills",
    ]


def test_a_word_of_the_subject_is_not_shaded_inside_another() -> None:
    """दिन is a day, दिनांक a date: Python's expressions see the end of a word before each vowel sign."""
    clues = [Clue("subject:दिन", "header", 1.0, (1, 0)), Clue("subject:as İZMİR", "header", 2.0, (1, 0))]
    pieces = Marked.field("subject", "दिनांक दिन İZMİR", clues, 1.0).pieces
    assert [(piece.text, piece.worth) for piece in pieces if piece.level] == [("दिन", 1.0), ("İZMİR", 2.0)]


def test_what_is_too_long_is_counted() -> None:
    assert Marked.body("x" * (MOST + 7), [], 1.0).left_out == 7


@given(st.lists(st.sampled_from(["cheap", "pills", "lunch", "noon", "the", "and"]), min_size=1, max_size=30))
def test_rows_add_up_to_the_score_of_spam(words: list[str]) -> None:
    with Filter.open(":memory:") as own:
        own.train_many([(f"cheap pills and {n}", "spam") for n in range(9)])
        own.train_many([(f"lunch at the noon {n}", "ham") for n in range(9)])
        verdict = own.judge(" ".join(words))
    sums = Sums.of(verdict)
    assert sums.target == "spam"
    assert sum(row.value for row in sums.rows) == pytest.approx(sums.total, abs=1e-9)
    assert sums.total == verdict.scores["spam"]


def test_no_more_jobs_than_the_disk_may_hold_files_for() -> None:
    queue, hold, ended = Jobs(), threading.Event(), list[str]()
    first = queue.start("first", lambda job: hold.wait() and None)
    for _ in range(jobs.WAITING - 1):
        queue.start("more", lambda job: None)
    with pytest.raises(BadValueError, match="8 jobs that are not over"):
        queue.start("too much", lambda job: None, lambda: ended.append("closed"))
    assert ended == ["closed"], "its file is not kept"
    assert queue.cancel(first.number)
    hold.set()
    first.ended.wait()
    assert first.state == "cancelled"
    queue.close()
    assert all(job.over for job in queue.all())


def test_a_job_that_fails_says_why_and_the_next_one_runs() -> None:
    queue = Jobs()

    def fail(job: Job) -> None:
        raise BadValueError("found a stone, expected bread")

    failed, fine = queue.start("one", fail), queue.start("two", lambda job: job.add({"learned": 1}, 1))
    fine.ended.wait()
    assert (failed.state, failed.notes) == ("failed", ["found a stone, expected bread"])
    assert (fine.state, fine.outcome) == ("finished", {"learned": 1})
    assert not queue.cancel(fine.number)
    queue.close()


def test_words_of_a_subject_are_marked_as_those_of_the_text() -> None:
    clues = [Clue("word:pills", "word", 2.0, (3, 0)), Clue("pair:cheap +1 pills", "pair", 1.0, (3, 0))]
    subject = Marked.field("subject", "cheap pills", clues, 1.0)
    assert subject == Marked.body("cheap pills", clues, 1.0)
    assert [piece.worth for piece in subject.pieces if piece.side] == [0.5, 2.5]
    assert not any(piece.side for piece in Marked.field("from", "cheap pills", clues, 1.0).pieces)
