"""The history of judged mails: what people see of it."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from letters import letter

from bayleaf.errors import StoreError
from bayleaf.service import history as module
from bayleaf.service.history import History
from bayleaf.service.live import LiveFilter
from bayleaf.service.logbook import Logbook, Note


@pytest.fixture
def history() -> Iterator[History]:
    with History(Logbook(None)) as made:
        yield made


def add(history: History, number: int, label: str = "ham", raw: bytes | str = b"x", sender: str = "") -> int:
    sender = sender or f"person{number}@example.org"
    return history.add("http", "ann", str(number).encode(), label, "ham", 0.9, sender, f"subject {number}", raw)


def test_what_is_added_is_there_at_once_and_after_the_next_start(tmp_path: Path) -> None:
    with History(Logbook(tmp_path / "h")) as history:
        id = add(history, 1, raw=b"Subject: a\n\nbody")
        found = history.get(id)
        assert found is not None
        assert (found.user, found.face, found.subject, found.size, found.told, found.kept) == (
            "ann", "http", "subject 1", 16, None, True,
        )  # fmt: skip
        add(history, 2)
    with History(Logbook(tmp_path / "h")) as again:
        assert again.get(id) == found
        assert again.raw(id) == b"Subject: a\n\nbody"
        assert [each.subject for each in again.find()] == ["subject 2", "subject 1"]
    assert stat.S_IMODE((tmp_path / "h").stat().st_mode) == 0o600, "mail is private"


def test_pages_hold_every_mail_once_unsure_ones_first(history: History) -> None:
    for number in range(25):
        add(history, number, ("ham", "unsure", "spam")[number % 3])
    seen, before = [], None
    while page := history.find(before=before, limit=4):
        history.tell(page[0].id, "spam")  # what is told meanwhile moves nothing
        seen += page
        before = page[-1].id
    assert [each.label for each in seen[:8]] == ["unsure"] * 8
    assert {each.id for each in seen} == {each.id for each in history.find(limit=100)}
    assert len(seen) == 25
    newest_first = history.find(unsure_first=False, limit=100)
    assert [each.id for each in newest_first] == sorted((each.id for each in seen), reverse=True)
    assert history.find(unsure_first=False, before=newest_first[9].id, limit=2) == newest_first[10:12]


def test_words_are_looked_for_as_they_are(history: History) -> None:
    add(history, 1, sender="100%_sure@example.org")
    add(history, 2, "spam", sender="x@example.net")
    assert len(history.find("%_")) == len(history.find("SUBJECT 1")) == len(history.find(label="spam")) == 1
    assert history.find("' OR 1=1 --") == []


def test_the_oldest_mails_go_first_their_lines_stay(tmp_path: Path) -> None:
    with History(Logbook(tmp_path / "h", budget=20_000)) as history:
        ids = [add(history, number, raw=os.urandom(5000)) for number in range(8)]
        assert [history.raw(id) is not None for id in ids] == [False] * 4 + [True] * 4
        assert len(history.find()) == 8
    with History(Logbook(tmp_path / "h", budget=20_000)) as history:
        add(history, 9, raw=os.urandom(5000))
        assert [each.kept for each in history.find()] == [True] * 4 + [False] * 5, "the budget holds after a restart"


def test_no_budget_keeps_no_mail_and_few_rows_keep_few_lines() -> None:
    with History(Logbook(None, budget=0, rows=3)) as history:
        ids = [add(history, number) for number in range(5)]
        assert history.raw(ids[-1]) is None
        assert [each.id for each in history.find()] == ids[:1:-1]
        assert sum(mails for _, _, mails in history.volume(1)) == 5, "days are counted also when their lines are gone"


def test_a_text_comes_back_as_text(history: History) -> None:
    text = "grüße \udc80"
    assert history.raw(add(history, 1, raw=text)) == text


def test_what_is_forgotten_is_gone_from_the_file(tmp_path: Path) -> None:
    with History(Logbook(tmp_path / "h", budget=10**9)) as history:
        for number in range(50):
            add(history, number, sender="eve_1@example.org" if number % 2 else "eve-1@example.org", raw=b"y" * 100)
        assert history.forget() == 0
        assert history.forget(sender="EVE_1@") == 25
        assert history.forget(since=0, until=1) == 0
        assert len(history.find("", limit=99)) == 25
        there = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"eve_1@" not in there
    assert b"eve-1@" in there


def test_so_is_a_mail_that_had_made_room_for_others_before(tmp_path: Path) -> None:
    with History(Logbook(tmp_path / "h", budget=50_000)) as history:
        history.forget(sender="nobody")
        for number in range(9):
            add(history, number, sender="eve@example.org", raw=b"from eve " * 600)
        history.find()
        add(history, 9, sender="ann@example.org", raw=b"x" * 50_000)
        assert [each.kept for each in history.find(limit=99)] == [True] + 9 * [False]
        assert history.forget(sender="eve@") == 9
        there = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"eve" not in there


def test_a_disk_that_fails_costs_lines_and_nothing_else(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with History(Logbook(tmp_path / "h")) as history:
        add(history, 1)
        history.find()
        with sqlite3.connect(tmp_path / "h") as other:
            other.execute("ALTER TABLE judged RENAME TO elsewhere")
            other.commit()
            add(history, 2)
            with pytest.raises(Exception, match="no such table"):
                history.find()
            other.execute("ALTER TABLE elsewhere RENAME TO judged")
        other.close()
        assert history.dropped == 1
        id = add(history, 3)
        assert history.get(id) is not None
        assert len(history.find()) == 2
    assert "lost" in caplog.text


@pytest.mark.parametrize("failure", [StoreError("no room"), sqlite3.OperationalError("locked"), TypeError("a fault")])
def test_the_writer_goes_on_after_any_failure(
    failure: Exception, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody reads here, which would write as well: the thread alone must get over it."""
    written, write, failed = threading.Event(), Logbook.write, threading.Event()

    def failing(book: Logbook, notes: Iterable[Note]) -> None:
        if not failed.is_set():
            failed.set()
            raise failure
        write(book, notes)
        written.set()

    monkeypatch.setattr(Logbook, "write", failing)
    add(history, 1)
    assert failed.wait(60)
    id = add(history, 2)
    assert written.wait(60)
    assert (history.get(id) is not None, history.dropped, len(history.find())) == (True, 1, 1)


