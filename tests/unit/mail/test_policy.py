"""When a verdict is given: spam has to be surer than the rest, and everybody surer while little was learned."""

from __future__ import annotations

import pytest
from letters import letter, letters

from bayleaf.errors import BadValueError
from bayleaf.mail import Filter
from bayleaf.mail.policy import Policy

LABELS = ("spam", "ham")


@pytest.mark.parametrize(
    ("spam", "mails", "verdict"),
    [
        (0.96, 10_000, "spam"),
        (0.94, 10_000, "unsure"),  # a good mail that is lost costs more than a bad one that is seen
        (0.5, 10_000, "unsure"),
        (0.11, 10_000, "unsure"),
        (0.09, 10_000, "ham"),
        (0.96, 5, "unsure"),  # half of the doubt is left
        (0.09, 5, "unsure"),
    ],
)
def test_how_sure_a_verdict_must_be(spam: float, mails: int, verdict: str) -> None:
    assert Policy().decide(LABELS, (mails, mails), (spam, 1 - spam), (0.0, 0.0))[0] == verdict


def test_the_settings_say_how_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    def verdict(spam: float) -> str:
        return Policy.configured().decide(LABELS, (10_000, 10_000), (spam, 1 - spam), (0.0, 0.0))[0]

    assert Policy.configured() == Policy()
    monkeypatch.setenv("BAYLEAF_SPAM_CUTOFF", "0.8")
    monkeypatch.setenv("BAYLEAF_HAM_CUTOFF", "0.3")
    assert [verdict(share) for share in (0.81, 0.79, 0.31, 0.29)] == ["spam", "unsure", "unsure", "ham"]
    for wrong in ("0.4", "1.1", "95", "nan", "much"):
        monkeypatch.setenv("BAYLEAF_SPAM_CUTOFF", wrong)
        with pytest.raises(BadValueError, match="expected a probability of spam"):
            Filter.open(":memory:")


def test_headers_that_look_like_spam_allow_no_ham() -> None:
    verdict, best, notes = Policy().decide(LABELS, (10_000, 10_000), (0.01, 0.99), (0.5, -0.5))
    assert (verdict, best) == ("unsure", "ham")
    assert notes == ["the text looks like ham, the headers like spam"]


def test_the_rarer_label_says_how_much_doubt_is_left() -> None:
    assert Policy().decide(LABELS, (10_000, 5), (0.96, 0.04), (0.0, 0.0))[0] == "unsure"
    assert Policy().decide(LABELS, (5, 10_000), (0.96, 0.04), (0.0, 0.0))[0] == "unsure"


def test_a_third_label_with_one_mail_makes_no_doubt_between_the_others() -> None:
    labels, none = (*LABELS, "work"), (0.0, 0.0, 0.0)
    assert Policy().decide(labels, (1000, 1000, 1), (0.04, 0.95, 0.01), none)[0] == "ham"
    verdict, best, notes = Policy().decide(labels, (1000, 1000, 1), (0.01, 0.95, 0.04), none)
    assert (verdict, best, notes) == ("unsure", "ham", ["only 1 mail of work has been learned"])


def test_the_first_mails_of_a_third_label_leave_the_verdicts_as_they_were_and_from_ten_on_it_is_told() -> None:
    def work(n: int) -> bytes:
        return letter(n, "ham").replace(b"Subject: ", b"Subject: timesheet ")

    with Filter.open(":memory:") as learner:
        learner.train_many(letters(300))
        new = [letter(n, label) for n in range(400, 440) for label in LABELS]
        before = [verdict.label for verdict in learner.judge_many(new)]
        assert before.count("unsure") < 20
        learner.train(work(900), "work")
        after = learner.judge_many(new)
        assert [verdict.label for verdict in after] == before
        assert learner.judge(work(950)).probabilities["work"] == 0
        learner.train_many((work(n), "work") for n in range(901, 909))
        assert learner.judge(work(950)).probabilities["work"] == 0
        learner.train(work(909), "work")
        assert learner.judge(work(950)).probabilities["work"] > 0.1
