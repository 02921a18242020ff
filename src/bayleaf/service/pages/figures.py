"""Figures: how good a filter is, from what it says about mails without having counted them."""

from __future__ import annotations

from typing import NamedTuple

from bayleaf.evaluate.rates import Judged, rates
from bayleaf.mail import Filter
from bayleaf.mail.evidence import INPUTS
from bayleaf.mail.layer import LEAST, MOST, unpack
from bayleaf.plain import plain

BINS = 10
WINDOW = 100  # mails that one point of the course averages over
NAMED = 5  # labels of which a sentence has the names


class Bin(NamedTuple):
    """Mails with about the same probability of a label: their mean, the share that had it, and how many they are."""

    mean: float
    share: float
    mails: int


class Figures(NamedTuple):
    """What the page Quality shows. `course`: mails learned, share of right verdicts among the last `WINDOW`.

    `rates` and `bins` are about the label `target`: spam, or the first of a store that has none.
    """

    target: str
    mails: dict[str, int]
    rates: dict[str, float]
    accuracy: float
    right: float
    bins: list[Bin]
    course: list[tuple[int, float]]

    @classmethod
    def of(cls, own: Filter) -> Figures:
        """From the ledger: what each kind of evidence said about a mail before its label counted.

        A mail learned alone was scored before (prequential), of those learned at once the most recent were left out
        again. The layer is today's and was fitted on these very pairs: ten numbers, so a small optimism.
        """
        evidence = own.evidence()
        k = len(evidence.labels)
        target = "spam" if "spam" in evidence.labels else evidence.labels[0]
        with own.store.ledger() as ledger:
            pairs = [(label, unpack(pair)) for label, pair in ledger.pairs(MOST)][::-1]
        judged: list[Judged] = []
        best: list[bool] = []
        for label, inputs in pairs:
            verdict = own.decided(evidence, widened(inputs, k))
            name = evidence.labels[label]
            score, share = verdict.scores.get(target, 0.0), verdict.probabilities.get(target, 0.0)
            judged.append(Judged(name == target, score, verdict.label, share))
            best.append(verdict.best == name)
        return cls(
            target,
            {evidence.labels[c]: evidence.totals[c] for c in evidence.known},
            rates(judged, 200 if len(judged) <= 2000 else 0) if judged else {},
            sum(best) / max(len(best), 1),
            sum(each.verdict == evidence.labels[label] for each, (label, _) in zip(judged, pairs, strict=True))
            / max(len(judged), 1),
            _bins(judged),
            _course(best),
        )


def widened(inputs: tuple[float, ...], k: int) -> list[float]:
    """Inputs of a time with fewer labels; the labels that came later have said nothing."""
    had = len(inputs) // INPUTS
    rows = [list(inputs[at * had : (at + 1) * had]) + [0.0] * (k - had) for at in range(INPUTS)]
    return [value for row in rows for value in row[:k]]


def _bins(judged: list[Judged]) -> list[Bin]:
    places: list[list[Judged]] = [[] for _ in range(BINS)]
    for each in judged:
        places[min(int(each.probability * BINS), BINS - 1)].append(each)
    return [
        Bin(sum(e.probability for e in held) / len(held), sum(e.spam for e in held) / len(held), len(held))
        for held in places
        if held
    ]


def _course(right: list[bool]) -> list[tuple[int, float]]:
    """At most 60 points, each over the `WINDOW` mails before it."""
    step = max(len(right) // 60, 1)
    return [
        (end, sum(right[max(end - WINDOW, 0) : end]) / min(end, WINDOW))
        for end in range(len(right), min(len(right), 9), -step)
    ][::-1]


def by_label(mails: dict[str, int]) -> str:
    """Mails by label, the most first; of many labels a few.

    >>> by_label({"spam": 12, "ham": 53}), by_label({str(n): 1 for n in range(50)})
    ('53 ham, 12 spam', '1 0, 1 1, 1 2, 1 3, 1 4, 45 of 45 other labels')
    """
    counts = sorted(mails.items(), key=lambda item: -item[1])
    told = [f"{count:,} {apart(label)}" for label, count in counts[:NAMED]]
    rest = [count for _, count in counts[NAMED:]]
    return ", ".join([*told, *([f"{sum(rest):,} of {len(rest)} other labels"] if rest else [])])


def apart(label: str) -> str:
    """A label in a sentence: one that runs from right to left does not take the numbers beside it along."""
    return plain(label, 24) if label.isascii() else f"\u2068{plain(label, 24)}\u2069"


def progress(mails: dict[str, int]) -> str:
    """How far a filter has come, in words.

    >>> progress({"spam": 12, "ham": 53})
    '53 ham, 12 spam learned: still unsure about most. It is sure of its verdicts from about 30 of each on.'
    """
    told = f"{by_label(mails)} learned"
    least = min(mails.values(), default=0)
    if not any(mails.values()):
        return "Nothing learned yet: everything is unsure. Teach it some mails of each kind."
    if not least:
        missing = [apart(label) for label, count in mails.items() if not count]
        some = " and ".join(missing) if len(missing) <= NAMED else f"the {len(missing)} other labels"
        return f"{told}: everything is unsure until it has seen {some} too."
    if least < LEAST:
        how = "most" if least < 15 else "many"
        return f"{told}: still unsure about {how}. It is sure of its verdicts from about {LEAST} of each on."
    return f"{told}: enough to be sure of what it has seen the like of. Each correction makes it better."
