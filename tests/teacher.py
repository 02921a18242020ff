"""Clients that teach a daemon which is killed again and again, for tests of every face."""

from __future__ import annotations

import os
import random
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from daemon import Daemon
from letters import letter

from bayleaf.mail import Filter

KILLS = 100 if os.environ.get("BAYLEAF_FULL") else 10
Teach = Callable[[bytes, str | None], bool]  # learns a mail as a label, or takes it back; whether that was acknowledged


class Teacher(threading.Thread):
    """Learns and takes back mails of its own without end; knows what was acknowledged, and the one that was not."""

    def __init__(self, teach: Teach, start: int, known: dict[bytes, str | None]) -> None:
        super().__init__()
        self.teach, self.number, self.known = teach, start, known
        self.open: bytes | None = None
        self.some = threading.Event()

    def run(self) -> None:
        """Until nothing is acknowledged any more."""
        chance = random.Random(self.number)
        while True:
            self.number += 1
            learned = [mail for mail, label in self.known.items() if label is not None]
            label = chance.choice(["spam", "ham"])
            back = bool(learned) and chance.random() < 0.2
            mail, wish = (chance.choice(learned), None) if back else (letter(self.number, label), label)
            self.open = mail
            if not self.teach(mail, wish):
                return
            self.known[mail] = wish
            self.open = None
            self.some.set()


def kill_while_learning(store: Path, start: Callable[[], Daemon], teacher: Callable[[Daemon], Teach]) -> None:
    """Starts a daemon, kills it while two teach, and looks into the store; many times over."""
    known: list[dict[bytes, str | None]] = [{}, {}]
    chance = random.Random(7)
    for round_ in range(KILLS):
        with start() as daemon:
            teachers = [Teacher(teacher(daemon), 1000 * round_ + 1_000_000 * n, known[n]) for n in range(2)]
            for each in teachers:
                each.start()
            for each in teachers:
                assert each.some.wait(60), "it learns again after a kill"
            with pytest.raises(subprocess.TimeoutExpired):  # it goes on for ever, and any moment will do
                daemon.process.wait(timeout=chance.uniform(0, 0.1))
            daemon.kill()
            for each in teachers:
                each.join()
        with Filter.open(store) as found:
            for each in teachers:
                for mail, label in each.known.items():
                    if mail != each.open:
                        assert found.knows(found.read(mail)) == label
                if each.open is not None:  # done or not done, both are well
                    each.known[each.open] = found.knows(found.read(each.open))
            counted = found.check()["mails"]
        assert counted == sum(label is not None for mails in known for label in mails.values())
