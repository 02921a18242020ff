"""History: the mails that a daemon has judged, for people to look at and to correct."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from typing import Any

from bayleaf.service.judged import Judged
from bayleaf.service.logbook import Logbook, Note

log = logging.getLogger("bayleaf.history")
QUEUED = 64 * 2**20  # bytes of mails waiting to be written; beyond that only their lines are kept
WAITING = 20_000  # lines waiting to be written; beyond that they are lost
PAUSE = 0.25  # seconds between two batches: one transaction for some hundred mails
LINES = """SELECT id, time, face, user, identity, label, best, probability, sender, subject, size, told,
 EXISTS (SELECT 1 FROM raw WHERE raw.id = judged.id) FROM judged"""


class History:
    r"""The mails in a logbook. Safe to use from every thread.

    What `add` is given is written by a thread of its own, some hundred mails at a time: a disk that is slow or full
    costs lines of the history, never a verdict. Who reads sees what was added before.

    >>> with History(Logbook(None)) as history:
    ...     id = history.add("http", "", b"1", "unsure", "spam", 0.6, "ann@example.org", "lunch", b"Subject: lunch\n\n")
    ...     history.tell(id, "ham")
    ...     found = history.find("ann")[0]
    >>> found.subject, found.label, found.told
    ('lunch', 'unsure', 'ham')
    """

    def __init__(self, book: Logbook) -> None:
        self.dropped = 0  # lines lost because the disk did not keep up
        self._book, self._using = book, threading.Lock()
        self._queue: deque[Note] = deque()
        self._adding = threading.Lock()
        self._queued = self._last = 0
        self._some, self._closing = threading.Event(), threading.Event()
        self._writer = threading.Thread(target=self._write, name="history", daemon=True)
        self._writer.start()

    def add(
        self,
        face: str,
        user: str,
        identity: bytes,
        label: str,
        best: str,
        probability: float,
        sender: str,
        subject: str,
        raw: bytes | str,
    ) -> int:
        """Notes a mail that was judged, or a text (a str); its id. Takes microseconds: nothing is written yet."""
        now, size = time.time(), len(raw)
        with self._adding:
            self._last = id = max(self._last + 1, int(now * 1e6))
            if len(self._queue) >= WAITING:
                self.dropped += 1
                return id
            kept = raw if self._book.budget > 0 and self._queued + size <= QUEUED else None
            self._queued += 0 if kept is None else size
            row = (id, now, face, user, identity, label, best, probability, sender, subject, size)
            self._queue.append(Note(row, kept))
        if not self._some.is_set():
            self._some.set()
        return id

    def learned(self, identity: bytes, user: str | None, label: str | None) -> None:
        """Notes on each line of this mail what it has been learned as (None: unlearned), by a user or for everybody."""
        with self._adding:
            self._queue.append(Note(learned=(label, identity, user)))
        self._some.set()

    def find(
        self,
        query: str = "",
        label: str | None = None,
        unsure_first: bool = True,
        before: int | None = None,
        limit: int = 50,
    ) -> list[Judged]:
        """The newest mails, unsure ones first, that have these words in sender or subject and this verdict.

        `before` is the id of the last one seen: what comes after it is given.
        """
        where, values = ["1"], list[object]()
        if query:
            words = query.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            where.append("(sender LIKE ? ESCAPE '\\' OR subject LIKE ? ESCAPE '\\')")
            values += [f"%{words}%"] * 2
        if label is not None:
            where.append("label = ?")
            values.append(label)
        if before is not None and unsure_first:
            seen = self._read("SELECT label <> 'unsure' FROM judged WHERE id = ?", (before,))
            where.append("((label <> 'unsure') > ? OR ((label <> 'unsure') = ? AND id < ?))")
            values += [seen[0][0] if seen else 1] * 2 + [before]
        elif before is not None:
            where.append("id < ?")
            values.append(before)
        order = "(label <> 'unsure'), id DESC" if unsure_first else "id DESC"
        rows = self._read(f"{LINES} WHERE {' AND '.join(where)} ORDER BY {order} LIMIT ?", (*values, max(limit, 0)))
        return [line(row) for row in rows]

    def get(self, id: int) -> Judged | None:
        """The line with this id."""
        rows = self._read(f"{LINES} WHERE id = ?", (id,))
        return line(rows[0]) if rows else None

    def raw(self, id: int) -> bytes | str | None:
        """The mail, or the text (a str), as it was judged; None when it is no longer kept."""
        for body, text in self._read("SELECT body, text FROM raw WHERE id = ?", (id,)):
            found: bytes = body
            return found.decode("utf-8", "surrogatepass") if text else found
        return None

    def learners(self, mail: Judged) -> list[str]:
        """The users who may have learned a mail: the one it was judged for, and those who have taught it since."""
        taught = self._read("SELECT user FROM lesson WHERE identity = ? AND user <> ?", (mail.identity, mail.user))
        return [mail.user, *(user for (user,) in taught)]

    def tell(self, id: int, label: str | None) -> None:
        """Notes the label that somebody gave this mail; None takes it back."""
        for identity, user in self._read("SELECT identity, user FROM judged WHERE id = ?", (id,)):
            self.learned(identity, user, label)

    def forget(
        self, sender: str | None = None, since: float | None = None, until: float | None = None, last: int | None = None
    ) -> int:
        """Deletes the lines and mails of a sender, of a period, up to a last id or of all these; how many.

        Nothing named, nothing deleted.
        """
        asked = {"instr(lower(sender), lower(?))": sender, "time >= ?": since, "time < ?": until, "id <= ?": last}
        given = {sql: value for sql, value in asked.items() if value is not None}
        with self._using:
            self._drain()
            return self._book.forget(" AND ".join(given), [*given.values()]) if given else 0

    def volume(self, days: int) -> list[tuple[int, str, int]]:
        """Day (days since 1970, UTC), verdict and number of mails for the last so many days, also of mails now gone."""
        since = int(time.time() // 86_400) - days + 1
        return self._read("SELECT day, label, mails FROM volume WHERE day >= ? ORDER BY day, label", (since,))

    def _read(self, sql: str, values: tuple[object, ...]) -> list[Any]:
        with self._using:
            self._drain()
            return self._book.read(sql, values)

    def _drain(self) -> None:
        """Writes what waits; what cannot be written is lost. Under the lock `_using`."""
        with self._adding:
            waiting, self._queue = self._queue, deque()
            self._queued = 0
        try:
            if waiting:
                self._book.write(waiting)
        except Exception as error:  # whatever it is, the thread that writes must go on
            self.dropped += len(waiting)
            log.error("%d lines of the history are lost: %s", len(waiting), error)

    def _write(self) -> None:
        while not self._closing.is_set():
            self._some.wait()
            self._closing.wait(PAUSE)
            self._some.clear()
            with self._using:
                self._drain()

    def turn(self, book: Logbook) -> None:
        """Goes on in another book; what was judged before stays in the old one."""
        with self._using:
            self._drain()
            self._book, old = book, self._book
            old.close()

    def close(self) -> None:
        """Writes what waits and closes the file."""
        self._closing.set()
        self._some.set()
        self._writer.join()
        self._book.close()

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def line(row: tuple[Any, ...]) -> Judged:
    """A line as it is shown."""
    return Judged(*row)._replace(kept=bool(row[-1]))
