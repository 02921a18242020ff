"""Policy: from probabilities to a verdict."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import NamedTuple

from bayleaf.errors import BadValueError
from bayleaf.store.label import UNSURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

# Settings, as variables: the edges of what they may be, and what they are where nobody set them.
CUTOFFS = {"BAYLEAF_SPAM_CUTOFF": (0.5, 1.0, "0.95"), "BAYLEAF_HAM_CUTOFF": (0.0, 0.5, "0.1")}
FEW = 10  # mails: a label with fewer is not told from two others, and makes doubt that is said


class Policy(NamedTuple):
    """When a label is given: it is at least `sure` probable, and more than that while few mails have been learned.

    `spam` has to be surer: a good mail that is lost costs more than a bad one that is seen. The headers are a guard.
    Words can be added to a mail by whoever wrote it, the route it took hardly, so a mail whose headers look like `spam`
    is not called anything else. On the SpamAssassin corpus this makes 3 of 4,110 ham unsure.
    """

    sure: float = 0.9
    surer: float = 0.95  # of the guarded label
    doubt: float = 5.0  # mails of the rarer of the two likeliest labels at which half of the doubt is gone
    guarded: str = "spam"

    @classmethod
    def configured(cls) -> Self:
        """The policy of the settings: spam from the one probability of spam on, ham up to the other."""
        spam, ham = (cutoff(name, os.environ.get(name, "")) for name in CUTOFFS)
        return cls(sure=1.0 - ham, surer=spam)

    def cut(self, given: str) -> Self:
        """The same with the cutoffs of ``bogofilter -o``: that of spam and, behind a comma, that of ham.

        >>> Policy().cut("0.8,0.3").surer
        0.8
        """
        parts = zip(CUTOFFS, given.split(",", 1), strict=False)
        spam, *ham = (cutoff(name, part.strip()) for name, part in parts)
        return self._replace(surer=spam, sure=1.0 - ham[0] if ham else self.sure)

    def decide(
        self, labels: Sequence[str], totals: Sequence[int], shares: Sequence[float], headers: Sequence[float]
    ) -> tuple[str, str, list[str]]:
        """Verdict, likeliest label, and notes in words. `headers`: what the header family says per label."""
        ranked = sorted(range(len(labels)), key=lambda c: (totals[c] > 0, shares[c]), reverse=True)
        best, learned = ranked[0], [label for label, mails in zip(labels, totals, strict=True) if mails]
        if len(learned) < 2:
            return UNSURE, labels[best], [lack(learned)]
        # A third label that has hardly any mails makes no doubt between the other two.
        likeliest = {labels[c]: totals[c] for c in sorted(ranked[:2])}
        if 1 - shares[best] > self.slack(labels[best], min(likeliest.values())):
            few = [
                f"only {mails} mails of {label} have been learned"
                if mails > 1
                else f"only 1 mail of {label} has been learned"
                for label, mails in likeliest.items()
                if mails < FEW
            ]
            return UNSURE, labels[best], few
        if self.guarded in learned and labels[best] != self.guarded and headers[labels.index(self.guarded)] > 0:
            return UNSURE, labels[best], [f"the text looks like {labels[best]}, the headers like {self.guarded}"]
        return labels[best], labels[best], []

    def slack(self, label: str, least: int) -> float:
        """How probable it may be that a mail is anything else, when so many mails are known of the rarer label."""
        sure = self.surer if label == self.guarded else self.sure
        return (1 - sure) * least / (least + self.doubt)


def cutoff(name: str, given: str) -> float:
    """A probability of spam at which a verdict begins or ends; the usual one where nothing is given.

    >>> cutoff("BAYLEAF_SPAM_CUTOFF", "0.9")
    0.9
    """
    low, high, usual = CUTOFFS[name]
    try:
        found = float(given or usual)
    except ValueError:
        found = -1.0
    if not low <= found <= high:
        raise BadValueError(
            f"found {name}={given!r:.40}, expected a probability of spam from {low:g} to {high:g}; without it, {usual}"
        )
    return found


def lack(learned: Collection[str]) -> str:
    """What is missing when these labels are all that have mails, and they are fewer than two.

    >>> lack(["spam"])
    'only spam has been learned so far: teach at least two labels'
    """
    seen = f"only {next(iter(learned))} has" if learned else "nothing has"
    return f"{seen} been learned so far: teach at least two labels"
