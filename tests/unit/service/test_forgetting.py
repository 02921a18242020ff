"""Forgetting: days that browsers may send."""

from __future__ import annotations

from pathlib import Path

import pytest
from daemon import taught
from letters import letter

from bayleaf.errors import BadValueError
from bayleaf.mail import Filter
from bayleaf.service import LiveFilter
from bayleaf.service.history import History
from bayleaf.service.logbook import Logbook
from bayleaf.service.pages.desk import Desk
from bayleaf.service.pages.forgetting import Forgetting, day
from bayleaf.service.pages.jobs import Job


@pytest.mark.parametrize("text", ["9999-12-31", "0001-01-01", "2026-02-30", "yesterday"])
def test_a_day_that_no_clock_tells_is_refused(text: str) -> None:
    with pytest.raises(BadValueError, match="expected a day such as"):
        day(text)


def test_what_users_have_learned_is_taken_back_too(tmp_path: Path) -> None:
    """Also from those who had no store yet when the mail was judged."""
    raw, place = letter(70, "spam"), tmp_path / "users"
    with History(Logbook(None)) as history:
        live = LiveFilter(taught(tmp_path / "m.db", 20), place, history)
        live.judge(raw, "", "milter")
        for user in ("ann", "bob"):
            live.train(raw, "spam", user).result()
        live.untrain(raw, "bob").result()
        live.train(letter(71, "spam"), "spam", "ann").result()
        (mail,) = history.find()
        assert history.learners(mail) == ["", "ann"]
        desk, job = Desk(live, history, None), Job(1, "Forget")
        Forgetting.read(mail.sender, "", "").done(desk, job)
        assert (job.outcome, job.notes) == ({"unlearned": 1, "deleted": 1}, [])
        assert history.learners(mail) == [""], "nothing is left of it"
        desk.close()
        live.close()
    with Filter.open(place / "ann.db", shared=tmp_path / "m.db") as own:
        assert own.check()["mails"] == 1
        assert own.knows(own.read(raw)) is None


def test_a_day() -> None:
    found = day("2026-11-15")
    assert found is not None
    assert (found.year, found.month, found.day) == (2026, 11, 15)
    assert day("") is None
