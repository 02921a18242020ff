"""Report: what a filter has learned, in numbers and words."""

from __future__ import annotations

from bayleaf.mail.clue import Clue
from bayleaf.mail.evidence import FAMILIES
from bayleaf.mail.layer import clip
from bayleaf.mail.lexicon import Lexicon
from bayleaf.mail.vocabulary import Vocabulary
from bayleaf.store.label import refuse_unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf.mail.filter import Filter


def status(owner: Filter) -> dict[str, object]:
    """Mails per label, keys, bytes and the worth of each kind of evidence."""
    evidence, state = owner.evidence(), owner.store.state()
    worth = evidence.layer.worth
    n = len(FAMILIES)
    return {
        "store": str(owner.store.path or ":memory:"),
        "mails": {evidence.labels[c]: evidence.totals[c] for c in evidence.known},
        "keys": sum(run.entries for run in state.runs),
        "runs": len(state.runs),
        "bytes": owner.store.size(),
        "worth": {
            **{f"{family} mean": worth[at] for at, family in enumerate(FAMILIES)},
            **{f"{family} tails": worth[n + at] for at, family in enumerate(FAMILIES)},
        },
    }


def words(owner: Filter, label: str, most: int) -> list[Clue]:
    """The readable tokens that speak most for a label; the summand is the log-ratio of one sighting."""
    lexicon = Lexicon(owner)
    evidence = lexicon.evidence
    refuse_unknown(label, evidence.labels)
    known = [evidence.labels[c] for c in evidence.known]
    return [
        Clue(token.name, token.name.partition(":")[0], token.weight, tuple(token.counts[of] for of in known))
        for token in lexicon.strongest(most)[label]
    ]


def rename(owner: Filter) -> None:
    """Writes the text of each token that still has counts once, and no other."""
    with owner.store.ledger(write=True) as ledger:
        evidence = owner.evidence()  # as nobody else can change it
        vocabulary = Vocabulary(ledger.db)
        texts = vocabulary.read()
        keys = sorted(texts)
        counted = zip(keys, evidence.learned(keys), strict=True)
        ledger.db.execute("DELETE FROM name")
        vocabulary.write([f"{key:016x} {texts[key]}" for key, (counts, _) in counted if any(counts)])


def hindsight(owner: Filter, most: int) -> dict[str, dict[str, float]]:
    """Per label, the share of each verdict on recent mails, each judged as if it had not been learned."""
    evidence = owner.evidence()
    rates: dict[str, dict[str, float]] = {}
    with owner.store.ledger() as ledger:
        for c, name in enumerate(evidence.labels):
            entries = ledger.recalled(c, most)
            found: dict[str, int] = {}
            others = [mails - (label == c) for label, mails in enumerate(evidence.totals)]
            for entry in entries:
                means = clip(evidence.weigh(entry.keys or b"", c).means)
                verdict = owner.decided(evidence, means, totals=others).label
                found[verdict] = found.get(verdict, 0) + 1
            if entries:
                rates[name] = {verdict: count / len(entries) for verdict, count in found.items()}
    return rates
