"""Correction: a mail learned because a person said so, and what that changed."""

from __future__ import annotations

from typing import NamedTuple

from bayleaf.errors import NotLearnedError
from bayleaf.mail import Filter
from bayleaf.service.live import LiveFilter


class View(NamedTuple):
    """How a mail stands at one moment: verdict, probabilities, and the mails learned per label."""

    label: str
    probabilities: dict[str, float]
    mails: dict[str, int]


class Correction(NamedTuple):
    """What was learned, what the mail had been learned as before (None: nothing), and how it stood before and after."""

    label: str
    outcome: str
    previous: str | None
    before: View
    after: View

    @classmethod
    def make(cls, live: LiveFilter, raw: bytes | str, label: str, user: str = "") -> Correction:
        """Learns the mail as `label` and looks at it before and after."""
        previous = live.known(raw, user)
        before = look(live, raw, user)
        outcome = live.train(raw, label, user).result()
        return cls(label, outcome, previous, before, look(live, raw, user))

    def then(self, next: Correction) -> Correction:
        """This one and the next as one, so that `undo` goes back to before both: pages are sent twice, or left open."""
        return self if next.outcome == "known" else next._replace(previous=self.previous, before=self.before)

    def undo(self, live: LiveFilter, raw: bytes | str, user: str = "") -> None:
        """Puts the mail back to what it was learned as before, or to not learned."""
        take_back(live, raw, self.label, self.previous, user)


def take_back(live: LiveFilter, raw: bytes | str, label: str, previous: str | None, user: str) -> None:
    """Learns the previous label again, or nothing. What somebody else has said since stays."""
    now = live.known(raw, user)
    if now not in (label, previous):
        learned = "unlearned" if now is None else f"learned as {now}"
        raise NotLearnedError(f"found a mail that has been {learned} since, expected {label}: it stays as it is")
    if previous is None:
        live.untrain(raw, user).result()
    else:
        live.train(raw, previous, user).result()


def look(live: LiveFilter, raw: bytes | str, user: str) -> View:
    """How a mail stands now. A look is no judgement: nothing is counted and nothing goes into the history."""

    def seen(own: Filter) -> View:
        verdict = own.judge(raw)
        return View(verdict.label, verdict.probabilities, own.evidence().mails)

    return live.ask(seen, user)
