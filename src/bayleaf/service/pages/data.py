"""Data: mailboxes to learn from, copies to take away, and what is to be forgotten."""

from __future__ import annotations

import csv
import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from starlette.responses import Response, StreamingResponse

from bayleaf.errors import BadValueError, NotLearnedError, StoreError
from bayleaf.mail import Filter
from bayleaf.mail.lexicon import Lexicon
from bayleaf.service.pages.asking import Asking
from bayleaf.service.pages.desk import Desk
from bayleaf.service.pages.figures import by_label
from bayleaf.service.pages.forgetting import Forgetting
from bayleaf.service.pages.jobs import Job
from bayleaf.service.pages.lesson import NAMED, TAKE_BACK, Lesson
from bayleaf.store.label import refuse_unknown

PIECE = 1 << 20  # bytes of a backup sent at a time


def show(asking: Asking) -> Response:
    """Everything that can be done."""
    status: dict[str, Any] = asking.desk.live.status()
    facts = {"status": status, "learned": by_label(status["mails"]), "others": (NAMED, TAKE_BACK)}
    return asking.page("data", jobs=asking.desk.jobs.all(), labels=asking.labels, **facts)


def jobs(asking: Asking) -> Response:
    """The list of jobs alone, for the script that keeps it fresh."""
    return asking.page("jobs", jobs=asking.desk.jobs.all())


def learn(asking: Asking) -> Response:
    """Keeps the file and starts learning from it."""
    upload, label, labels = asking.file("file"), asking.given("label"), asking.labels
    if upload is None:
        raise BadValueError("found no file, or an empty one, expected a mailbox, a zip or a CSV: choose one")
    if label not in (NAMED, TAKE_BACK):
        refuse_unknown(label, labels)
    kept = copied(upload.file)
    name = (upload.filename or "file")[-80:]
    back = label == TAKE_BACK
    lesson = Lesson(kept, name, labels[0] if back else label, labels, [])
    title = f"Take back {name}" if back else f"Learn {name}"
    asking.desk.jobs.start(title, partial(unteach if back else teach, asking.desk, lesson), kept.close)
    return asking.go("/data#jobs")


def copied(file: BinaryIO) -> BinaryIO:
    """A file of our own: that of the request ends with it."""
    kept: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 - the job closes it
    try:
        shutil.copyfileobj(file, kept)
        kept.flush()
    except OSError as error:
        kept.close()
        raise StoreError(f"the file cannot be kept for learning: {error.strerror}; make room and try again") from None
    return kept


def counted(lesson: Lesson, job: Job) -> None:
    """Reads the file once to know how far it is."""
    job.total = sum(len(batch) for batch in job.batches(lesson.mails()))
    lesson.notes.clear()  # they come again
    job.notes = lesson.notes


def teach(desk: Desk, lesson: Lesson, job: Job) -> None:
    """Learns the mails of a file, each batch in one transaction."""
    counted(lesson, job)
    for batch in job.batches(lesson.mails()):
        done = desk.live.order(partial(Filter.train_many, mails=batch)).result()
        for outcome in ("learned", "corrected", "known"):
            desk.live.count(outcome, done[outcome])
        job.add(done, len(batch))


def unteach(desk: Desk, lesson: Lesson, job: Job) -> None:
    """Takes back what was learned from a file."""
    counted(lesson, job)
    for batch in job.batches(lesson.mails()):
        for number, (raw, _) in enumerate(batch, job.done + 1):
            job.add({untrained(desk, raw, number, job): 1}, 1)


def untrained(desk: Desk, raw: bytes | str, number: int, job: Job) -> str:
    """What became of one mail. One that has changed since it was learned stays learned, and that is noted."""
    try:
        return "never learned" if desk.live.untrain(raw).result() is None else "taken back"
    except NotLearnedError as error:
        job.note(f"mail {number}: {error}")
        return "left out"


def cancel(asking: Asking) -> Response:
    """Ends a job after the batch it is at."""
    asking.desk.jobs.cancel(asking.number(asking.given("job")))
    return asking.go("/data#jobs")


def backup(asking: Asking) -> Response:
    """The whole store as one file, which has no name here any more when it is sent: nobody need clear it away."""
    with tempfile.TemporaryDirectory(prefix="bayleaf-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "backup.db"
        asking.desk.live.ask(lambda own: own.backup(copy))
        file = copy.open("rb")
    headers = {
        "Content-Disposition": f'attachment; filename="bayleaf-{datetime.now():%Y-%m-%d}.db"',
        "Content-Length": str(os.fstat(file.fileno()).st_size),
    }
    return StreamingResponse(pieces(file), media_type="application/octet-stream", headers=headers)


def pieces(file: BinaryIO) -> Iterator[bytes]:
    """A file bit by bit."""
    with file:
        while piece := file.read(PIECE):
            yield piece


def counts(asking: Asking) -> Response:
    """Every token that has a text, with its counts, as CSV."""

    def table(own: Filter) -> list[list[object]]:
        lexicon = Lexicon(own)
        rows: list[list[object]] = [["token", *own.evidence().labels, "last seen"]]
        tokens = lexicon.tokens(lexicon.texts.items())
        return rows + [[token.name, *token.counts.values(), token.seen or ""] for token in tokens]

    rows = asking.desk.live.ask(table)
    headers = {"Content-Disposition": 'attachment; filename="bayleaf-counts.csv"'}
    return StreamingResponse(written(rows), media_type="text/csv; charset=utf-8", headers=headers)


def written(rows: list[list[object]]) -> Iterator[bytes]:
    """Rows as CSV, some at a time."""
    for start in range(0, len(rows), 1000):
        text = io.StringIO(newline="")
        csv.writer(text).writerows(rows[start : start + 1000])
        yield text.getvalue().encode("utf-8", "replace")


def forget(asking: Asking) -> Response:
    """Shows what would be forgotten and, when that has been seen, forgets it in the background."""
    wanted = Forgetting.read(asking.given("sender"), asking.given("since"), asking.given("until"))
    if asking.given("sure") != "yes":
        found = sum(1 for _ in wanted.mails(asking.desk.history))
        few = list(islice(wanted.mails(asking.desk.history), 10))
        return asking.page("forget", wanted=wanted, found=found, seen=few)
    asking.desk.jobs.start(f"Forget {wanted.words}", partial(wanted.done, asking.desk))
    return asking.go("/data#jobs")


SHOWN = {"/data": show, "/data/jobs": jobs, "/data/counts.csv": counts}
DONE = {
    "/data/learn": ("train", learn),
    "/data/cancel": ("train", cancel),
    "/data/backup": ("train", backup),
    "/data/forget": ("train", forget),
}
