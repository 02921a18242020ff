"""The words that speak most for a label."""

from __future__ import annotations

import pytest
from letters import letter, letters

from bayleaf.errors import BadValueError
from bayleaf.mail import Filter
from bayleaf.mail.lexicon import Lexicon


def test_words_are_those_of_the_label(place: str) -> None:
    with Filter.open(place) as f:
        f.train_many(letters(20))
        words = f.words("spam", 10)
    assert len(words) == 10
    assert all(clue.counts[0] > clue.counts[1] for clue in words)


@pytest.mark.parametrize("at_once", [True, False])
def test_words_of_each_label_are_known_when_their_mails_come_in_turn(at_once: bool) -> None:
    with Filter.open(":memory:") as f:
        if at_once:
            f.train_many(letters(20))
        else:
            for raw, label in letters(20):
                f.train(raw, label)
        for label in ("spam", "ham"):
            assert f.words(label, 1)[0].summand > 5, "such a word is in all mails of one label and in no other"


def test_words_of_a_label_with_few_mails_are_known() -> None:
    with Filter.open(":memory:") as f:
        for n in range(6):
            f.train(letter(n, "spam" if n % 2 else "ham"), "spam" if n % 2 else "ham")
        assert f.words("ham", 1)[0].counts == (0, 3)
    with Filter.open(":memory:") as f:
        f.train_many([(letter(n, "spam"), "spam") for n in range(10)] + [(letter(n, "ham"), "ham") for n in range(5)])
        assert f.words("ham", 1)[0].counts == (0, 5)


@pytest.mark.parametrize("order", [("spam", "ham"), ("ham", "spam")])
def test_words_are_kept_whichever_label_is_learned_first(order: tuple[str, str]) -> None:
    with Filter.open(":memory:") as f:
        for label in order:
            f.train_many((letter(n, label), label) for n in range(20))
        for label in order:
            assert f.words(label, 1)[0].summand > 5, "such a word is in all mails of one label and in no other"


def test_words_of_a_label_that_is_not_there_are_refused() -> None:
    with Filter.open(":memory:") as f, pytest.raises(BadValueError, match="found the label 'spma', expected one of"):
        f.words("spma")


def test_words_leave_out_what_no_mail_of_the_label_has() -> None:
    with Filter.open(":memory:") as f:
        f.train_many((letter(n, label), label) for n in range(20) for label in ("ham", "spam"))
        assert f.words("spam", 1000)
        assert all(clue.counts[0] for clue in f.words("spam", 1000))
        for n in range(20):
            f.untrain(letter(n, "spam"))
        assert f.words("spam", 1000) == [], "all mails that had them are forgotten"


def test_a_word_is_named_for_the_label_it_speaks_for_and_no_other() -> None:
    """Words that stand in all mails were named as reasons for spam, with a weight below 0."""
    with Filter.open(":memory:", labels=("spam", "ham", "work")) as f:
        f.train_many(letters(20))
        f.train_many((letter(n, "ham") + b"quarterly budget\n", "work") for n in range(20, 40))
        ranks = Lexicon(f).strongest(1000)
        for label, tokens in ranks.items():
            words = f.words(label, 1000)
            assert words
            assert all(word.summand > 0 for word in words)
            assert [word.name for word in words] == [token.name for token in tokens]
            assert f.words(label, 3) == words[:3]
    names = [token.name for tokens in ranks.values() for token in tokens]
    assert len(names) == len(set(names))
