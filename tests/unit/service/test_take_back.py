"""Taking back what was learned from a file."""

from __future__ import annotations

import io
from pathlib import Path

from letters import letter, letters

from bayleaf.mail import Filter
from bayleaf.service import LiveFilter
from bayleaf.service.history import History
from bayleaf.service.logbook import Logbook
from bayleaf.service.pages.data import unteach
from bayleaf.service.pages.desk import Desk
from bayleaf.service.pages.jobs import Job
from bayleaf.service.pages.lesson import Lesson


def test_a_mail_that_has_changed_since_it_was_learned_is_named_and_the_others_are_taken_back(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db") as learner:
        learner.train_many(letters(5))
        with learner.store.ledger(write=True) as book:
            book.db.execute("UPDATE ledger SET keys = NULL")  # as after 500 more mails of the label
    mails = [letter(n, "spam") for n in (1, 2, 3, 99)]
    mails[1] = mails[1].replace(b"Subject:", b"X-List: some list\nSubject:", 1)
    mbox = b"".join(b"From a@example Mon Jan  1 10:00:00 2024\n" + mail + b"\n" for mail in mails)
    with History(Logbook(None)) as history:
        live = LiveFilter(tmp_path / "m.db", None, history)
        desk, job = Desk(live, history, None), Job(1, "Take back")
        unteach(desk, Lesson(io.BytesIO(mbox), "t.mbox", "spam", ("spam", "ham"), []), job)
        desk.close()
        live.close()
    assert job.outcome == {"taken back": 2, "left out": 1, "never learned": 1}
    assert (job.done, job.total) == (4, 4)
    (note,) = job.notes
    assert note.startswith("mail 2: this mail was learned, but its headers or text have changed since")
    with Filter.open(tmp_path / "m.db") as learner:
        assert learner.check()["mails"] == 8
