"""MilterFace: the filter as Postfix and Sendmail ask it."""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future

from bayleaf.service.crowd import Crowd
from bayleaf.service.judges import Judges
from bayleaf.service.marks import printable
from bayleaf.service.milter.answer import marked
from bayleaf.service.milter.letter import Letter
from bayleaf.service.milter.session import CONTINUE
from bayleaf.service.milter.terms import Terms
from bayleaf.service.reason import reason

log = logging.getLogger("bayleaf.milter")


class MilterFace:
    """Answers at the end of each mail: the mail goes on with the verdict in its header, whatever the verdict is."""

    def __init__(self, judges: Judges, crowd: Crowd) -> None:
        self.judges, self.crowd = judges, crowd
        self.live, self.limits = judges.live, crowd.limits

    def ask(self, letter: Letter, terms: Terms) -> bytes | Future[bytes]:
        """The answer, or the promise of one. Mail that a user of the server sends after a login is not judged."""
        if letter.macro(b"{auth_type}"):
            return CONTINUE
        raw = letter.raw()
        return self.judges.ask(len(raw), lambda: self._judge(letter, raw, terms))

    def _judge(self, letter: Letter, raw: bytes, terms: Terms) -> bytes:
        start = time.perf_counter()
        verdict = self.live.judge(raw, self.live.own(letter.users), "milter")
        answer = marked(letter, verdict, terms)
        about = {
            "id": printable(letter.macro(b"i").decode("ascii", "replace")),
            "bytes": len(raw),
            "verdict": verdict.label,
            "spam": verdict.probabilities.get("spam", 0.0),
            "ms": 1000 * (time.perf_counter() - start),
        }
        log.info("id=%(id)s bytes=%(bytes)d verdict=%(verdict)s spam=%(spam).4f ms=%(ms).2f", about)
        return answer

    def failed(self, error: BaseException) -> None:
        """Keeps book of a connection that is cut: the server then does what it is told to do without its filter."""
        self.live.count("refused")
        why = reason(error)
        log.error("cut a connection: %s: %s", type(error).__name__, why)
