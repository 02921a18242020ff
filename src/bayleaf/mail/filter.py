"""Filter: judge, train and untrain mails against a store."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from pathlib import Path

from bayleaf._core import MailFeatures, Weighed
from bayleaf.errors import BadValueError, NotLearnedError, OtherSecretError, StoreError
from bayleaf.mail.evidence import INPUTS, Evidence
from bayleaf.mail.layer import MOST, Layer, clip, pack
from bayleaf.mail.mailtype import expect_mail
from bayleaf.mail.original import original
from bayleaf.mail.policy import Policy
from bayleaf.mail.verdict import Verdict
from bayleaf.store import Store
from bayleaf.store.address import Address, file_named, place, same
from bayleaf.store.change import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf.mail.clue import Clue

# A process is started per mail: what judging does not need is imported where it is used.
LABELS = ("spam", "ham")
NAMED = 8  # the text of tokens is kept of the first so many mails of a label, then of every 8th: it takes five readings
JUDGED = 64  # mails judged at a time for each thread, which reads as many; 256 take no less
EPOCH = 10_957  # 2000-01-01 in days since 1970: the days of a store fit 16 bits until 2179


def today() -> int:
    """Days since 2000-01-01, UTC; the first or last there is where a clock is wrong: mails are learned all the same."""
    return min(max(int(time.time() // 86_400) - EPOCH, 1), 0xFFFF)


class Filter:
    r"""A mail filter with its store; `Filter.open` makes one.

    >>> f = Filter.open(":memory:")
    >>> f.train(b"Subject: buy now\n\ncheap pills", "spam")
    'learned'
    >>> f.train(b"Subject: lunch\n\nat noon?", "ham")
    'learned'
    >>> f.judge(b"Subject: pills\n\nbuy cheap pills now").best
    'spam'
    >>> f.untrain(b"Subject: lunch\n\nat noon?")
    'ham'
    """

    def __init__(self, store: Store, shared: Filter | None = None, day: Callable[[], int] = today) -> None:
        if shared is not None and shared.store.secret != store.secret:
            raise OtherSecretError(
                f"{store.path} and the shared store {shared.store.path} have different secrets, so their keys cannot "
                "be compared: move it away, and learn its mails anew with --shared (in Python, `shared`)"
            )
        self.store: Store = store
        self.shared: Filter | None = shared
        self.day = day
        self.policy = Policy.configured()
        self._evidence: tuple[object, object, Evidence] | None = None

    @classmethod
    def open(
        cls,
        path: str | Path | Address,
        *,
        shared: str | Path | Address | Filter | None = None,
        labels: tuple[str, ...] = LABELS,
        names: bool = True,
    ) -> Filter:
        """A filter on the store at `path`, made when missing; ``":memory:"`` keeps it in memory.

        ``"postgresql://user@host/database?store=NAME"`` keeps it in PostgreSQL, for several machines at once.

        `shared` is a store whose counts are added to this one's whenever a mail is weighed; this very store is not
        added to itself. `labels` and `names` (whether the text of words and headers is kept for `words`) matter only
        when the store is made.
        """
        if shared is not None and same(place(path), shared.store.path if isinstance(shared, Filter) else place(shared)):
            shared = None
        common = shared if shared is None or isinstance(shared, Filter) else cls.open(shared)
        secret, beside = (None, None) if common is None else (common.store.secret, common.store)
        return cls(Store(place(path), labels=labels, secret=secret, names=names, beside=beside), common)

    def read(self, raw: bytes | str, names: bool = False) -> MailFeatures:
        """The features of a mail, or of a text without headers when a str is given."""
        if isinstance(raw, str):
            return MailFeatures.read_text(raw, self.store.secret, names)
        expect_mail(raw)
        return MailFeatures.read(raw, self.store.secret, names)

    def taught(self, raw: bytes | str, names: bool = False) -> MailFeatures:
        """The features that are learned of a mail: those of the mail in a report of SpamAssassin, not of the report."""
        return self.read(original(raw) if isinstance(raw, bytes) else raw, names)

    def evidence(self) -> Evidence:
        """The counts as they are now."""
        own, shared = self.store.state(), None if self.shared is None else self.shared.store.state()
        if self._evidence is None or self._evidence[0] is not own or self._evidence[1] is not shared:
            self._evidence = own, shared, Evidence(own, shared)
        return self._evidence[2]

    def judge(self, raw: bytes | str) -> Verdict:
        """What this mail is. Nothing is learned."""
        return self.judge_features(self.read(raw), raw)

    def judge_many(self, mails: Iterable[bytes | str], threads: int = 1) -> Iterator[Verdict]:
        """What each of many mails is, in their order; `threads` read them.

        Some are read, then weighed, then judged: a fifth less work than one by one (TRIED.md), since each step finds
        the processor's cache as it left it.
        """
        from bayleaf.mail.batches import batches, expect_threads, read

        expect_threads(threads)
        for batch in batches(mails, JUDGED * max(threads, 1)):
            features, evidence = read(batch, self.store.secret, threads), self.evidence()
            weighed = [evidence.weigh(mail) for mail in features]
            yield from map(self._verdict, repeat(evidence), features, batch, weighed)

    def judge_features(self, features: MailFeatures, raw: bytes | str) -> Verdict:
        """The same for a mail that has been read."""
        evidence = self.evidence()
        return self._verdict(evidence, features, raw, evidence.weigh(features))

    def _verdict(self, evidence: Evidence, features: MailFeatures, raw: bytes | str, weighed: Weighed) -> Verdict:
        def explain(best: str) -> tuple[Clue, ...]:
            from bayleaf.mail.explain import explain

            return explain(evidence, weighed, self.read(raw, names=True), evidence.labels.index(best))

        return self.decided(evidence, clip(weighed.means), features.notes, explain)

    def decided(
        self,
        evidence: Evidence,
        means: Sequence[float],
        notes: Sequence[str] = (),
        explain: Callable[[str], tuple[Clue, ...]] | None = None,
        totals: Sequence[int] | None = None,
    ) -> Verdict:
        """The verdict that clipped means come to; `totals`: the mails by label where they are not those counted."""
        scores = evidence.scores(means)
        shares = evidence.shares(scores)
        counted = evidence.totals if totals is None else totals
        label, best, doubts = self.policy.decide(evidence.labels, counted, shares, evidence.headers(means))
        return Verdict(
            label,
            best,
            {evidence.labels[c]: shares[c] for c in evidence.known},
            {evidence.labels[c]: evidence.contrast(scores, c) for c in evidence.known},
            [*notes, *doubts],
            lambda: explain(best) if explain is not None and evidence.ready else (),
        )

    def train(self, raw: bytes | str, label: str) -> str:
        """Learns a mail: ``"learned"``, ``"corrected"`` when it had another label, ``"known"`` when it had this one."""
        features = self.taught(raw)
        evidence = self.evidence()
        weighed = evidence.weigh(features)
        pair = pack(clip(weighed.means)) if evidence.ready else None
        with self.store.change(self.day()) as change:
            change.adopt(evidence.labels)
            outcome = self.put(change, features, change.label(label), pair, features.keys)
            before = evidence.mails.get(label, 0)
            if outcome != "known" and self.store.names and (before < NAMED or before % NAMED == 0):
                from bayleaf.mail.vocabulary import Vocabulary

                Vocabulary(change.db).add(self.taught(raw, names=True), weighed)
        if outcome != "known":
            self.refit()
        return outcome

    def put(
        self, change: Change, features: MailFeatures, label: int, pair: bytes | None = None, held: bytes | None = None
    ) -> str:
        """Learns or corrects a mail inside a change; what was done. `held`: the keys that the ledger shall keep.

        Those of a corrected mail are kept in any case: the copy that corrects it may have others.
        """
        if change.learn(features.identity, label, features, pair, held):
            return "learned"
        entry = change.ledger.find(features.identity)
        if entry is None or entry.label == label:
            return "known"
        keys = entry.learned(features)
        change.unlearn(entry, keys)
        change.learn(features.identity, label, keys, entry.pair, keys)
        return "corrected"

    def untrain(self, raw: bytes | str) -> str:
        """Takes the learning of a mail back, exactly; the label it had."""
        features = self.taught(raw)
        with self.store.change(self.day()) as change:
            entry = change.ledger.find(features.identity)
            if entry is None:
                raise NotLearnedError(
                    "this mail was never learned here (or has been unlearned): there is nothing to take back"
                )
            change.unlearn(entry, entry.learned(features))
            label: str = change.labels[entry.label]
        self.refit()
        return label

    def train_many(
        self, mails: Iterable[tuple[bytes | str, str]], threads: int = 1, left: list[int] | None = None
    ) -> dict[str, int]:
        """Learns many mails with few transactions; how many were learned, corrected and known.

        Those that cannot be taken back from another label, as they have changed since, are left out; `left` is given
        their numbers, counted from 0.
        """
        from bayleaf.mail.lessons import Lessons

        return Lessons(self, threads, [] if left is None else left).learn(mails)

    def refit(self, force: bool = False) -> None:
        """Fits the layer again when enough has been learned since."""
        state = self.store.state()
        mails = sum(state.totals)
        if force or self.stale():
            with self.store.ledger() as ledger:
                layer = Layer.fit(ledger.pairs(MOST), INPUTS, len(state.labels), mails)
            self.store.set("layer", layer.dump())

    def stale(self) -> bool:
        """Whether much has been learned since the layer was fitted, or learning was cut short before that."""
        state = self.store.state()
        return Layer.read(state.layer, INPUTS, len(state.labels)).stale(sum(state.totals))

    def knows(self, features: MailFeatures) -> str | None:
        """The label this mail was learned as."""
        with self.store.ledger() as ledger:
            entry = ledger.find(features.identity)
        return None if entry is None else self.store.state().labels[entry.label]

    def status(self) -> dict[str, object]:
        """Mails per label, keys, bytes and the worth of each kind of evidence."""
        from bayleaf.mail import report

        return report.status(self)

    def words(self, label: str, most: int = 20) -> list[Clue]:
        """The readable tokens that speak most for a label."""
        from bayleaf.mail import report

        return report.words(self, label, most)

    def hindsight(self, most: int = 200) -> dict[str, dict[str, float]]:
        """Per label, the share of each verdict on recent mails, each judged as if it had not been learned."""
        from bayleaf.mail import report

        return report.hindsight(self, most)

    def backup(self, target: str | Path) -> None:
        """The whole store as one file, which is a store itself. Others may go on learning meanwhile."""
        self.store.backup(file_named(target))

    @classmethod
    def restore(cls, backup: str | Path, path: str | Path | Address) -> Filter:
        """A filter on a new store at `path`, made of a backup that was checked."""
        where = place(path)
        if where is None:
            raise StoreError("found :memory:, expected a path or an address: what is restored there would be lost")
        return cls(Store.restore(file_named(backup), where))

    def check(self) -> dict[str, int]:
        """Recounts the store from its ledger; raises StoreError when a count is wrong."""
        return self.store.check()

    def compact(self) -> None:
        """Makes all runs one file. This happens by itself, bit by bit."""
        self.store.compact()

    def expire(self, days: int = 365, limit: int | None = None) -> int:
        """Forgets tokens not seen in the last so many days of learning, and the oldest beyond `limit`; how many went.

        Days are counted from the last mail that was learned, so that a filter at rest keeps what it knows.
        """
        from bayleaf.mail import report

        if days < 0 or (limit is not None and limit < 0):
            raise BadValueError(f"found {days} days and the limit {limit}, expected 0 or more: nothing was expired")
        before = max(min(self.day(), self.store.last_day()) - days, 0)
        gone = self.store.expire(before) if limit is None else self.store.expire(before, limit)
        report.rename(self)
        return gone

    def close(self) -> None:
        """Closes the store; a shared filter that was given stays open."""
        self.store.close()

    def __enter__(self) -> Filter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
