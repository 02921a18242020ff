"""Quality: how good the filter is, and how much it had to do."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from starlette.responses import Response

from bayleaf.service.pages.asking import Asking
from bayleaf.service.pages.figures import WINDOW, Figures, apart, progress
from bayleaf.store.label import UNSURE

DAYS = 30
RECENT = 1000  # mails of the history that are asked what people said of them
SHADES = {"spam": "spam", "ham": "ham", "unsure": "unsure"}  # other labels share one shade
EPOCH = date(1970, 1, 1)


class Day(NamedTuple):
    """A day: mails by verdict."""

    day: date
    mails: dict[str, int]

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.mails.values())


def show(asking: Asking) -> Response:
    """Figures, calibration, course and volume."""
    figures = asking.desk.live.ask(Figures.of)
    days = volume(asking.desk.history.volume(DAYS))
    most = max((day.total for day in days), default=0)
    recent = asking.desk.history.find(unsure_first=False, limit=RECENT)
    told = [mail for mail in recent if mail.told]
    return asking.page(
        "quality",
        figures=figures,
        target=apart(figures.target),
        progress=progress(figures.mails),
        days=days,
        most=most + most % 2,  # so that half of it is a whole number
        judged=sum(day.total for day in days),
        looked=len(recent),
        told=len(told),
        agreed=sum(mail.told == mail.label for mail in told),
        doubted=sum(mail.label == UNSURE for mail in told),
        window=WINDOW,
    )


def volume(rows: list[tuple[int, str, int]]) -> list[Day]:
    """Each of the last days, also those without mail.

    >>> len(volume([])), volume([])[-1].total
    (30, 0)
    """
    counts: dict[int, dict[str, int]] = {}
    for day, label, mails in rows:
        kind = SHADES.get(label, "other")
        held = counts.setdefault(day, {})
        held[kind] = held.get(kind, 0) + mails
    today = max([(date.today() - EPOCH).days, *counts])
    return [Day(EPOCH + timedelta(days=day), counts.get(day, {})) for day in range(today - DAYS + 1, today + 1)]


SHOWN = {"/quality": show}
DONE: dict[str, tuple[str, object]] = {}