def test_more_than_can_be_written_is_lost_and_counted(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAITING", 3)
    monkeypatch.setattr(module, "QUEUED", 10)
    with history._using:  # a disk that does not answer
        ids = [add(history, number, raw=b"12345") for number in range(5)]
    assert len(set(ids)) == 5
    assert [each.kept for each in history.find()] == [False, True, True]
    assert history.dropped == 2
    assert history.raw(add(history, 5, raw=b"12345")) == b"12345", "there is room again"


def test_a_clock_that_stands_still_loses_no_line(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.time, "time", lambda: 1e9)
    ids = [add(history, number, raw=b"%d" % number) for number in range(3)]
    assert [history.raw(id) for id in ids] == [b"0", b"1", b"2"]


def test_what_was_not_written_takes_no_room() -> None:
    def note(id: int) -> Note:
        return Note((id, 1e9, "http", "", b"1", "ham", "ham", 0.9, "", "", 60), b"x" * 60)

    book = Logbook(None, budget=100, rows=9)
    with pytest.raises(StoreError):
        book.write([note(1), Note((2, 1e9, "no line", "", b"1", "ham"))])
    book.write([note(3)])
    assert book.read("SELECT id FROM raw") == [(3,)]
    book.close()


def test_every_mail_of_a_live_filter_is_noted_with_what_it_is_learned_as(tmp_path: Path, history: History) -> None:
    live = LiveFilter(tmp_path / "m.db", tmp_path / "users", history)
    raw = letter(1, "spam")
    _, id = live.judged(raw, "ann", "http")
    live.judge(raw, "bob", "spamd")
    assert id is not None
    live.train(raw, "spam", "ann").result()
    told = {each.user: each.told for each in history.find()}
    assert told == {"ann": "spam", "bob": None}
    assert history.raw(id) == raw
    live.untrain(raw, "ann").result()
    assert {each.told for each in history.find()} == {None}
    live.judge("a text\nof two lines")
    assert history.find()[0].subject == "a text of two lines"
    live.close()


def test_where_all_share_a_store_a_mail_is_learned_for_all(tmp_path: Path, history: History) -> None:
    """spamc names a user with each mail, who teaches over HTTP perhaps none."""
    live, raw = LiveFilter(tmp_path / "m.db", None, history), letter(1, "spam")
    for user in ("ann", "bob"):
        live.judge(raw, user, "spamd")
    live.train(raw, "spam").result()
    assert [each.told for each in history.find()] == ["spam", "spam"]
    live.train(raw, "ham", "ann").result()
    assert [each.told for each in history.find()] == ["ham", "ham"]
    live.untrain(raw, "bob").result()
    assert [each.told for each in history.find()] == [None, None]
    live.close()


def test_a_mail_is_kept_also_when_another_daemon_has_let_others_go(tmp_path: Path) -> None:
    with (
        History(Logbook(tmp_path / "h", budget=20_000)) as one,
        History(Logbook(tmp_path / "h", budget=20_000)) as other,
    ):
        for number in range(4):
            add(one, number, raw=os.urandom(5000))
        one.find()
        assert other.forget(since=0) == 4
        assert one.raw(add(one, 5, raw=b"new")) == b"new"
        for number in range(6, 10):
            add(other, number, raw=os.urandom(5000))
        other.find()
        add(one, 11, raw=os.urandom(5000))
        assert sum(each.size for each in one.find() if each.kept) <= 20_000, "the budget is that of the file"
