"""Starting: the time before a daemon listens, in which it can be told to stop all the same."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

log = logging.getLogger("bayleaf")
STOP = (signal.SIGTERM, signal.SIGINT)
DONE = signal.SIGUSR1  # what wakes the thread that waits for the others


@contextmanager
def starting() -> Iterator[None]:
    """Meanwhile SIGTERM and SIGINT end the process at once, with 0, in the middle of whatever it is at.

    Imports and a store that somebody else keeps have the main thread where Python hears no signal for a while, so
    another thread waits for them. Nobody has been promised anything yet, and a store survives a kill.
    """
    started = threading.Event()

    def watch() -> None:
        while not started.is_set():
            if signal.sigwait({*STOP, DONE}) in STOP:
                log.info("stopped before it was ready")
                logging.shutdown()
                os._exit(0)

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {*STOP, DONE})
    watcher = threading.Thread(target=watch, name="starting")
    watcher.start()
    try:
        yield
    finally:
        started.set()
        assert watcher.ident is not None
        signal.pthread_kill(watcher.ident, DONE)
        watcher.join()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
