"""Lecture: six mails, a seventh, and all of the arithmetic behind one verdict."""

from dataclasses import replace

import numpy as np

from bayleaf.estimators import BernoulliNB
from bayleaf.explanation import Explanation

MAILS = {
    "send us your password": "spam",
    "send us your review": "ham",
    "review password": "ham",
    "review us": "spam",
    "send your password": "spam",
    "send us your account": "spam",
}
NEW_MAIL = "review us now"
WORDS = sorted({word for mail in MAILS for word in mail.split()})


def present(mail: str) -> list[float]:
    """A row that says which of the known words a mail has.

    >>> present("review us now")
    [0.0, 0.0, 1.0, 0.0, 1.0, 0.0]
    """
    return [float(word in mail.split()) for word in WORDS]


def six_mails() -> Explanation:
    """The arithmetic behind the verdict on the seventh mail.

    >>> print(six_mails().predicted)
    ham
    """
    model = BernoulliNB(alpha=0.0).fit(np.array([present(mail) for mail in MAILS]), list(MAILS.values()))
    why = model.explain(np.array([present(NEW_MAIL)]))[0]
    return replace(why, clues=[replace(clue, name=word) for word, clue in zip(WORDS, why.clues, strict=True)])


def show() -> None:
    """Prints the mails and the arithmetic."""
    for mail, label in [*MAILS.items(), (NEW_MAIL, "?")]:
        print(f"{label:6}{mail}")
    print()
    print(six_mails())
