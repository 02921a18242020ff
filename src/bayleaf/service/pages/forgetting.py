"""Forgetting: the mails of a sender or of a period leave the history and what was learned from them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from bayleaf.errors import BadValueError, NotLearnedError
from bayleaf.service.history import History
from bayleaf.service.judged import Judged

if TYPE_CHECKING:
    from bayleaf.service.pages.desk import Desk
    from bayleaf.service.pages.jobs import Job

PAGE = 500
LONGEST = 1000  # characters of a sender; SQLite refuses to look for 50,000
YEARS = 1971, 9998  # clocks cannot tell others on every machine, nor the day after the last


class Forgetting(NamedTuple):
    """A part of a sender's address, and the first and last day; None where it does not matter."""

    sender: str | None
    since: float | None
    until: float | None
    days: tuple[str, str] = ("", "")

    @classmethod
    def read(cls, sender: str, since: str, until: str) -> Forgetting:
        """From a form: days as 2026-11-15, the last one included.

        >>> Forgetting.read(" ann@example.org ", "", "").words
        'mails from “ann@example.org”'
        """
        sender = sender.strip()
        if not (sender or since or until):
            raise BadValueError("found neither sender nor period, expected one of them: nothing was forgotten")
        if len(sender) > LONGEST:
            raise BadValueError(f"found a sender of {len(sender):,} characters, expected at most {LONGEST:,}")
        first, last = day(since), day(until)
        return cls(
            sender or None,
            None if first is None else first.timestamp(),
            None if last is None else (last + timedelta(days=1)).timestamp(),
            (since, until),
        )

    @property
    def words(self) -> str:
        """What is to be forgotten."""
        said = "mails" if self.sender is None else f"mails from “{self.sender}”"
        since, until = self.days
        return said + (f" since {since}" if since else "") + (f" until {until}" if until else "")

    def mails(self, history: History) -> Iterator[Judged]:
        """Those of the history, the newest first."""
        before: int | None = None
        while page := history.find(self.sender or "", None, False, before, PAGE):
            before = page[-1].id
            yield from filter(self.fits, page)

    def fits(self, mail: Judged) -> bool:
        """Whether a mail is one of them."""
        return (
            (self.sender is None or self.sender.lower() in mail.sender.lower())
            and (self.since is None or mail.time >= self.since)
            and (self.until is None or mail.time < self.until)
        )

    def done(self, desk: Desk, job: Job) -> None:
        """Takes back what was learned from each, then deletes the lines. Cancelled or failed, it deletes nothing."""
        found = list(self.mails(desk.history))
        job.total = len(found)
        for batch in job.batches(found):
            job.add({"unlearned": sum(unlearned(desk, mail, job) for mail in batch)}, len(batch))
        if not job.stop.is_set():
            last = found[0].id if found else 0  # what has been judged since may have been learned
            job.add({"deleted": desk.history.forget(self.sender, self.since, self.until, last)}, 0)


def unlearned(desk: Desk, mail: Judged, job: Job) -> bool:
    """Whether something was taken back. A mail that is no longer kept cannot be, and that is noted."""
    raw = desk.history.raw(mail.id) if mail.kept else None
    learners, about = desk.history.learners(mail), f"{mail.sender}, {mail.subject}"
    if raw is None:
        if mail.told is not None or len(learners) > 1:
            job.note(f"{about}: learned, and the mail itself is no longer kept: its counts stay")
        return False
    some = False
    for user in learners:
        try:
            some |= desk.live.untrain(raw, user).result() is not None
        except (BadValueError, NotLearnedError) as error:
            job.note(f"{about}: {error}")
    return some


def day(text: str) -> datetime | None:
    """A day as browsers send it."""
    if not text:
        return None
    try:
        found = datetime.strptime(text, "%Y-%m-%d")
    except ValueError:
        found = datetime.min
    if not YEARS[0] <= found.year <= YEARS[1]:
        raise BadValueError(f"found {text[:40]!r}, expected a day such as 2026-11-15")
    return found
