"""What the pages hold for people: for how long, and how much of it."""

from __future__ import annotations

import threading
import time
from datetime import date, timedelta
from pathlib import Path

import pytest
from starlette.requests import Request

from bayleaf.errors import BadValueError
from bayleaf.service.history import History
from bayleaf.service.logbook import Logbook
from bayleaf.service.pages import sessions, tried
from bayleaf.service.pages.forgetting import Forgetting
from bayleaf.service.pages.jobs import KEPT, WAITING, Jobs
from bayleaf.service.pages.sessions import AGE, COOKIE, Sessions
from bayleaf.service.pages.tried import Trial, Tried
from bayleaf.service.tokens import Tokens


def asked(session: str) -> Request:
    return Request({"type": "http", "headers": [(b"cookie", f"{COOKIE}={session}".encode())]})


def test_a_login_ends_by_itself_and_by_too_many_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = Tokens.add(tmp_path / "tokens", "ann", "read")
    held = Sessions(Tokens(tmp_path / "tokens"))
    monkeypatch.setattr(sessions, "MOST", 2)
    first, second, third = (held.login(secret) for _ in range(3))
    assert first is not None
    assert second is not None
    assert third is not None
    assert [held.visitor(asked(each.session)) is not None for each in (first, second, third)] == [False, True, True]
    later = time.time() + AGE + 1
    monkeypatch.setattr(time, "time", lambda: later)
    assert held.visitor(asked(third.session)) is None


def test_mails_that_were_tried_take_so_much_memory_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tried, "MOST", 100)
    held = Tried()
    names = [held.put(Trial(b"x" * size)) for size in (40, 40, 40, 30)]
    assert [held.get(name) is not None for name in names] == [False, False, True, True]
    assert held.get(held.put(Trial(b"x" * 1000))) is not None, "the last one always"


def test_jobs_that_are_over_are_shown_for_a_while_and_those_that_wait_are_few() -> None:
    jobs, hold, ended = Jobs(), threading.Event(), list[int]()
    for _ in range(2 * KEPT):
        assert jobs.start("a letter", lambda job: None).ended.wait(60)
    assert len(jobs.all()) == KEPT + 1
    for _ in range(WAITING):
        jobs.start("a mailbox", lambda job: job.add({"waited": hold.wait(60)}, 1), lambda: ended.append(1))
    with pytest.raises(BadValueError, match="wait for one, or cancel it"):
        jobs.start("one more", lambda job: None, lambda: ended.append(2))
    assert ended == [2], "the file of the one that was refused is closed"
    hold.set()
    jobs.close()
    assert ended == [2, *[1] * WAITING]


def test_a_period_holds_its_first_and_its_last_day() -> None:
    with History(Logbook(None)) as history:
        history.add("http", "", b"1", "spam", "spam", 0.9, "ann@example.org", "lunch", b"Subject: lunch\n\n")
        (mail,) = history.find()
        day = date.fromtimestamp(mail.time)
        before, after = str(day - timedelta(days=1)), str(day + timedelta(days=1))
        fits = [Forgetting.read("", *days).fits(mail) for days in ((f"{day}", f"{day}"), (before, before), (after, ""))]
        assert fits == [True, False, False]
