"""Stream: mails judged in order and taught as a protocol says."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bayleaf.evaluate.rates import Judged
from bayleaf.mail import Filter


class Protocol(NamedTuple):
    """How feedback comes: `delay` mails late, for a `share` of mails only, with a `noise` share of wrong labels."""

    delay: int = 0
    share: float = 1.0
    noise: float = 0.0
    seed: int = 1

    def run(self, judge: Filter, mails: Iterable[tuple[bytes, str]]) -> Iterator[Judged]:
        """Judges each mail, then teaches those whose time has come."""
        chance = random.Random(self.seed)
        waiting: deque[tuple[bytes, str]] = deque()
        for raw, label in mails:
            verdict = judge.judge(raw)
            yield Judged(label == "spam", verdict.scores["spam"], verdict.label, verdict.probabilities["spam"])
            if chance.random() < self.share:
                wrong = "ham" if label == "spam" else "spam"
                waiting.append((raw, wrong if chance.random() < self.noise else label))
            while len(waiting) > self.delay:
                judge.train(*waiting.popleft())


def read_index(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Label and path of each line of a TREC index (``spam ../data/inmail.1``)."""
    for line in lines:
        label, _, path = line.strip().partition(" ")
        if path:
            yield label.lower(), path.strip()
