"""Jobs: what is learned or forgotten in the background."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from bayleaf.errors import BadValueError

log = logging.getLogger("bayleaf.pages")
BATCH = 128  # mails per transaction: half a second in which nobody else can teach
WAITING = 8  # jobs not over: each holds a file on the disk
KEPT = 20  # jobs that are over and still shown
NOTES = 20  # to a job


@dataclass
class Job:
    """One piece of work, done batch by batch: a batch is learned whole or not at all, and taken back mail by mail."""

    number: int
    title: str
    total: int = 0  # 0: not known
    done: int = 0
    state: str = "waiting"  # then running, finished, cancelled or failed
    outcome: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    begun: float = field(default_factory=time.time)

    @property
    def over(self) -> bool:
        """Whether nothing more happens."""
        return self.ended.is_set()

    def add(self, more: dict[str, int], done: int) -> None:
        """A batch has been done."""
        for what, count in more.items():
            self.outcome[what] = self.outcome.get(what, 0) + count
        self.done += done

    def note(self, words: str) -> None:
        """Something that a person should read; of very many, the first."""
        if len(self.notes) < NOTES:
            self.notes.append(words)

    def batches(self, items: Iterable[Any]) -> Iterator[list[Any]]:
        """Items in batches, until somebody cancels the job."""
        rest = iter(items)
        while not self.stop.is_set() and (batch := list(islice(rest, BATCH))):
            yield batch


class Jobs:
    """One thread that does them in order. A restart loses what has not been done yet, nothing else.

    >>> jobs = Jobs()
    >>> job = jobs.start("a letter", lambda job: job.add({"learned": 1}, 1))
    >>> (job.ended.wait(), jobs.close())
    (True, None)
    >>> job.state, job.outcome
    ('finished', {'learned': 1})
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "jobs")
        self._jobs: list[Job] = []
        self._lock = threading.Lock()
        self._count = 0

    def start(self, title: str, work: Callable[[Job], None], end: Callable[[], None] = lambda: None) -> Job:
        """Queues a job; `end` is called when it is over, however it went. Too many are refused."""
        if sum(not job.over for job in self.all()) >= WAITING:
            end()
            raise BadValueError(f"found {WAITING} jobs that are not over, expected fewer: wait for one, or cancel it")
        with self._lock:
            self._count += 1
            job = Job(self._count, title)
            self._jobs = [job, *(old for at, old in enumerate(self._jobs) if not old.over or at < KEPT)]
        self._thread.submit(self._run, job, work, end)
        return job

    def _run(self, job: Job, work: Callable[[Job], None], end: Callable[[], None]) -> None:
        try:
            if not job.stop.is_set():
                job.state = "running"
                work(job)
            job.state = "cancelled" if job.stop.is_set() else "finished"
        except Exception as error:
            job.notes.insert(0, str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}")
            job.state = "failed"
            log.warning("job=%d failed: %s", job.number, type(error).__name__)
        finally:
            end()
            job.ended.set()

    def all(self) -> list[Job]:
        """The newest first."""
        with self._lock:
            return list(self._jobs)

    def cancel(self, number: int) -> bool:
        """Ends a job after the batch it is at; whether there was something to end."""
        found = next((job for job in self.all() if job.number == number and not job.over), None)
        if found is not None:
            found.stop.set()
        return found is not None

    def close(self, then: Callable[[], None] = lambda: None) -> None:
        """Cancels what waits or runs, does `then` in the thread, and waits for it."""
        for job in self.all():
            job.stop.set()
        self._thread.submit(then).result()
        self._thread.shutdown()
