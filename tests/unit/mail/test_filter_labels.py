"""Filter: any labels, new ones, one alone, and those without mails."""

from __future__ import annotations

import pytest
from letters import letter, letters

from bayleaf.mail import Filter


def test_any_labels_and_more_than_two() -> None:
    with Filter.open(":memory:", labels=("work", "family", "lists")) as f:
        for n in range(12):
            f.train(letter(n, "ham"), "work")
            f.train(letter(n, "spam"), "lists")
            f.train(b"Subject: home %d\n\nlove from grandma, see you on sunday %d" % (n, n % 3), "family")
        verdict = f.judge(b"Subject: home again\n\nlove, grandma")
        assert verdict.best == "family"
        assert set(verdict.probabilities) == {"work", "family", "lists"}
        assert sum(clue.summand for clue in verdict.clues) == pytest.approx(verdict.score, abs=1e-9)


def test_a_new_label_can_come_later() -> None:
    with Filter.open(":memory:") as f:
        f.train_many(letters(5))
        f.train(letter(60, "ham"), "work")
        assert f.evidence().labels == ("spam", "ham", "work")
        f.untrain(letter(60, "ham"))
        assert f.check()["mails"] == 10


@pytest.mark.parametrize("label", ["spam", "ham"])
def test_one_label_alone_says_nothing_about_a_mail(place: str, label: str) -> None:
    """Whoever begins with the folder of spam is not told that every good mail is 97 % spam."""
    with Filter.open(place) as f:
        f.train(letter(1, label), label)
        for raw in (letter(1, "spam"), letter(2, "ham")):
            verdict = f.judge(raw)
            assert (verdict.label, verdict.best, verdict.score, verdict.clues) == ("unsure", label, 0.0, ())
            assert verdict.probabilities == {"spam": 0.5, "ham": 0.5}
            assert f"only {label} has been learned so far" in " ".join(verdict.notes)


def test_labels_without_mails_are_in_no_verdict_and_no_status() -> None:
    with Filter.open(":memory:") as f:
        for n in range(12):
            f.train(letter(n, "ham"), "work")
            f.train(letter(n, "spam"), "junk")
        verdict = f.judge(letter(50, "spam"))
        assert verdict.label == "junk"
        assert list(verdict.probabilities) == list(verdict.scores) == list(f.status()["mails"]) == ["work", "junk"]  # type: ignore[call-overload]
        assert sum(verdict.probabilities.values()) == pytest.approx(1)
        assert verdict.scores["junk"] == pytest.approx(-verdict.scores["work"]), "with two labels, the log-odds"
        assert sum(clue.summand for clue in verdict.clues) == pytest.approx(verdict.score, abs=1e-9)
        assert {len(clue.counts) for clue in verdict.clues} <= {0, 2}
        assert {len(clue.counts) for clue in f.words("junk")} == {2}
        f.train(letter(50, "spam"), "jnuk")
        assert "jnuk" in f.judge(letter(51, "spam")).probabilities
        f.train(letter(50, "spam"), "junk")
        assert "jnuk" not in f.judge(letter(51, "spam")).probabilities
