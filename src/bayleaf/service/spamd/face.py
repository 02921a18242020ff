"""SpamdFace: the filter as SpamAssassin's daemon would show it."""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future

from bayleaf.errors import BadValueError
from bayleaf.service.crowd import Crowd
from bayleaf.service.judges import Judges
from bayleaf.service.marks import message_id, printable
from bayleaf.service.reason import reason
from bayleaf.service.spamd.answer import PONG, judged, told
from bayleaf.service.spamd.refusal import DATA, PROTOCOL, TEMPORARY, UNAVAILABLE, Refusal
from bayleaf.service.spamd.request import Request

log = logging.getLogger("bayleaf.spamd")


class SpamdFace:
    """Answers requests. `tell` allows clients to teach."""

    def __init__(self, judges: Judges, crowd: Crowd, tell: bool = False) -> None:
        self.judges, self.crowd, self.tell = judges, crowd, tell
        self.live, self.limits = judges.live, crowd.limits

    def ask(self, request: Request) -> bytes | Future[bytes]:
        """The answer, or the promise of one where it takes a while; raises Refusal where there is none."""
        try:
            return self._asked(request)
        except Exception as error:
            raise self.failed(request, error) from error

    def _asked(self, request: Request) -> bytes | Future[bytes]:
        if request.verb == "PING":
            return PONG
        if request.verb == "SKIP":
            return b""
        if request.verb == "TELL":
            return self._tell(request)
        return self.judges.ask(len(request.body), lambda: self._judge(request))

    def _judge(self, request: Request) -> bytes:
        start = time.perf_counter()
        verdict = self.live.judge(request.body, request.user, "spamd")
        answer = judged(request, verdict)
        about = {
            "verb": request.verb,
            **whose(request),
            "verdict": verdict.label,
            "spam": verdict.probabilities.get("spam", 0.0),
            "ms": 1000 * (time.perf_counter() - start),
        }
        log.info(
            "verb=%(verb)s user=%(user)s id=%(id)s bytes=%(bytes)d verdict=%(verdict)s spam=%(spam).4f ms=%(ms).2f",
            about,
        )
        return answer

    def _tell(self, request: Request) -> Future[bytes]:
        if not self.tell:
            raise Refusal(UNAVAILABLE, "TELL commands have not been enabled; start bayleaf with --allow-tell")
        wanted, unwanted = (request.fields.get(name, "").lower() for name in ("set", "remove"))
        for place in ("local", "remote"):
            if place in wanted and place in unwanted:
                raise Refusal(PROTOCOL, f"Unable to set {place} and remove {place} in the same operation.")
        label = request.fields.get("message-class", "").lower()
        if "local" in wanted and label not in ("spam", "ham"):
            raise Refusal(PROTOCOL, "(Message-class header contains invalid class)")
        if "local" in wanted and not request.body.strip():
            raise Refusal(DATA, "(found an empty mail, expected one to learn: nothing was learned)")
        answer: Future[bytes] = Future()
        if "local" in wanted:
            learning = self.live.train(request.body, label, request.user)
            learning.add_done_callback(lambda done: settle(answer, done, "DidSet", done_nothing="known"))
        elif "local" in unwanted:
            forgetting = self.live.untrain(request.body, request.user)
            forgetting.add_done_callback(lambda done: settle(answer, done, "DidRemove", done_nothing=None))
        else:
            answer.set_result(told(None))  # nothing is ever reported to others
        asked = {"class": printable(label), "set": printable(wanted), "remove": printable(unwanted)}
        log.info(
            "verb=TELL user=%(user)s id=%(id)s bytes=%(bytes)d class=%(class)s set=%(set)s remove=%(remove)s",
            {**whose(request), **asked},
        )
        return answer

    def failed(self, request: Request, error: BaseException) -> Refusal:
        """What a client is told about a fault of ours: to come again."""
        if isinstance(error, Refusal):
            return error
        if isinstance(error, BadValueError):
            return Refusal(PROTOCOL, f"({error})")
        why = reason(error)
        log.error("verb=%s bytes=%d failed: %s: %s", request.verb, len(request.body), type(error).__name__, why)
        return Refusal(TEMPORARY, f"{type(error).__name__}, see the log")

    def refused(self, refusal: Refusal) -> None:
        """Keeps book of a refusal."""
        self.live.count("refused")
        log.warning("refused code=%d: %s", refusal.code, refusal.why)


def whose(request: Request) -> dict[str, str | int]:
    """What the log says of a mail whatever was asked about it."""
    user, id = printable(request.user) or "-", message_id(request.body) or "-"
    return {"user": user, "id": id, "bytes": len(request.body)}


def settle(answer: Future[bytes], done: Future[str] | Future[str | None], did: str, done_nothing: str | None) -> None:
    """Turns the outcome of learning into an answer."""
    error = done.exception()
    if error is not None:
        answer.set_exception(error)
    else:
        answer.set_result(told(None if done.result() == done_nothing else did))
