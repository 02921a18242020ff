"""Lessons: many mails learned in few transactions."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from itertools import count

from bayleaf._core import MailFeatures, run_fingerprint
from bayleaf.errors import NotLearnedError
from bayleaf.mail.batches import batches, expect_threads, read
from bayleaf.mail.filter import NAMED, Filter
from bayleaf.mail.layer import clip, pack
from bayleaf.mail.original import original
from bayleaf.mail.vocabulary import Vocabulary
from bayleaf.store.change import Change
from bayleaf.store.ledger import RECALL

BATCH = 256  # mails read at a time
CHUNK = 64_000_000  # bytes of keys per transaction: about 2,700 mails
KEPT = 50  # mails of each label whose tokens are named
BEGINNING = 1 << 20  # bytes of them that are kept for that
CHANGED = "left out: changed since they were learned"
SAMPLE = 100  # mails per label that are scored without themselves afterwards, for the layer


class Lessons:
    """Reads and counts; the layer is fitted at the end on mails scored without themselves (leave-one-out)."""

    def __init__(self, owner: Filter, threads: int, left: list[int]) -> None:
        expect_threads(threads)
        self.owner, self.threads, self.left = owner, threads, left
        self.outcome = {"learned": 0, "corrected": 0, "known": 0}
        self._named: defaultdict[str, Named] = defaultdict(Named)
        self._recent: dict[int, deque[MailFeatures]] = {}

    def learn(self, mails: Iterable[tuple[bytes | str, str]]) -> dict[str, int]:
        """Learns them all and says how many were learned, corrected, known and, where there are some, left out."""
        number = count()
        for chunk in self._chunks(mails):
            with self.owner.store.change(self.owner.day()) as change:
                change.adopt(self.owner.evidence().labels)
                for features, label in chunk:
                    done, at = self._one(change, features, change.label(label)), next(number)
                    self.outcome[done] = self.outcome.get(done, 0) + 1
                    if done == CHANGED:
                        self.left.append(at)
        with self.owner.store.ledger(write=True) as ledger:
            recent = (mail for each in self._recent.values() for mail in each)
            ledger.remember((mail.identity, mail.keys, run_fingerprint(mail)) for mail in recent)
        self._rescore()
        return self.outcome

    def _chunks(self, mails: Iterable[tuple[bytes | str, str]]) -> Iterator[list[tuple[MailFeatures, str]]]:
        chunk: list[tuple[MailFeatures, str]] = []
        size, labels = 0, deque[str]()
        for batch in batches(self._raws(mails, labels), BATCH):
            features = read(batch, self.owner.store.secret, self.threads)
            chunk += [(mail, labels.popleft()) for mail in features]
            size += sum(8 * len(mail) for mail in features)
            if size >= CHUNK:
                yield chunk
                chunk, size = [], 0
        if chunk:
            yield chunk

    def _raws(self, mails: Iterable[tuple[bytes | str, str]], labels: deque[str]) -> Iterator[bytes | str]:
        """The mails, whose labels go elsewhere; some of each are kept to have their tokens named at the end."""
        for given, label in mails:
            labels.append(label)
            raw = original(given) if isinstance(given, bytes) else given
            yield raw  # where it is refused if it is no mail
            if self.owner.store.names:
                self._named[label].look(raw)

    def _one(self, change: Change, features: MailFeatures, label: int) -> str:
        try:
            outcome = self.owner.put(change, features, label)
        except NotLearnedError:  # it cannot be taken back from its other label: the rest is learned
            return CHANGED
        if outcome != "corrected":  # known ones too: learning may have been cut short before their keys were kept
            self._recent.setdefault(label, deque(maxlen=RECALL)).append(features)
        return outcome

    def _rescore(self) -> None:
        """Names tokens, and pairs for the layer: recent mails of every label, as if each had not been learned."""
        evidence = self.owner.evidence()
        changed = any(self.outcome[what] for what in ("learned", "corrected"))
        if not changed and not (evidence.ready and self.owner.stale()):
            return
        with self.owner.store.ledger(write=True) as ledger:
            for raw in (raw for named in self._named.values() for raw in named.mails):
                features = self.owner.read(raw, names=True)
                Vocabulary(ledger.db).add(features, evidence.weigh(features))
            for label in range(len(evidence.labels)) if evidence.ready else ():
                for entry in ledger.recalled(label, SAMPLE):
                    weighed = evidence.weigh(entry.keys or b"", entry.label)
                    ledger.pair(entry.identity, pack(clip(weighed.means)))
        if evidence.ready:
            self.owner.refit(force=True)


class Named:
    """Some of the mails that are looked at, the more sparsely the more there are. Each label has its own.

    Every eighth of all would leave a label out whose mails are few, or come in turn with those of another.
    """

    def __init__(self) -> None:
        self.mails: list[bytes | str] = []
        self._seen, self._step = 0, NAMED

    def look(self, raw: bytes | str) -> None:
        """The next mail."""
        if self._seen % self._step == 0:
            self.mails.append(raw[:BEGINNING])
            if len(self.mails) > KEPT:
                self.mails = self.mails[::2]
                self._step *= 2
        self._seen += 1
