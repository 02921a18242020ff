"""Evidence: the counts that a mail is weighed by, of one store or of a user's store and a shared one."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from bayleaf._core import MailFeatures, Run, Weigh, Weighed
from bayleaf.mail.layer import LEAST, Layer, softmax
from bayleaf.mail.policy import FEW
from bayleaf.store import State

ALPHA = 1 / 32  # trusts single sightings; TRIED.md has the others
FAMILIES = ("raw", "word", "pair", "header")
INPUTS = 2 * len(FAMILIES)  # the mean of each family, then its tails
HEADER = FAMILIES.index("header")
WEIGH = Weigh(ALPHA)


class Evidence:
    """Counts of the store, with those of the shared store added label by label (back-off).

    `known` are the numbers of the labels with mails, or all while fewer than two have some. A mail can be one of
    `told`: those with `FEW` mails, or all known while fewer than two have so many. A label with one mail lacks nearly
    every key, and each rare one that it lacks would speak for it: all other mail became unsure (TRIED.md).
    """

    def __init__(self, own: State, shared: State | None) -> None:
        extra = () if shared is None else tuple(label for label in shared.labels if label not in own.labels)
        self.labels = own.labels + extra
        k = len(self.labels)
        self._runs: list[Run] = list(own.runs)
        self._columns = [list(range(k))] * len(own.runs)
        totals = [*own.totals, *[0] * len(extra)]
        self.layer = Layer.read(own.layer, INPUTS, k)
        if shared is not None:
            places = [self.labels.index(label) for label in shared.labels]
            self._runs += shared.runs
            self._columns = self._columns + [places] * len(shared.runs)
            for place, mails in zip(places, shared.totals, strict=True):
                totals[place] += mails
            if sum(own.totals) < LEAST:
                layer = Layer.read(shared.layer, INPUTS, len(shared.labels))
                base = dict(zip(places, layer.base, strict=True))
                self.layer = layer._replace(base=tuple(base.get(c, 0.0) for c in range(k)))
        self.totals = tuple(totals)
        self.known = [c for c, mails in enumerate(totals) if mails] if self.ready else list(range(k))
        many = [c for c in self.known if totals[c] >= FEW]
        self.told = many if len(many) >= 2 else self.known

    @property
    def mails(self) -> dict[str, int]:
        """The mails learned of each label."""
        return dict(zip(self.labels, self.totals, strict=True))

    @property
    def ready(self) -> bool:
        """Whether at least two labels have been learned, so that one can be told from another."""
        return sum(mails > 0 for mails in self.totals) >= 2

    def scores(self, means: Sequence[float]) -> list[float]:
        """What the layer makes of clipped means, per label; 0 while there is no label to tell another from."""
        return self.layer.scores(means) if self.ready else [0.0] * len(self.labels)

    def shares(self, scores: Sequence[float]) -> list[float]:
        """The probability of each label; 0 for one that no mail is told to be."""
        shares = [0.0] * len(self.labels)
        for c, share in zip(self.told, softmax([scores[c] for c in self.told]), strict=True):
            shares[c] = share
        return shares

    def headers(self, means: Sequence[float]) -> Sequence[float]:
        """Of what all families say of a mail, what the headers say of each label."""
        k = len(self.labels)
        return means[HEADER * k : (HEADER + 1) * k]

    def contrast(self, values: Sequence[float], label: int) -> float:
        """The value of a label less the mean of the others that a mail can be."""
        others = [values[c] for c in self.told if c != label]
        return values[label] - sum(others) / max(len(others), 1)

    def weigh(self, keys: MailFeatures | bytes, own: int | None = None) -> Weighed:
        """What the counts say about a mail; `own`: without this very mail, which was learned as that label."""
        return WEIGH.weigh(self._runs, self._columns, keys, self.totals, own)

    def learned(self, keys: Sequence[int]) -> Iterator[tuple[Sequence[int], Sequence[float]]]:
        """Of each key, how many mails of each label have it, and its log-ratio for each."""
        weighed = self.weigh(struct.pack(f"<{len(keys)}Q", *keys))
        return ((weighed.counts(at), weighed.ratios(at)) for at in range(len(keys)))
