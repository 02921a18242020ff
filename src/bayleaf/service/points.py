"""Points: the score that mail software expects, made of log-odds."""

from __future__ import annotations

from math import log

from bayleaf.mail import Verdict
from bayleaf.store.label import UNSURE

THRESHOLD = 5.0  # what every recipe for spamd takes for granted
POINTS = THRESHOLD / log(9)  # per unit of log-odds: 5.0 is a probability of 0.9
EDGE = 4.9  # the last score short of a verdict, with one digit after the point
MOST = 99.9


def points(verdict: Verdict) -> float:
    """The score: at least 5.0 exactly when the verdict is spam, at most -5.0 when it is ham, in between when unsure.

    5.0 x log-odds / ln 9: each 5 points make spam nine times as likely. A verdict that the log-odds alone would not
    give (few mails learned, headers against words) is moved to its edge.

    >>> points(Verdict("spam", "spam", {"spam": 0.99, "ham": 0.01}, {"spam": 4.6, "ham": -4.6}, [], tuple))
    10.5
    """
    score = round(POINTS * verdict.scores.get("spam", 0.0), 1) + 0.0  # which makes 0.0 of -0.0
    if verdict.label == "spam":
        return min(max(score, THRESHOLD), MOST)
    if verdict.label == UNSURE:
        return min(max(score, -EDGE), EDGE)
    return max(min(score, -THRESHOLD), -MOST)
