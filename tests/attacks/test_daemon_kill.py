"""kill -9 of the daemon while clients teach: what was acknowledged is there, once; it starts again without hands."""

from __future__ import annotations

import os
import random
import subprocess
import threading
from pathlib import Path

import pytest
from daemon import Daemon, request
from letters import letter

from bayleaf.mail import Filter

KILLS = 100 if os.environ.get("BAYLEAF_FULL") else 20


class Teacher(threading.Thread):
    """Learns and forgets mails of its own without end; knows what was acknowledged, and the one that was not."""

    def __init__(self, daemon: Daemon, start: int, known: dict[bytes, str | None]) -> None:
        super().__init__()
        self.daemon_, self.number, self.known = daemon, start, known
        self.open: bytes | None = None
        self.some = threading.Event()

    def run(self) -> None:
        chance = random.Random(self.number)
        while True:
            self.number += 1
            label = chance.choice(["spam", "ham"])
            if chance.random() < 0.2 and self.known:
                mail, wish, fields = chance.choice([*self.known]), None, ["Remove: local"]
            else:
                mail, wish, fields = letter(self.number, label), label, [f"Message-class: {label}", "Set: local"]
            self.open = mail
            try:
                answer = self.daemon_.ask(request("TELL", mail, *fields))
            except OSError:
                return
            if not answer.endswith(b"\r\n\r\n"):
                return
            self.known[mail] = wish
            self.open = None
            self.some.set()


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_and_nothing_counts_twice(tmp_path: Path) -> None:
    known: list[dict[bytes, str | None]] = [{}, {}]
    chance = random.Random(7)
    store = tmp_path / "mail.db"
    for round_ in range(KILLS):
        with Daemon(tmp_path, "--allow-tell", store=store) as daemon:
            teachers = [Teacher(daemon, 1000 * round_ + 100_000 * n, known[n]) for n in range(2)]
            for teacher in teachers:
                teacher.start()
            for teacher in teachers:
                assert teacher.some.wait(60), "it learns again after a kill"
            with pytest.raises(subprocess.TimeoutExpired):  # it goes on for ever
                daemon.process.wait(timeout=chance.uniform(0, 0.1))
            daemon.kill()
            for teacher in teachers:
                teacher.join()
        with Filter.open(store) as found:
            for teacher in teachers:
                unanswered = teacher.open
                for mail, label in teacher.known.items():
                    if mail != unanswered:
                        assert found.knows(found.read(mail)) == label
                if unanswered is not None:  # done or not done, both are well
                    teacher.known[unanswered] = found.knows(found.read(unanswered))
            counted = found.check()["mails"]
        assert counted == sum(label is not None for mails in known for label in mails.values())
