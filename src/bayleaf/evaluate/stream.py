"""Stream: mails judged in order and taught as a protocol says."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from bayleaf.errors import NotLearnedError
from bayleaf.evaluate.rates import Judged
from bayleaf.mail import Filter, Verdict
from bayleaf.store import Store


class Protocol(NamedTuple):
    """How feedback comes: `delay` mails late, for a `share` of mails only, with a `noise` share of wrong labels."""

    delay: int = 0
    share: float = 1.0
    noise: float = 0.0
    seed: int = 1

    def fresh(self) -> Filter:
        """A filter that has learned nothing. Its secret is of the seed: it decides which keys are kept."""
        return Filter(Store(None, secret=random.Random(self.seed).randbytes(16), names=False))

    def run(self, judge: Filter, mails: Iterable[tuple[bytes, str]]) -> Iterator[Judged]:
        """Judges each mail, then teaches those whose time has come; capitals mean what they mean in an `Index`."""
        chance = random.Random(self.seed)
        waiting: deque[tuple[bytes, str]] = deque()
        for raw, asked in mails:
            label = asked.lower()
            if not asked.isupper():
                verdict = judge.judge(raw)
                yield judged(label, verdict)
            if not asked.istitle() and chance.random() < self.share:
                wrong = "ham" if label == "spam" else "spam"
                waiting.append((raw, wrong if chance.random() < self.noise else label))
            while len(waiting) > self.delay:
                # A copy that came by another way, long ago and under the other label, cannot be taken back any more:
                # as when many mails are learned, its first label stays.
                with suppress(NotLearnedError):
                    judge.train(*waiting.popleft())


def judged(label: str, verdict: Verdict) -> Judged:
    """A verdict on a mail of that label, to be measured."""
    return Judged(label == "spam", verdict.scores["spam"], verdict.label, verdict.probabilities["spam"])
