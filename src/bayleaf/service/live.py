"""LiveFilter: the filter of a daemon. Every thread judges, one learns."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from bayleaf.errors import BadValueError, StoreError
from bayleaf.mail import Verdict
from bayleaf.service.shelf import Shelf
from bayleaf.store.address import Address


class LiveFilter:
    r"""One store, open for the life of a process, with a store per user beside it when a place for those is given.

    A user's own counts are added to the shared ones; who has learned nothing is judged by the shared ones alone. What
    `train` and `untrain` return is done, and survives a kill, when its future is.

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

    def __init__(self, store: Path | Address, users: Path | Address | None = None) -> None:
        if str(store) == ":memory:":
            raise BadValueError("found :memory:, expected a path: judging and learning threads share the file")
        self.counts: Counter[str] = Counter()  # judged as each label, trained, untrained
        self._lock = threading.Lock()
        self._place = (store, users)
        self._local = threading.local()
        self._writer = ThreadPoolExecutor(1, "learn")
        self._shelf()

    def _shelf(self) -> Shelf:
        """The shelf of this thread, filled anew after `reopen`."""
        place = self._place
        if getattr(self._local, "place", None) is not place:
            self.leave()
            store, users = place
            for folder in (store.parent if isinstance(store, Path) else None, users):
                if isinstance(folder, Path):
                    make(folder)
            self._local.shelf = Shelf(store, users)
            self._local.shelf.shared.judge(b"")  # or the first mail would pay 20 ms for what is loaded when needed
            self._local.place = place
        shelf: Shelf = self._local.shelf
        return shelf

    def judge(self, raw: bytes, user: str = "") -> Verdict:
        """What this mail is, to this user. Done in the calling thread."""
        verdict = self._shelf().judging(user).judge(raw)
        self.count(verdict.label)
        return verdict

    def train(self, raw: bytes, label: str, user: str = "") -> Future[str]:
        """Learns a mail: ``"learned"``, ``"corrected"`` or ``"known"``."""
        return self._writer.submit(self._train, raw, label, user)

    def _train(self, raw: bytes, label: str, user: str) -> str:
        done = self._shelf().learning(user).train(raw, label)
        self.count(done)
        return done

    def untrain(self, raw: bytes, user: str = "") -> Future[str | None]:
        """Takes the learning of a mail back: the label it had, or None when it was never learned here."""
        return self._writer.submit(self._untrain, raw, user)

    def _untrain(self, raw: bytes, user: str) -> str | None:
        learner = self._shelf().judging(user)
        if user and learner is self._shelf().shared and self._place[1] is not None:
            return None  # a user without a store has learned nothing, and may not take back what others have
        if learner.knows(learner.read(raw)) is None:
            return None
        label = learner.untrain(raw)
        self.count("forgotten")
        return label

    def status(self) -> dict[str, object]:
        """What the shared store holds."""
        return self._shelf().shared.status()

    def count(self, what: str) -> None:
        """Adds one to a counter, from any thread."""
        with self._lock:
            self.counts[what] += 1

    def reopen(self, store: Path | Address, users: Path | Address | None) -> None:
        """Goes on with these places. When they cannot be opened, with the old ones, and the reason is raised."""
        before = self._place
        self._place = (store, users)
        try:
            self._shelf()
        except BaseException:
            self._place = before
            raise

    def leave(self) -> None:
        """Closes what this thread holds open; a thread that has judged calls it before it ends."""
        shelf = getattr(self._local, "shelf", None)
        self._local.shelf = self._local.place = None
        if shelf is not None:
            shelf.close()

    def close(self) -> None:
        """Finishes what is being learned and closes what this thread and the learning one hold."""
        self._writer.submit(self.leave).result()
        self._writer.shutdown()
        self.leave()


def make(folder: Path) -> None:
    """Makes a folder that only its owner can enter: mail is private."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} cannot be made: {error.strerror}; check the path and its permissions") from error
