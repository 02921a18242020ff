"""LiveFilter: the filter of a daemon. Every thread judges, one learns."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar
from weakref import WeakSet

from bayleaf.errors import BadValueError, NotLearnedError, StoreAwayError, StoreError
from bayleaf.mail import Filter, Verdict
from bayleaf.service.history import History
from bayleaf.service.judged import opening
from bayleaf.service.outage import Outage
from bayleaf.service.shelf import Shelf
from bayleaf.service.writer import Writer
from bayleaf.store.address import Address
from bayleaf.store.occupied import exists

T = TypeVar("T")


class LiveFilter:
    r"""One store, open for the life of a process, with a store per user beside it when a place for those is given.

    A user's own counts are added to the shared ones; who has learned nothing is judged by the shared ones alone. What
    `train` and `untrain` return is done, and survives a kill, when its future is. A database that is away is waited
    for, also at the start; meanwhile everything raises StoreAwayError.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     live = LiveFilter(Path(folder) / "mail.db")
    ...     done = (
    ...         live.train(b"Subject: pills\n\nbuy", "spam").result(),
    ...         live.untrain(b"Subject: pills\n\nbuy").result(),
    ...     )
    ...     live.close()
    >>> done
    ('learned', 'spam')
    """

    def __init__(
        self, store: Path | Address, users: Path | Address | None = None, history: History | None = None
    ) -> None:
        if str(store) == ":memory:":
            raise BadValueError("found :memory:, expected a path: judging and learning threads share the file")
        self.history = history
        self.verdicts: Counter[str] = Counter()  # mails judged as each label
        self.counts: Counter[str] = Counter()  # outcomes of learning, and requests that were refused
        self._lock = threading.Lock()
        self._place = (store, users)
        self._seen: set[Path | Address] = set()  # stores that have been open
        self._local = threading.local()
        self._shelves: WeakSet[Shelf] = WeakSet()  # of all threads
        self._hasty = False
        self._writer = Writer()
        self._outage = Outage(self._look)
        with suppress(StoreAwayError), self._mending():
            self._shelf()
            self._spare()

    def _shelf(self) -> Shelf:
        """The shelf of this thread, while its store is not away and nobody has closed this filter."""
        self._writer.expect_open()
        self._outage.check()
        return self._opened()

    def _opened(self) -> Shelf:
        """The shelf of this thread, filled anew after `reopen`."""
        place = self._place
        store, users = place
        held = getattr(self._local, "shelf", None)
        replaced = isinstance(store, Path) and held is not None and held.shared.store.moved and store.exists()
        if getattr(self._local, "place", None) is not place or replaced:
            self.leave()
            self._local.shelf = self._filled(store, users)
            self._local.place = place
        shelf: Shelf = self._local.shelf
        return shelf

    def _filled(self, store: Path | Address, users: Path | Address | None) -> Shelf:
        """A shelf of these places, which are made when missing."""
        if store in self._seen and not exists(store):
            raise StoreError(f"{store} has gone since the start: bring it back; it is looked for with each mail")
        for folder in (store.parent if isinstance(store, Path) else None, users):
            if isinstance(folder, Path):
                make(folder)
        shelf = Shelf(store, users)
        try:
            shelf.shared.judge(b"")  # or the first mail would pay 20 ms for what is loaded when needed
        except BaseException:
            shelf.close()
            raise
        self._seen.add(store)
        with self._lock:
            self._shelves.add(shelf)
            if self._hasty:
                shelf.hurry()
        return shelf

    @contextmanager
    def _mending(self) -> Iterator[None]:
        """After a failure of the store it is opened anew with the next mail, so that what has passed is over."""
        try:
            yield
        except NotLearnedError:
            raise
        except StoreError as error:
            with suppress(StoreError):
                self.leave()
            if isinstance(error, StoreAwayError):
                self._outage.begin(error)
            raise

    @property
    def far(self) -> bool:
        """Whether a mail may wait for others on its way to the counts: whoever answers many must ask in a thread."""
        return any(isinstance(place, Address) for place in self._place)

    def judge(self, raw: bytes | str, user: str = "", face: str = "") -> Verdict:
        """What this mail, or text, is to this user. Done in the calling thread."""
        return self.judged(raw, user, face)[0]

    def judged(self, raw: bytes | str, user: str = "", face: str = "") -> tuple[Verdict, int | None]:
        """The same with the id under which the history has it; None when there is no history."""
        with self._mending():
            features, verdict = self._shelf().judged(raw, user)
        with self._lock:
            self.verdicts[verdict.label] += 1
        if self.history is None:
            return verdict, None
        about = (features.sender, features.subject or opening(raw), raw)
        id = self.history.add(face, user, features.identity, verdict.label, verdict.best, verdict.probability, *about)
        return verdict, id

    def train(self, raw: bytes | str, label: str, user: str = "") -> Future[str]:
        """Learns a mail: ``"learned"``, ``"corrected"`` or ``"known"``."""
        return self._writer.submit(self._train, raw, label, user)

    def _train(self, raw: bytes | str, label: str, user: str) -> str:
        with self._mending():
            learner = self._shelf().learning(user)
            done = learner.train(raw, label)
        self.count(done)
        self._tell(learner.taught(raw).identity, user, label)
        return done

    def untrain(self, raw: bytes | str, user: str = "") -> Future[str | None]:
        """Takes the learning of a mail back: the label it had, or None when it was never learned here."""
        return self._writer.submit(self._untrain, raw, user)

    def _untrain(self, raw: bytes | str, user: str) -> str | None:
        if self.known(raw, user) is None:
            return None
        with self._mending():
            learner = self._shelf().theirs(user)
            features = learner.taught(raw)
            label = learner.untrain(raw)
        self.count("forgotten")
        self._tell(features.identity, user, None)
        return label

    def _tell(self, identity: bytes, user: str, label: str | None) -> None:
        """Has the history note what a mail is learned as: by this user, or by all where they share one store."""
        if self.history is not None:
            self.history.learned(identity, None if self._place[1] is None else user, label)

    def known(self, raw: bytes | str, user: str = "") -> str | None:
        """The label that a user has learned a mail as. Who has no store has learned nothing, whatever others have."""
        with self._mending():
            shelf = self._shelf()
            learner = shelf.theirs(user)
            if user and self._place[1] is not None and learner is shelf.shared:
                return None
            return learner.knows(learner.taught(raw))

    def own(self, names: Iterable[str]) -> str:
        """The first of these users who has learned something; empty when nobody has. Done in the calling thread."""
        with self._mending():
            shelf = self._shelf()
            for name in names:
                with suppress(BadValueError):  # no user can have such a name
                    if shelf.judging(name) is not shelf.shared:
                        return name
        return ""

    def ask(self, question: Callable[[Filter], T], user: str = "") -> T:
        """The answer of the filter of a user to a question that changes nothing. Done in the calling thread."""
        with self._mending():
            return question(self._shelf().judging(user))

    def order(self, work: Callable[[Filter], T]) -> Future[T]:
        """Has the shared filter do work that may change it, in the thread that learns."""
        return self._writer.submit(self._order, work)

    def _order(self, work: Callable[[Filter], T]) -> T:
        with self._mending():
            return work(self._shelf().shared)

    @property
    def has_learned(self) -> bool:
        """Whether the shared store holds a mail, as far as can be seen: one that is away may."""
        try:
            return any(self.ask(lambda shared: shared.store.state().totals))
        except StoreError:
            return True
        finally:
            self._spare()

    def status(self) -> dict[str, object]:
        """What the shared store holds."""
        return self.ask(Filter.status)

    def ready(self) -> None:
        """Raises StoreError when the store does not answer to a newcomer; threads that have it open may go on."""
        self._outage.check()
        self._look()

    def _look(self) -> None:
        store, users = self._place
        if store in self._seen and not exists(store):
            raise StoreError(f"{store} is not there: bring it back")
        with Filter.open(store) as fresh:
            if isinstance(store, Path):
                fresh.store.state()
            else:
                fresh.store.size()  # asks for each table; all counts would come over the wire with each question
            if isinstance(users, Address):
                exists(users, fresh.store)

    def count(self, what: str, times: int = 1) -> None:
        """Adds to a counter, from any thread."""
        with self._lock:
            self.counts[what] += times

    def reopen(self, store: Path | Address, users: Path | Address | None) -> None:
        """Goes on with these places. When they cannot be opened, with the old ones, and the reason is raised.

        From any thread: a store may keep whoever opens it waiting, and meanwhile the others go on with the old one.
        """
        self._filled(store, users).close()
        self._place = (store, users)
        self._outage.end()

    def _spare(self) -> None:
        """Lets go of what was opened only to see that it can be: the thread that serves does not judge from afar."""
        if self.far:
            self.leave()

    def leave(self) -> None:
        """Closes what this thread holds open; a thread that has judged calls it before it ends."""
        shelf = getattr(self._local, "shelf", None)
        self._local.shelf = self._local.place = None
        if shelf is not None:
            shelf.close()

    def hurry(self) -> None:
        """What is being learned or asked may no longer take long: the process is about to end."""
        self._writer.hurry()
        with self._lock:
            self._hasty = True
            for shelf in self._shelves:
                shelf.hurry()

    @property
    def stuck(self) -> bool:
        """Whether the store has kept the learning thread waiting since `hurry`; it still does after `close`."""
        return self._writer.stuck

    def close(self) -> None:
        """Finishes what is being learned and closes what this thread and the learning one hold."""
        self._outage.close()
        self._writer.close(self.leave)
        self.leave()


def dismiss(pool: ThreadPoolExecutor, threads: int, live: LiveFilter) -> None:
    """Has each thread of a pool leave what it holds open of a filter, and ends them."""
    barrier = threading.Barrier(threads)

    def last() -> None:
        barrier.wait()  # so that each thread leaves, not one of them twice
        live.leave()

    for each in [pool.submit(last) for _ in range(threads)]:
        each.result()
    pool.shutdown()


def make(folder: Path) -> None:
    """Makes a folder that only its owner can enter: mail is private."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} cannot be made: {error.strerror}; check the path and its permissions") from error
