"""Ending: a command that is told to stop takes away what it has begun, and then ends by the signal that told it."""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType

from bayleaf.cli.streams import settle, steady

TOLD = (signal.SIGTERM, signal.SIGHUP)
_by: list[int] = []  # the signal that has ended the command


class _Terminated(KeyboardInterrupt):
    """SIGTERM, or the SIGHUP of a terminal that is gone; whatever minds Ctrl-C minds them as well."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def conduct(called: Callable[[list[str]], int], argv: Sequence[str] | None) -> int:
    """Calls a command with its words and returns its exit code; without `argv` this process is the command.

    Then its words, signals and end are those of the process.
    """
    steady()
    if argv is None:
        _listen()
    try:
        code = called(list(sys.argv[1:] if argv is None else argv))
    finally:
        settle()
    if argv is None:
        _leave(code)
    return code


def _listen() -> None:
    """From here on these signals unwind what is under way, as Ctrl-C does: half a backup would stay behind else."""
    atexit.register(_end)  # the first is called last, when others have cleaned up
    for number in TOLD:
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup has SIGHUP passed over
            signal.signal(number, _unwind)


def ended(error: KeyboardInterrupt) -> int:
    """The exit code of a command that was told to stop, as shells count it."""
    number = error.number if isinstance(error, _Terminated) else int(signal.SIGINT)
    _by.append(number)
    return 128 + number


def _leave(code: int) -> None:
    """Ends the process, unless threads go on or somebody traces it.

    What is to be done at the end is done, but modules are not taken down one by one: that takes 10 of the 70 ms of
    judging a mail.
    """
    threads = sys.modules.get("threading")
    if (threads is None or threads.active_count() == 1) and sys.gettrace() is sys.getprofile() is None:
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                with suppress(OSError, ValueError):  # nobody takes it, or it is closed
                    stream.flush()
        os._exit(code)


def _unwind(number: int, _: FrameType | None) -> None:
    raise _Terminated(number)


def _end() -> None:
    """Ends by the signal itself: after an exit code, also 130, a shell goes on with the next round of its loop."""
    if _by:
        signal.signal(_by[0], signal.SIG_DFL)
        signal.raise_signal(_by[0])
